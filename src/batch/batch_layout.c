/* batch_layout.c -- the layout of a batch: the order of the units, their places in the arrays, and
 * the division into parts. */
#include "batch/batch_store.h"
#include "core/memory.h"
#include "core/split.h"

enum {
	LINE = 64,           /* bytes: SELL and groups begin at a cache line */
	NEAR_COLUMNS = 65536 /* 16 bits number them */
};

/* State while the layout is made. */
typedef struct {
	const tulle__problems *p;
	tulle__batch_store *s;
	int borrow;
	int64_t *order; /* problems as they are executed */

	/* Indexed by the first problem with these rows or this pattern: their place; -1: not placed
	 * yet. */
	int64_t *rows_at, *chunks_at, *lanes_at, *columns_at, *values_at;
} job;

/* ---- order ---- */

/* Sorts the numbers in `from` into `to` by key. The sort is stable. */
static void sort_by(const int64_t *key, int64_t keys, const int64_t *from, int64_t *to, int64_t n,
                    int64_t *count)
{
	for (int64_t k = 0; k <= keys; k++)
		count[k] = 0;
	for (int64_t i = 0; i < n; i++)
		count[key[from[i]] + 1]++;
	for (int64_t k = 0; k < keys; k++)
		count[k + 1] += count[k];
	for (int64_t i = 0; i < n; i++)
		to[count[key[from[i]]]++] = from[i];
}

/* Sorted by class, then groups of one pattern together, else in the caller's order. */
static tulle_status find_order(job *j)
{
	const tulle__problems *p = j->p;
	const int64_t n = p->count, most = n > TULLE__BATCH_CLASSES ? n : TULLE__BATCH_CLASSES;
	int64_t *key = NULL, *spare = NULL, *count = NULL;
	tulle_status s = tulle__alloc(p->env, n, sizeof *key, &key);

	if (s == TULLE_OK)
		s = tulle__alloc(p->env, n, sizeof *spare, &spare);
	if (s == TULLE_OK)
		s = tulle__alloc(p->env, most + 1, sizeof *count, &count);
	if (s == TULLE_OK) {
		for (int64_t i = 0; i < n; i++) {
			j->order[i] = i;
			key[i] = p->problem[i].kernel == BATCH_INTERLEAVED ? p->problem[i].same_pattern : i;
		}
		sort_by(key, n, j->order, spare, n, count);
		for (int64_t i = 0; i < n; i++)
			key[i] = p->problem[i].class;
		sort_by(key, TULLE__BATCH_CLASSES, spare, j->order, n, count);
	}
	tulle__free(p->env, count);
	tulle__free(p->env, spare);
	tulle__free(p->env, key);
	return s;
}

/* The problem at this place and those after it that make one unit. */
static int unit_size(const job *j, int64_t place)
{
	const tulle__problem *first = &j->p->problem[j->order[place]];
	int n = 1;

	if (first->kernel != BATCH_INTERLEAVED)
		return 1;
	while (n < j->s->lanes && place + n < j->p->count) {
		const tulle__problem *a = &j->p->problem[j->order[place + n]];

		if (a->class != first->class || a->same_pattern != first->same_pattern)
			break;
		n++;
	}
	return n;
}

static int64_t count_units(const job *j)
{
	int64_t units = 0;

	for (int64_t place = 0; place < j->p->count; place += unit_size(j, place))
		units++;
	return units;
}

/* ---- places ---- */

/* Rounds *end up to a multiple of `align`, returns that, and advances *end by `size`. */
static int64_t take(int64_t *end, int64_t size, int64_t align)
{
	const int64_t at = tulle__round_up(*end, align);

	*end = at + size;
	return at;
}

/* The place of an array that is shared with problem `first`; allocated at the first request. */
static int64_t take_once(int64_t *place_of, int64_t first, int64_t *end, int64_t size,
                         int64_t align, uint8_t *fills, int bit)
{
	if (place_of[first] < 0) {
		place_of[first] = take(end, size, align);
		*fills = (uint8_t)(*fills | bit);
	}
	return place_of[first];
}

