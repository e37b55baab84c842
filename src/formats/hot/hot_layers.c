/* hot_layers.c -- rows cut into parts, and each layer laid out as SELL chunks of the rows that touch
 * it. */
#include "formats/hot/hot_build.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/chunks.h"

/* Figures that were measured. */
enum {
	WINDOW = 8192,      /* rows sorted by length together: their y stays in the L2 cache */
	WINDOWS = 128,      /* minimum number, so that parts can be formed */
	PART_WORK = 3,      /* nonzeros and rows of a part, for each hot column */
	IN_CACHE = 1 << 17, /* hot columns that stay in L2 from part to part */
	FEW_PARTS = 8       /* this many parts are always allowed */
};

typedef struct {
	hot_data *d;
	const tulle__csr *a;
	const hot_rank *rank;
	int64_t
	    *count; /* nonzeros of row i in layer n: count[n * rows + i]; when the layer is laid out,
	                  * the number of its lane */
	int32_t *length; /* of row i in its lane, or TULLE__ABSENT */
	int32_t *lane;   /* as tulle__sort_lanes gave them: all rows, in whole windows */
	int64_t n;       /* the layer at work */
	hot_layer *layer;
} job;

/* ---- parts ---- */

static int64_t work_before(const tulle__csr *a, int64_t row)
{
	return tulle__csr_offset(a, row) + row;
}

/* If the blocks exceed the L2 cache, each part reads them again, and should do much more work than
 * that. */
static int64_t parts_for(int64_t work, int64_t hot)
{
	const int64_t most = tulle__parts(work);
	const int64_t large = hot > IN_CACHE ? work / (PART_WORK * hot) : most;
	const int64_t parts = large > FEW_PARTS ? large : FEW_PARTS;

	return parts < most ? parts : most;
}

static tulle_status cut_rows(hot_data *d, const tulle__csr *a, tulle__env *env)
{
	const int64_t work = work_before(a, a->rows);
	const int64_t window = tulle__round_up(a->rows / WINDOWS + 1, d->height);
	tulle_status s;
	int64_t i = 0;

	d->window = window < WINDOW ? window : WINDOW;
	d->parts = parts_for(work, d->hot);
	s = tulle__alloc(env, d->parts + 1, sizeof *d->cut, &d->cut);
	if (s != TULLE_OK)
		return s;
	for (int64_t part = 0; part < d->parts; part++) {
		const int64_t target = tulle__cut(work, d->parts, part);

		while (i < a->rows && work_before(a, i) < target)
			i += d->window;
		d->cut[part] = i < a->rows ? i : a->rows;
	}
	d->cut[d->parts] = a->rows;
	return TULLE_OK;
}

/* ---- lengths ---- */

/* The rank of nonzero k's column. Ranks are not in the cache, so they are prefetched. */
TULLE_INLINE hot_rank rank_of(const job *j, int64_t k, tulle_index_type type)
{
	enum { AHEAD = 32 };

	if (k + AHEAD < j->d->nnz)
		__builtin_prefetch(&j->rank[tulle__index_at(j->a->col, type, k + AHEAD)]);
	return j->rank[tulle__index_at(j->a->col, type, k)];
}

TULLE_INLINE void count_row(const job *j, int64_t i, tulle_index_type type)
{
	const int64_t end = tulle__csr_offset(j->a, i + 1);
	int64_t count[HOT_MOST_BLOCKS + 1] = { 0 };

	for (int64_t k = tulle__csr_offset(j->a, i); k < end; k++)
		count[rank_of(j, k, type) >> HOT_NUMBER_BITS]++;
	for (int64_t n = 0; n <= j->d->blocks; n++)
		j->count[n * j->d->rows + i] = count[n];
}

static void count_part(const void *arg, int64_t part)
{
	const job *j = arg;

	for (int64_t i = j->d->cut[part]; i < j->d->cut[part + 1]; i++)
		if (j->a->column_type == TULLE_I32)
			count_row(j, i, TULLE_I32);
		else
			count_row(j, i, TULLE_I64);
}

/* The first layer has all rows, since it writes y; the others only those with something to add. */
static void measure_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t *count = j->count + j->n * j->d->rows;

	for (int64_t i = j->d->cut[part]; i < j->d->cut[part + 1]; i++) {
		const int absent = count[i] > TULLE__LONG_ROW || (count[i] == 0 && j->n > 0);

		j->length[i] = absent ? TULLE__ABSENT : TULLE__I32(count[i]);
	}
}

