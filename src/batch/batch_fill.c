/* batch_fill.c -- copies rows, columns and values of the problems to their places in the layout. */
#include "batch/batch_store.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/chunks.h"

#include <string.h>

/* The units that begin in a part: first .. end-1. */
static void units_of(const batch_data *d, int64_t part, int64_t *first, int64_t *end)
{
	const batch_cut from = d->cut[part], to = d->cut[part + 1];

	*first = from.unit + (from.piece > 0);
	*end = to.unit + (to.piece > 0);
}

/* ---- patterns ---- */

typedef struct {
	const tulle__problems *p;
	const tulle__batch_store *s;
	int32_t *length, *spare; /* as lane_row: of the rows of SELL units */
} job;

_Static_assert((int)BATCH_SCATTERED == (int)TULLE__SCATTERED,
               "kernels read `first` as it is built");

static void set_column(const batch_data *d, const batch_unit *u, int64_t k, int64_t column)
{
	uint16_t *col = d->col + u->col;

	if (u->near)
		col[k] = (uint16_t)column;
	else
		((int32_t *)(void *)col)[k] = TULLE__I32(column);
}

static void fill_chunks(const job *j, const batch_unit *u, const tulle__csr *a)
{
	const batch_data *d = &j->s->data;
	const int height = u->vectors_per_chunk * j->s->lanes;
	int32_t *row = d->lane_row + u->lane;
	int32_t *of_lane = d->lane_length + u->lane;
	int32_t *length = j->length + u->lane;
	batch_chunk *chunk = d->chunk + u->first;
	int64_t end = 0;

	for (int64_t i = 0; i < a->rows; i++)
		length[i] = TULLE__I32(tulle__csr_length(a, i));
	tulle__sort_window(length, 0, a->rows, height, row, j->spare + u->lane);
	for (int64_t c = 0; c < u->pieces; c++) {
		const int64_t lane = c * height;
		const tulle__chunk made =
		    tulle__make_chunk(row + lane, a->rows - lane, length, height, of_lane + lane);
		const int64_t at = tulle__place_chunk(&end, made.entries);

		chunk[c] = (batch_chunk){ made.full, made.width, TULLE__I32(at), made.first };
	}
}

/* Calls put(to, k, from) for each entry of a SELL unit: it is number `from` in the problem and number k
 * in the unit. */
typedef void put_fn(const void *arg, int64_t k, int64_t from);

static void each_entry(const tulle__batch_store *s, const batch_unit *u, const int32_t *row_ptr,
                       put_fn *put, const void *arg)
{
	const batch_data *d = &s->data;
	const int height = u->vectors_per_chunk * s->lanes;

	for (int64_t c = 0; c < u->pieces; c++) {
		const batch_chunk *chunk = &d->chunk[u->first + c];
		const int32_t *row = d->lane_row + u->lane + c * height;
		const int32_t *length = d->lane_length + u->lane + c * height;

		for (int r = 0; r < height; r++) {
			tulle__lane lane = tulle__lane_top(length, height, chunk->full, r);
			int64_t from = row_ptr[row[r]];

			for (int32_t n = 0; n < length[r]; n++, tulle__lane_down(&lane))
				put(arg, chunk->at + lane.at, from++);
		}
	}
}

/* The same for an ELL unit: chunk by chunk, step by step. */
static void each_ell_entry(const tulle__batch_store *s, const batch_unit *u, put_fn *put,
                           const void *arg)
{
	for (int64_t i = 0; i < u->rows; i++) {
		const int64_t first = i / s->lanes * s->lanes, rest = u->rows - first;
		const int64_t lanes = rest < s->lanes ? rest : s->lanes;

		for (int64_t n = 0; n < u->width; n++)
			put(arg, first * u->width + n * lanes + i - first, i * u->width + n);
	}
}

static void each(const tulle__batch_store *s, int64_t n, put_fn *put, const void *arg)
{
	const batch_unit *u = &s->data.unit[n];

	if (u->kernel == BATCH_ELL)
		each_ell_entry(s, u, put, arg);
	else
		each_entry(s, u, s->data.row_ptr + s->row_at[n], put, arg);
}

typedef struct {
	const batch_data *d;
	const batch_unit *u;
	const tulle__csr *a;
} moving;

static void put_column(const void *arg, int64_t k, int64_t from)
{
	const moving *m = arg;

	set_column(m->d, m->u, k, tulle__csr_column(m->a, from));
}