/* Ends of the arrays so far. */
typedef struct {
	int64_t row_ptr, col, val, chunk, lane;
} ends;

static void place_rows_and_columns(job *j, int64_t n, const tulle__problem *a, ends *e)
{
	batch_unit *u = &j->s->data.unit[n];
	uint8_t *fills = &j->s->fills[n];
	const int64_t width = u->near ? 1 : 2;

	j->s->row_at[n] =
	    take_once(j->rows_at, a->same_rows, &e->row_ptr, a->rows + 1, 1, fills, TULLE__FILLS_ROWS);
	if (u->kernel == BATCH_ELL) {
		u->width = TULLE__I32(a->nnz / a->rows);
		u->pieces = TULLE__I32((a->rows + j->s->lanes - 1) / j->s->lanes);
		u->first = j->s->row_at[n];
		u->col = take(&e->col, a->nnz * width, LINE / 2);
		*fills |= TULLE__FILLS_COLUMNS;
	} else if (u->kernel == BATCH_SELL) {
		const int height = u->vectors_per_chunk * j->s->lanes;
		const int64_t chunks = (a->rows + height - 1) / height;

		u->pieces = TULLE__I32(chunks);
		u->first =
		    take_once(j->chunks_at, a->same_rows, &e->chunk, chunks, 1, fills, TULLE__FILLS_CHUNKS);
		u->lane = *fills & TULLE__FILLS_CHUNKS
		              ? (j->lanes_at[a->same_rows] = take(&e->lane, chunks * height, 1))
		              : j->lanes_at[a->same_rows];
		u->col = take(&e->col, a->nnz * width, LINE / 2);
		*fills |= TULLE__FILLS_COLUMNS;
	} else {
		u->pieces = u->rows;
		u->first = j->s->row_at[n];
		u->col = take_once(j->columns_at, a->same_pattern, &e->col, a->nnz * width, 2, fills,
		                   TULLE__FILLS_COLUMNS);
	}
}

static void place_values(job *j, int64_t n, const tulle__problem *a, ends *e)
{
	batch_unit *u = &j->s->data.unit[n];
	const int64_t line = LINE / (int64_t)tulle__value_size(j->p->value_type);
	const int once =
	    u->kernel == BATCH_CSR || (u->kernel == BATCH_INTERLEAVED && j->s->data.one_value);

	if (j->p->ones)
		return;
	if (j->borrow)
		u->val = a->value_at;
	else if (once)
		u->val = take_once(j->values_at, a->same_values, &e->val, a->nnz, 1, &j->s->fills[n],
		                   TULLE__FILLS_VALUES);
	else {
		u->val = take(&e->val, a->nnz * (u->kernel == BATCH_INTERLEAVED ? j->s->lanes : 1), line);
		j->s->fills[n] |= TULLE__FILLS_VALUES;
	}
}

/* Bytes of this unit that a multiplication reads, including those shared with other units. */
static size_t unit_bytes(const job *j, int64_t n)
{
	const batch_unit *u = &j->s->data.unit[n];
	const uint8_t fills = j->s->fills[n];
	size_t bytes = sizeof *u + (size_t)u->lanes * sizeof(batch_place);

	if (u->kernel == BATCH_SELL)
		bytes += (size_t)u->pieces *
		         (sizeof(batch_chunk) + 4 * (size_t)(u->vectors_per_chunk * j->s->lanes));
	else if (u->kernel != BATCH_ELL && (fills & TULLE__FILLS_ROWS))
		bytes += ((size_t)u->rows + 1) * sizeof(int32_t);
	if (fills & TULLE__FILLS_COLUMNS)
		bytes += (size_t)u->nnz * (u->near ? 2 : 4);
	if ((fills & TULLE__FILLS_VALUES) || j->borrow)
		bytes +=
		    (size_t)u->nnz * tulle__value_size(j->p->value_type) *
		    (u->kernel == BATCH_INTERLEAVED && !j->s->data.one_value ? (size_t)j->s->lanes : 1);
	return bytes;
}

