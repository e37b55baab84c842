/* hot_columns.c -- finds the hot columns, those with the most nonzeros, in decreasing order. */
#include "formats/hot/hot_build.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

/* Nonzeros of a column are counted up to DEGREES-1: columns with more are hot in any case, and
 * their order does not matter. */
enum { DEGREES = 65536 };

typedef struct {
	const tulle__csr *a;
	int64_t parts, merge_parts;
	uint16_t *count; /* part p's copy begins at p * cols; in the end the first holds them all */
} degrees;

TULLE_INLINE void count_columns(uint16_t *count, const void *col, tulle_index_type type, int64_t k,
                                int64_t end)
{
	for (; k < end; k++) {
		uint16_t *n = &count[tulle__index_at(col, type, k)];

		*n = (uint16_t)(*n + (*n < DEGREES - 1));
	}
}

static void count_part(const void *arg, int64_t part)
{
	const degrees *g = arg;
	const tulle__csr *a = g->a;
	uint16_t *count = g->count + part * a->cols;
	const int64_t k = tulle__cut(a->nnz, g->parts, part);
	const int64_t end = tulle__cut(a->nnz, g->parts, part + 1);

	if (a->column_type == TULLE_I32)
		count_columns(count, a->col, TULLE_I32, k, end);
	else
		count_columns(count, a->col, TULLE_I64, k, end);
}

static void merge_part(const void *arg, int64_t part)
{
	const degrees *g = arg;
	const int64_t cols = g->a->cols, end = tulle__cut(cols, g->merge_parts, part + 1);

	for (int64_t j = tulle__cut(cols, g->merge_parts, part); j < end; j++) {
		int32_t sum = 0;

		for (int64_t p = 0; p < g->parts; p++)
			sum += g->count[p * cols + j];
		g->count[j] = (uint16_t)(sum < DEGREES ? sum : DEGREES - 1);
	}
}

static tulle_status count_degrees(const tulle__csr *a, tulle__env *env, uint16_t **degree)
{
	degrees g = { .a = a,
		          .parts = tulle__private_parts(a->nnz, a->nnz, a->cols),
		          .merge_parts = tulle__parts(a->cols) };
	const tulle_status s = tulle__alloc_zero(env, g.parts * a->cols, sizeof *g.count, &g.count);

	*degree = g.count;
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, count_part, &g, g.parts, a->nnz);
	if (g.parts > 1)
		tulle__run_parts(env, merge_part, &g, g.merge_parts, a->cols);
	return TULLE_OK;
}

static int64_t largest(const uint16_t *degree, int64_t cols)
{
	int64_t most = 0;

	for (int64_t j = 0; j < cols; j++)
		most = degree[j] > most ? degree[j] : most;
	return most;
}

/* at[n], the number of columns of n nonzeros, becomes the rank of the first of them. Returns the
 * columns that are not empty; *worthy: the number of blocks of `width` of them, from the first on, that pay. */
static int64_t rank_degrees(int64_t *at, int64_t most, int64_t width, int64_t *worthy)
{
	int64_t columns = 0, nonzeros = 0, in_block = 0;
	int pays = 1;

	*worthy = 0;
	for (int64_t degree = most; degree > 0; degree--) {
		int64_t left = at[degree];

		at[degree] = columns;
		columns += left;
		while (left > 0) {
			const int64_t n = left < width - in_block ? left : width - in_block;

			nonzeros += n * degree;
			in_block += n;
			left -= n;
			if (in_block == width) {
				pays &= nonzeros >= HOT_WORTH * width;
				*worthy += pays;
				nonzeros = in_block = 0;
			}
		}
	}
	*worthy += pays && in_block > 0 && nonzeros >= HOT_WORTH * in_block;
	return columns;
}

static void set_ranks(hot_data *d, const uint16_t *degree, int64_t *at, hot_rank *rank)
{
	for (int64_t j = 0; j < d->cols; j++) {
		rank[j] = (hot_rank)(d->blocks << HOT_NUMBER_BITS);
		if (degree[j] > 0 && at[degree[j]] < d->hot) {
			const int64_t r = at[degree[j]]++;

			rank[j] = (hot_rank)(r / d->width << HOT_NUMBER_BITS | r % d->width);
			d->column[r] = TULLE__I32(j);
		}
	}
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

tulle_status tulle__hot_choose(hot_data *d, const tulle__csr *a, int64_t blocks, tulle__env *env,
                               hot_rank **rank)
{
	int64_t *at = NULL, most = 0, columns, worthy;
	uint16_t *degree;
	tulle_status s = tulle__alloc(env, a->cols, sizeof **rank, rank);

	if (s != TULLE_OK)
		return s;
	s = count_degrees(a, env, &degree);
	if (s == TULLE_OK) {
		most = largest(degree, a->cols);
		s = tulle__alloc_zero(env, most + 1, sizeof *at, &at);
	}
	if (s == TULLE_OK) {
		for (int64_t j = 0; j < a->cols; j++)
			at[degree[j]]++;
		columns = rank_degrees(at, most, d->width, &worthy);
		d->blocks = least(blocks > 0 ? blocks : worthy, (columns + d->width - 1) / d->width);
		d->blocks = least(d->blocks > 1 ? d->blocks : 1, HOT_MOST_BLOCKS);
		d->hot = least(columns, d->blocks * d->width);
		d->copy_parts = tulle__parts(d->hot);
		s = tulle__alloc(env, d->hot, sizeof *d->column, &d->column);
	}
	if (s == TULLE_OK)
		set_ranks(d, degree, at, *rank);
	tulle__free(env, degree);
	tulle__free(env, at);
	return s;
}