static void fill_pattern(const job *j, int64_t n)
{
	const batch_data *d = &j->s->data;
	const batch_unit *u = &d->unit[n];
	const uint8_t fills = j->s->fills[n];
	const tulle__csr a = tulle__problem_csr(j->p, d->problem[u->place]);
	int32_t *row_ptr = d->row_ptr + j->s->row_at[n];

	if (fills & TULLE__FILLS_ROWS)
		for (int64_t i = 0; i <= a.rows; i++)
			row_ptr[i] = TULLE__I32(tulle__csr_offset(&a, i));
	if (fills & TULLE__FILLS_CHUNKS)
		fill_chunks(j, u, &a);
}

static void fill_columns(const job *j, int64_t n)
{
	const batch_data *d = &j->s->data;
	const batch_unit *u = &d->unit[n];
	const tulle__csr a = tulle__problem_csr(j->p, d->problem[u->place]);
	const moving m = { d, u, &a };

	if (!(j->s->fills[n] & TULLE__FILLS_COLUMNS))
		return;
	if (u->kernel == BATCH_SELL || u->kernel == BATCH_ELL)
		each(j->s, n, put_column, &m);
	else
		for (int64_t k = 0; k < a.nnz; k++)
			set_column(d, u, k, tulle__csr_column(&a, k));
}

static void pattern_part(const void *arg, int64_t part)
{
	const job *j = arg;
	int64_t n, end;

	units_of(&j->s->data, part, &n, &end);
	for (; n < end; n++)
		fill_pattern(j, n);
}

/* After all rows and chunks: a unit may share those of a unit in another part. */
static void column_part(const void *arg, int64_t part)
{
	const job *j = arg;
	int64_t n, end;

	units_of(&j->s->data, part, &n, &end);
	for (; n < end; n++)
		fill_columns(j, n);
}

tulle_status tulle__store_patterns(const tulle__problems *p, const tulle__batch_store *s)
{
	const tulle__phases phases = { { pattern_part, column_part },
		                           { s->data.parts, s->data.parts } };
	job j = { p, s, NULL, NULL };
	tulle_status status = tulle__alloc(p->env, s->lanes_held, sizeof *j.length, &j.length);

	if (status == TULLE_OK)
		status = tulle__alloc(p->env, s->lanes_held, sizeof *j.spare, &j.spare);
	if (status == TULLE_OK) {
		/* Lanes without a row refer to row 0, because its offset is read; their length is 0. */
		memset(s->data.lane_row, 0, (size_t)s->lanes_held * sizeof *s->data.lane_row);
		tulle__run(p->env, &phases, &j, s->work);
	}
	tulle__free(p->env, j.spare);
	tulle__free(p->env, j.length);
	return status;
}

/* ---- values ---- */

typedef struct {
	const tulle__batch_store *s;
	const void *const *from;
	size_t size;
} filling;

typedef struct {
	char *to;
	const char *from;
	size_t size;
} value_move;

static void put_value(const void *arg, int64_t k, int64_t from)
{
	const value_move *m = arg;

	tulle__value_move(m->to, k, m->from, from, m->size);
}

/* Entry k of lane l is at k * lanes + l; lanes without a problem are 0. */
static void weave_values(const filling *f, const batch_unit *u, char *to)
{
	const int lanes = f->s->lanes;

	for (int l = 0; l < lanes; l++) {
		const value_move m = { to, l < u->lanes ? f->from[u->place + l] : NULL, f->size };

		for (int64_t k = 0; k < u->nnz; k++)
			if (m.from)
				put_value(&m, k * lanes + l, k);
			else
				memset(to + (size_t)(k * lanes + l) * f->size, 0, f->size);
	}
}

static void value_part(const void *arg, int64_t part)
{
	const filling *f = arg;
	const batch_data *d = &f->s->data;
	int64_t n, end;

	units_of(d, part, &n, &end);
	for (; n < end; n++) {
		const batch_unit *u = &d->unit[n];
		const value_move m = { (char *)f->s->val + (size_t)u->val * f->size, f->from[u->place],
			                   f->size };

		if (!(f->s->fills[n] & TULLE__FILLS_VALUES))
			continue;
		if (u->kernel == BATCH_SELL || u->kernel == BATCH_ELL)
			each(f->s, n, put_value, &m);
		else if (u->kernel == BATCH_INTERLEAVED && !d->one_value)
			weave_values(f, u, m.to);
		else if (u->nnz > 0)
			memcpy(m.to, m.from, (size_t)u->nnz * f->size);
	}
}

void tulle__store_values(tulle__env *env, const tulle__batch_store *s, const void *const *from)
{
	const filling f = { s, from, tulle__value_size(s->value_type) };

	tulle__run_parts(env, value_part, &f, s->data.parts, s->work);
}