static void place_units(job *j, ends *e)
{
	const tulle__problems *p = j->p;
	tulle__batch_store *s = j->s;
	int64_t at = 0;

	for (int64_t i = 0; i < p->count; i++)
		j->rows_at[i] = j->chunks_at[i] = j->columns_at[i] = j->values_at[i] = -1;
	for (int64_t n = 0; n < s->data.units; n++) {
		const tulle__problem *a = &p->problem[j->order[at]];
		batch_unit *u = &j->s->data.unit[n];

		*u = (batch_unit){ .place = at,
			               .rows = TULLE__I32(a->rows),
			               .cols = TULLE__I32(a->cols),
			               .nnz = TULLE__I32(a->nnz),
			               .kernel = (uint8_t)a->kernel,
			               .near = a->cols <= NEAR_COLUMNS,
			               .lanes = (uint8_t)unit_size(j, at),
			               .vectors_per_chunk = (uint8_t)a->vectors_per_chunk };
		j->s->fills[n] = 0;
		place_rows_and_columns(j, n, a, e);
		place_values(j, n, a, e);
		s->bytes += unit_bytes(j, n);
		for (int l = 0; l < u->lanes; l++, at++) {
			const tulle__problem *b = &p->problem[j->order[at]];

			s->data.place[at] = (batch_place){ b->x, b->y };
			s->data.problem[at] = j->order[at];
			s->value_at[at] = b->value_at;
			if (s->data.scale)
				s->data.scale[at] = b->scale;
		}
		if (u->kernel == BATCH_INTERLEAVED) {
			const size_t interleaved = (size_t)tulle__round_up(u->cols + 1, TULLE__LANES) *
			                           (size_t)s->lanes * tulle__element_size(p->value_type);

			s->slot_bytes = interleaved > s->slot_bytes ? interleaved : s->slot_bytes;
		}
	}
}

/* ---- all of it ---- */

/* An array of the batch's own, of which the bytes are counted. */
static tulle_status get(tulle__env *env, tulle__batch_store *s, int64_t count, size_t size,
                        void *out)
{
	s->own_bytes += (size_t)count * size;
	return tulle__alloc(env, count, size, out);
}

static tulle_status get_units(job *j)
{
	tulle__env *env = j->p->env;
	tulle__batch_store *s = j->s;
	const int64_t units = s->data.units, n = j->p->count;
	tulle_status status = get(env, s, units, sizeof *s->data.unit, &s->data.unit);

	if (status == TULLE_OK)
		status = get(env, s, units, sizeof *s->fills, &s->fills);
	if (status == TULLE_OK)
		status = get(env, s, units, sizeof *s->row_at, &s->row_at);
	if (status == TULLE_OK)
		status = get(env, s, n, sizeof *s->data.place, &s->data.place);
	if (status == TULLE_OK)
		status = get(env, s, n, sizeof *s->data.problem, &s->data.problem);
	if (status == TULLE_OK)
		status = get(env, s, n, sizeof *s->value_at, &s->value_at);
	if (status == TULLE_OK && j->p->scaled)
		status = get(env, s, n, sizeof *s->data.scale, &s->data.scale);
	return status;
}

