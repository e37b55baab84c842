/* fastload_layers.c -- from CSR to blocks: columns, their order, layers, entries.
 *
 * Columns are in ascending order of their length. The first layer is as high as the shortest
 * nonempty column and extends to the last column. The next layer begins with the first column that
 * is longer. So there is one layer per distinct length. A layer is divided into blocks of `lanes`
 * columns, and a block into pieces that are not higher than the limit. */
#include "formats/fastload/fastload_layers.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

typedef struct {
	int64_t column;        /* its first sorted column */
	int64_t depth, height; /* entries of a column below it, and in it */
	int64_t block, entry;  /* the first of its own */
	int64_t pieces;        /* that a block is cut into */
} layer;

typedef struct {
	fastload_data *d;
	tulle__csr columns;     /* A^T: its rows are the columns */
	tulle__csr_order order; /* where its values come from */
	int64_t *lengths;       /* of the columns */
	int64_t layers, parts;
	layer *layer; /* layers + 1 */
} building;

static int64_t begin_of(const building *b, int64_t column)
{
	return tulle__csr_offset(&b->columns, column);
}

/* ---- the order of the columns ---- */

/* Their lengths; the largest of a part goes to `most`. */
typedef struct {
	const building *b;
	int64_t parts;
	int64_t *most;
} measuring;

static void measure_part(const void *arg, int64_t part)
{
	const measuring *m = arg;
	const int64_t cols = m->b->d->cols, end = tulle__cut(cols, m->parts, part + 1);
	int64_t most = 0;

	for (int64_t j = tulle__cut(cols, m->parts, part); j < end; j++) {
		const int64_t n = begin_of(m->b, j + 1) - begin_of(m->b, j);

		m->b->lengths[j] = n;
		most = n > most ? n : most;
	}
	m->most[part] = most;
}

static int64_t measure(const building *b, tulle__env *env)
{
	int64_t most[TULLE__MAX_PARTS], longest = 0;
	const measuring m = { b, tulle__parts(b->d->cols), most };

	tulle__run_parts(env, measure_part, &m, m.parts, b->d->cols);
	for (int64_t p = 0; p < m.parts; p++)
		longest = most[p] > longest ? most[p] : longest;
	return longest;
}

/* The stable counting sort that makes rows of triplets sorts columns by length as well: entry j lies
 * in "row" lengths[j]. Then row_ptr[n] columns are shorter than n. */
static tulle_status sort_columns(building *b, tulle__env *env, tulle__csr *by_length)
{
	tulle__triplets t = { .cols = 1,
		                  .nnz = b->d->cols,
		                  .row_type = TULLE_I64,
		                  .row = b->lengths,
		                  .col_type = TULLE_I64,
		                  .col = b->lengths };
	tulle__csr_order order;
	tulle_status s;

	t.rows = measure(b, env) + 1;
	t.cols = t.rows;
	s = tulle__csr_build(env, &t, by_length, &order);
	if (s == TULLE_OK)
		b->d->permutation = order.source; /* 32 bits: cols is below 2^31 */
	return s;
}

/* ---- layers ---- */

static int64_t up(int64_t n, int64_t each)
{
	return (n + each - 1) / each;
}

/* One layer for each distinct length n > 0. Returns their number, and with `out` the layers. */
static int64_t list_layers(const fastload_data *d, const tulle__csr *by_length, layer *out)
{
	layer next = { .column = 0 };
	int64_t count = 0;

	for (int64_t n = 1; n < by_length->rows; n++) {
		const int64_t shorter = tulle__csr_offset(by_length, n);
		const int64_t active = d->cols - shorter;

		if (shorter == tulle__csr_offset(by_length, n + 1))
			continue;
		if (out) {
			next.column = shorter;
			next.height = n - next.depth;
			next.pieces = up(next.height, d->limit);
			out[count] = next;
			next.depth = n;
			next.block += up(active, d->lanes) * next.pieces;
			next.entry += active * next.height;
		}
		count++;
	}
	if (out)
		out[count] = next;
	return count;
}

/* ---- entries ---- */

/* A run ends with a mispredicted branch, which costs about as much as this many dependent additions
 * to memory (measured). */
enum { LONG_RUN = 8 };