/* ---- chunks ---- */

/* The source of a chunk: the sorted rows from lane `begin` on, of which the part has `rows`; or, with
 * HOT_ONE_ROW, the long row `begin`. */
typedef void visit_chunk(const job *j, int64_t chunk, int64_t begin, int64_t rows);

static int64_t each_chunk(const job *j, int64_t part, int64_t chunk, visit_chunk *visit)
{
	const hot_data *d = j->d;
	const int64_t *count = j->count + j->n * d->rows;
	const int64_t first = d->cut[part], end = d->cut[part + 1];

	for (int64_t i = first; i < end; i += d->height) {
		if (j->length[j->lane[i]] == TULLE__ABSENT) /* as are the rows after it */
			continue;
		if (visit)
			visit(j, chunk, i, end - i);
		chunk++;
	}
	for (int64_t i = first; i < end; i++) {
		if (count[i] <= TULLE__LONG_ROW)
			continue;
		if (visit)
			visit(j, chunk, i, HOT_ONE_ROW);
		chunk++;
	}
	return chunk;
}

/* One long row in all lanes of a chunk. */
static void deal_out(const job *j, int64_t chunk, int64_t i)
{
	const int height = j->d->height;
	const int64_t nonzeros = j->count[j->n * j->d->rows + i];
	int32_t *row = j->layer->row + chunk * height, *length = j->layer->length + chunk * height;

	for (int r = 0; r < height; r++) {
		row[r] = TULLE__I32(i);
		length[r] = TULLE__I32(nonzeros / height + (r < nonzeros % height));
	}
	j->layer->chunk[chunk] = (hot_chunk){ nonzeros, length[height - 1], length[0], HOT_ONE_ROW };
}

static void make_chunk(const job *j, int64_t chunk, int64_t begin, int64_t rows)
{
	const int height = j->d->height;
	const int32_t *lane = j->lane + begin;
	int32_t *row = j->layer->row + chunk * height, *length = j->layer->length + chunk * height;
	tulle__chunk made;

	if (rows == HOT_ONE_ROW) {
		deal_out(j, chunk, begin);
		return;
	}
	made = tulle__make_chunk(lane, rows, j->length, height, length);
	for (int r = 0; r < height; r++)
		row[r] = r < made.lanes ? lane[r] : 0;
	j->layer->chunk[chunk] = (hot_chunk){ made.entries, made.full, made.width, made.lanes };
}

static void count_chunks(const void *arg, int64_t part)
{
	const job *j = arg;

	j->layer->cut[part + 1] = each_chunk(j, part, 0, NULL);
}

static void make_chunks(const void *arg, int64_t part)
{
	const job *j = arg;

	const hot_layer *l = j->layer;
	const int height = j->d->height;

	each_chunk(j, part, l->cut[part], make_chunk);
	for (int64_t c = l->cut[part]; c < l->cut[part + 1]; c++)
		for (int r = 0; r < hot_rows_of(l, c); r++)
			j->count[j->n * j->d->rows + l->row[c * height + r]] = c * height + r;
}

/* From numbers of nonzeros per chunk to offsets. */
static void place_chunks(hot_layer *l, int height)
{
	for (int64_t c = 0; c < l->chunks; c++) {
		const int64_t nonzeros = l->chunk[c].base;

		l->chunk[c].base = tulle__place_chunk(&l->slots, tulle__chunk_slots(nonzeros, height));
		l->nnz += nonzeros;
	}
	l->chunk[l->chunks] = (hot_chunk){ .base = l->slots };
}

/* ---- nonzeros ---- */

static void set_slot(const hot_data *d, int64_t n, int64_t slot, int64_t col, int64_t source)
{
	const hot_layer *l = &d->layer[n];

	if (n == d->blocks)
		((int32_t *)l->col)[slot] = TULLE__I32(col);
	else
		((uint16_t *)l->col)[slot] = (uint16_t)col;
	tulle__index_set(l->source, d->source_type, slot, source);
}