static tulle_status get_arrays(const job *j, const ends *e)
{
	tulle__env *env = j->p->env;
	tulle__batch_store *s = j->s;
	const size_t value = tulle__value_size(j->p->value_type);
	tulle_status status =
	    get(env, s, e->row_ptr + TULLE__LANES, sizeof *s->data.row_ptr, &s->data.row_ptr);

	/* Whole vectors may be read at the end of columns and lengths. */
	if (status == TULLE_OK)
		status = get(env, s, e->col + 2 * TULLE__LANES, sizeof *s->data.col, &s->data.col);
	if (status == TULLE_OK)
		status = get(env, s, e->chunk, sizeof *s->data.chunk, &s->data.chunk);
	if (status == TULLE_OK)
		status = get(env, s, e->lane, sizeof *s->data.lane_row, &s->data.lane_row);
	if (status == TULLE_OK)
		status = get(env, s, e->lane, sizeof *s->data.lane_length, &s->data.lane_length);
	if (status == TULLE_OK)
		status = get(env, s, s->data.parts + 1, sizeof *s->data.cut, &s->data.cut);
	if (status == TULLE_OK && !j->p->ones && !j->borrow)
		status = get(env, s, e->val, value, &s->val);
	s->data.val = s->val;
	s->lanes_held = e->lane;
	return status;
}

static tulle_status lay_out(job *j)
{
	const int64_t n = j->p->count;
	tulle__batch_store *s = j->s;
	ends e = { 0 };
	tulle_status status = find_order(j);

	if (status != TULLE_OK)
		return status;
	s->data.units = count_units(j);
	status = get_units(j);
	if (status != TULLE_OK)
		return status;
	s->data.count = n;
	place_units(j, &e);
	s->work = tulle__batch_work(&s->data);
	s->data.parts = tulle__parts(s->work);
	status = get_arrays(j, &e);
	if (status == TULLE_OK)
		tulle__batch_cuts(j->p, &s->data, s->work);
	return status;
}

/* Do all problems have one pattern, and is each in a group? */
static int all_interleaved(const tulle__problems *p)
{
	for (int64_t i = 0; i < p->count; i++)
		if (p->problem[i].kernel != BATCH_INTERLEAVED || p->problem[i].same_pattern != 0)
			return 0;
	return p->count > 0;
}

static int one_value(const tulle__problems *p)
{
	for (int64_t i = 0; i < p->count; i++)
		if (p->problem[i].same_values != 0)
			return 0;
	return p->count > 1 && !p->ones;
}

tulle_status tulle__store_create(const tulle__problems *p, int borrow, tulle__batch_store *out)
{
	const int64_t n = p->count;
	job j = { .p = p, .s = out, .borrow = borrow };
	tulle_status s;

	*out = (tulle__batch_store){ .value_type = p->value_type,
		                         .lanes = tulle__batch_lanes(p->env->isa, p->value_type),
		                         .interleaved = all_interleaved(p),
		                         .borrows = borrow,
		                         .values = p->values };
	out->data.one_value = one_value(p);
	s = tulle__alloc(p->env, n, sizeof *j.order, &j.order);
	if (s == TULLE_OK)
		s = tulle__alloc(p->env, 5 * n, sizeof *j.rows_at, &j.rows_at);
	if (s == TULLE_OK) {
		j.chunks_at = j.rows_at + n;
		j.lanes_at = j.rows_at + 2 * n;
		j.columns_at = j.rows_at + 3 * n;
		j.values_at = j.rows_at + 4 * n;
		s = lay_out(&j);
	}
	if (s == TULLE_OK)
		s = tulle__store_patterns(p, out);
	tulle__free(p->env, j.rows_at);
	tulle__free(p->env, j.order);
	if (s != TULLE_OK)
		tulle__store_release(p->env, out);
	return s;
}

void tulle__store_release(tulle__env *env, tulle__batch_store *s)
{
	const batch_data *d = &s->data;

	tulle__free(env, d->unit);
	tulle__free(env, d->place);
	tulle__free(env, d->problem);
	tulle__free(env, d->scale);
	tulle__free(env, d->row_ptr);
	tulle__free(env, d->col);
	tulle__free(env, d->chunk);
	tulle__free(env, d->lane_row);
	tulle__free(env, d->lane_length);
	tulle__free(env, d->cut);
	tulle__free(env, s->val);
	tulle__free(env, s->fills);
	tulle__free(env, s->row_at);
	tulle__free(env, s->value_at);
	*s = (tulle__batch_store){ 0 };
}