int tulle__fastload_kind(const int32_t *row, int64_t length, int64_t height)
{
	int64_t runs = 0;

	for (int64_t s = 0; s < height; s++, row += length) {
		runs++;
		for (int64_t l = 1; l < length; l++)
			runs += row[l] != row[l - 1];
	}
	return runs == height                       ? FASTLOAD_UNIFORM
	       : LONG_RUN * runs <= length * height ? FASTLOAD_RUNS
	                                            : FASTLOAD_APART;
}

TULLE_INLINE void fill_block(const building *b, const layer *y, int64_t block,
                             tulle_index_type type)
{
	fastload_data *d = b->d;
	const int64_t group = (block - y->block) / y->pieces, piece = (block - y->block) % y->pieces;
	const int64_t column = y->column + group * d->lanes, below = piece * d->limit;
	const int64_t length = d->cols - column < d->lanes ? d->cols - column : d->lanes;
	const int64_t height = y->height - below < d->limit ? y->height - below : d->limit;
	const int64_t first = y->entry + group * d->lanes * y->height + below * length;
	int32_t *row = d->row + first;

	for (int64_t l = 0; l < length; l++) {
		const int64_t from = begin_of(b, d->permutation[column + l]) + y->depth + below;
		const int32_t *rows = (const int32_t *)b->columns.col + from;

		for (int64_t s = 0; s < height; s++)
			row[s * length + l] = rows[s];
		for (int64_t s = 0; s < height; s++)
			tulle__index_set(d->order.source, type, first + s * length + l,
			                 tulle__index_at(b->order.source, type, from + s));
	}
	d->first[block] = first;
	d->column[block] = TULLE__I32(column);
	d->length[block] = TULLE__I32(length);
	d->height[block] = TULLE__I32(height);
	d->kind[block] = (uint8_t)tulle__fastload_kind(row, length, height);
}

static void fill_part(const void *arg, int64_t part)
{
	const building *b = arg;
	const int64_t end = tulle__cut(b->d->blocks, b->parts, part + 1);
	int64_t block = tulle__cut(b->d->blocks, b->parts, part), low = 0, high = b->layers;

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;

		if (b->layer[middle].block <= block)
			low = middle;
		else
			high = middle;
	}
	for (; block < end; block++) {
		while (b->layer[low + 1].block <= block)
			low++;
		if (b->order.type == TULLE_I32)
			fill_block(b, &b->layer[low], block, TULLE_I32);
		else
			fill_block(b, &b->layer[low], block, TULLE_I64);
	}
}

static tulle_status fill(building *b, tulle__env *env)
{
	fastload_data *d = b->d;
	tulle_status s;

	d->blocks = b->layer[b->layers].block;
	d->order.type = b->order.type;
	s = tulle__alloc(env, d->blocks + 1, sizeof *d->first, &d->first);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->blocks, sizeof *d->column, &d->column);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->blocks, sizeof *d->length, &d->length);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->blocks, sizeof *d->height, &d->height);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->blocks, sizeof *d->kind, &d->kind);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->nnz, sizeof *d->row, &d->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->nnz, tulle__index_size(d->order.type), &d->order.source);
	if (s != TULLE_OK)
		return s;
	b->parts = tulle__parts(d->nnz);
	if (b->parts > d->blocks)
		b->parts = d->blocks;
	tulle__run_parts(env, fill_part, b, b->parts, d->nnz);
	d->first[d->blocks] = d->nnz;
	return TULLE_OK;
}

tulle_status tulle__fastload_build(fastload_data *d, const tulle__csr *a, tulle__env *env)
{
	building b = { .d = d };
	tulle__csr pattern = *a, by_length = { .rows = 0 };
	tulle_status s;

	pattern.val = NULL;
	s = tulle__csr_transpose(env, &pattern, &b.columns, &b.order);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->cols, sizeof *b.lengths, &b.lengths);
	if (s == TULLE_OK)
		s = sort_columns(&b, env, &by_length);
	if (s == TULLE_OK) {
		b.layers = list_layers(d, &by_length, NULL);
		s = tulle__alloc(env, b.layers + 1, sizeof *b.layer, &b.layer);
	}
	if (s == TULLE_OK) {
		list_layers(d, &by_length, b.layer);
		s = fill(&b, env);
	}
	tulle__free(env, b.layer);
	tulle__free(env, b.lengths);
	tulle__free(env, b.order.source);
	tulle__csr_release(env, &by_length);
	tulle__csr_release(env, &b.columns);
	return s;
}