/* All layers at once: in each of them the rows of a window are close together. */
TULLE_INLINE void fill_row(const job *j, int64_t i, tulle_index_type type)
{
	const hot_data *d = j->d;
	const int64_t end = tulle__csr_offset(j->a, i + 1);
	tulle__lane at[HOT_MOST_BLOCKS + 1];

	for (int64_t n = 0; n <= d->blocks; n++)
		at[n] = hot_top_of(d, &d->layer[n], j->count[n * d->rows + i]);
	for (int64_t k = tulle__csr_offset(j->a, i); k < end; k++) {
		const hot_rank rank = rank_of(j, k, type);
		const int64_t n = rank >> HOT_NUMBER_BITS;

		set_slot(d, n, at[n].at, n == d->blocks ? tulle__index_at(j->a->col, type, k) : rank, k);
		tulle__lane_down(&at[n]);
	}
}

/* Slots after the last nonzero of a chunk get column 0, since whole steps may read them. */
static void fill_ends(const hot_data *d, int64_t n, int64_t part)
{
	const hot_layer *l = &d->layer[n];

	for (int64_t c = l->cut[part]; c < l->cut[part + 1]; c++) {
		int64_t slot =
		    l->chunk[c].base + tulle__chunk_entries(l->length + c * d->height, d->height);

		for (; slot < l->chunk[c + 1].base; slot++)
			set_slot(d, n, slot, 0, 0);
	}
}

static void fill_part(const void *arg, int64_t part)
{
	const job *j = arg;

	for (int64_t i = j->d->cut[part]; i < j->d->cut[part + 1]; i++)
		if (j->a->column_type == TULLE_I32)
			fill_row(j, i, TULLE_I32);
		else
			fill_row(j, i, TULLE_I64);
	for (int64_t n = 0; n <= j->d->blocks; n++)
		fill_ends(j->d, n, part);
}

/* ---- layers ---- */

static tulle_status allocate_chunks(hot_layer *l, int height, tulle__env *env)
{
	tulle_status s = tulle__alloc(env, l->chunks + 1, sizeof *l->chunk, &l->chunk);

	if (s == TULLE_OK)
		s = tulle__alloc(env, l->chunks * height, sizeof *l->row, &l->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, l->chunks * height, sizeof *l->length, &l->length);
	return s;
}

static tulle_status allocate_slots(const hot_data *d, hot_layer *l, tulle__env *env)
{
	const size_t column = hot_is_cold(d, l) ? sizeof(int32_t) : sizeof(uint16_t);
	/* The last masked step may read a whole vector of columns. */
	tulle_status s = tulle__alloc(env, l->slots + HOT_TALLEST, column, &l->col);

	if (s == TULLE_OK)
		s = tulle__alloc(env, l->slots, tulle__index_size(d->source_type), &l->source);
	return s;
}

static tulle_status make_layer(job *j, tulle__env *env)
{
	hot_data *d = j->d;
	hot_layer *l = j->layer;
	tulle_status s = tulle__alloc_zero(env, d->parts + 1, sizeof *l->cut, &l->cut);

	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, measure_part, j, d->parts, d->rows);
	s = tulle__sort_lanes(env, d->rows, j->length, d->height, d->window, j->lane);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, count_chunks, j, d->parts, d->rows);
	for (int64_t part = 0; part < d->parts; part++)
		l->cut[part + 1] += l->cut[part];
	l->chunks = l->cut[d->parts];
	s = allocate_chunks(l, d->height, env);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, make_chunks, j, d->parts, d->rows);
	place_chunks(l, d->height);
	return allocate_slots(d, l, env);
}

tulle_status tulle__hot_lay_out(hot_data *d, const tulle__csr *a, const hot_rank *rank,
                                tulle__env *env)
{
	job j = { d, a, rank, .layer = NULL };
	tulle_status s = cut_rows(d, a, env);

	if (s == TULLE_OK)
		s = tulle__alloc(env, (d->blocks + 1) * d->rows, sizeof *j.count, &j.count);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->rows, sizeof *j.length, &j.length);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->rows, sizeof *j.lane, &j.lane);
	if (s == TULLE_OK)
		tulle__run_parts(env, count_part, &j, d->parts, d->nnz + d->rows);
	for (j.n = 0; j.n <= d->blocks && s == TULLE_OK; j.n++) {
		j.layer = &d->layer[j.n];
		s = make_layer(&j, env);
	}
	if (s == TULLE_OK)
		tulle__run_parts(env, fill_part, &j, d->parts, d->nnz + d->rows);
	tulle__free(env, j.count);
	tulle__free(env, j.length);
	tulle__free(env, j.lane);
	return s;
}
