/* block_features.c -- counts small dense blocks of all sizes on a sample of the rows. */
#include "analysis/block_features.h"

#include "core/split.h"
#include "core/threads.h"
#include "csr/blocks.h"

enum {
	GROUP = 12, /* rows: whole block rows of every size */
	LEAST = 8,  /* maximum number of groups in the sample */
	MOST = 128,
	LONGEST = 64 /* blocks of a block row: a few are enough to judge a very long row */
};

/* Larger blocks consist of smaller ones, so they are not counted if the fill of the smaller ones is
 * below this. */
static const double WORTH_A_LOOK = .4;

typedef struct {
	const tulle__csr *a;
	int64_t groups, samples;
	int first, last; /* the sizes that are counted */
	tulle__block_counts *of_sample;
} survey;

/* A block at the lower or right edge that is cut off counts as not full. */
TULLE_INLINE void count_size(const tulle__csr *a, int64_t first, int n, tulle_index_type type,
                             tulle__block_counts *out)
{
	const int b = tulle__block_sizes[n];
	const unsigned all = (1u << b) - 1;
	int64_t blocks = 0, full = 0, nonzeros = 0, rows = 0;

	for (int64_t i = first; i < first + GROUP && i < a->rows; i += b) {
		block_walk w = walk_block_row(a, i, b);
		walked_block block;
		int64_t of_row = 0;

		while (of_row < LONGEST && next_block(&w, b, type, &block)) {
			unsigned bits = all;

			for (int r = 0; r < b; r++)
				bits &= block.bits[r];
			of_row++;
			full += bits == all;
		}
		blocks += of_row;
		rows += b;
		for (int r = 0; r < b && i + r < a->rows; r++)
			nonzeros += w.k[r] - tulle__csr_offset(a, i + r);
	}
	out->blocks[n] = blocks;
	out->full[n] = full;
	out->nonzeros[n] = nonzeros;
	out->rows[n] = rows;
}

TULLE_INLINE void count_sizes(const survey *v, int64_t first, tulle_index_type type,
                              tulle__block_counts *out)
{
#pragma GCC unroll 4
	for (int n = 0; n < TULLE__BLOCK_SIZES; n++)
		if (n >= v->first && n <= v->last)
			count_size(v->a, first, n, type, out);
}

static void survey_part(const void *arg, int64_t part)
{
	const survey *v = arg;
	const int64_t first = GROUP * tulle__cut(v->groups, v->samples, part);

	if (v->a->column_type == TULLE_I32)
		count_sizes(v, first, TULLE_I32, &v->of_sample[part]);
	else
		count_sizes(v, first, TULLE_I64, &v->of_sample[part]);
}

static void count(survey *v, int first, int last, tulle__env *env, tulle__block_counts *out)
{
	v->first = first;
	v->last = last;
	tulle__run_parts(env, survey_part, v, v->samples, v->samples * (v->a->nnz / v->groups + GROUP));
	for (int64_t s = 0; s < v->samples; s++)
		for (int n = first; n <= last; n++) {
			out->rows[n] += v->of_sample[s].rows[n];
			out->nonzeros[n] += v->of_sample[s].nonzeros[n];
			out->blocks[n] += v->of_sample[s].blocks[n];
			out->full[n] += v->of_sample[s].full[n];
		}
}

/* For a size that is not counted: derive its counts from the blocks of 2 x 2 or 3 x 3. */
static void take_over(tulle__block_counts *c, int size, int from)
{
	const int64_t b = tulle__block_sizes[size], small = tulle__block_sizes[from];

	c->rows[size] = c->rows[from];
	c->nonzeros[size] = c->nonzeros[from];
	c->blocks[size] = c->blocks[from];
	c->full[size] = c->full[from] * small * small / (b * b);
}

void tulle__count_blocks(const tulle__csr *a, int64_t nonzeros, tulle__env *env,
                         tulle__block_counts *out)
{
	enum { TWO, THREE, FOUR, SIX };
	tulle__block_counts of_sample[MOST];
	survey v = { .a = a, .groups = (a->rows + GROUP - 1) / GROUP, .of_sample = of_sample };

	*out = (tulle__block_counts){ .rows = { 0 } };
	if (v.groups == 0)
		return;
	v.samples = nonzeros / (a->nnz / v.groups + 1);
	v.samples = v.samples < LEAST ? LEAST : v.samples > MOST ? MOST : v.samples;
	v.samples = v.samples < v.groups ? v.samples : v.groups;
	count(&v, TWO, THREE, env, out);
	if (tulle__block_fill(out, TWO) >= WORTH_A_LOOK ||
	    tulle__block_fill(out, THREE) >= WORTH_A_LOOK) {
		count(&v, FOUR, SIX, env, out);
	} else {
		take_over(out, FOUR, TWO);
		take_over(out, SIX, THREE);
	}
}

static double places(int64_t blocks, int size)
{
	return (double)blocks * tulle__block_sizes[size] * tulle__block_sizes[size];
}

double tulle__block_fill(const tulle__block_counts *c, int size)
{
	return c->nonzeros[size] > 0 ? (double)c->nonzeros[size] / places(c->blocks[size], size) : 1;
}

double tulle__block_full(const tulle__block_counts *c, int size)
{
	return c->nonzeros[size] > 0 ? places(c->full[size], size) / (double)c->nonzeros[size] : 0;
}
