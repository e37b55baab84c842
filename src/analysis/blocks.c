/* blocks.c -- small dense blocks, counted for all sizes on a sample of the rows. */
#include "analysis/blocks.h"

#include "core/split.h"
#include "core/threads.h"
#include "csr/blocks.h"

enum {
	GROUP = 12, /* rows: whole block rows of every size */

	/* One group for so many nonzeros is looked at. Counting all four sizes takes as long as a hundred
	 * multiplications, and a hundred groups show well enough what the others are like. */
	NONZEROS = 32768,
	LEAST = 8,
	MOST = 128,

	WORTH = 4096, /* nonzeros and rows of a multiplication that takes as long as one group */

	MOST_BLOCKS = 32 /* of one block row: a few rows may have most of the nonzeros */
};

typedef struct {
	const tulle__csr *a;
	int64_t groups, samples;
	tulle__block_counts *of_sample;
} survey;

/* A block on the lower right edge is never full: it is cut off. */
TULLE_INLINE void count_size(const tulle__csr *a, int64_t first, int n, tulle_index_type type,
                             tulle__block_counts *out)
{
	const int b = tulle__block_sizes[n];
	const unsigned all = (1u << b) - 1;
	int64_t blocks = 0, full = 0, held = 0;

	for (int64_t i = first; i < first + GROUP && i < a->rows; i += b) {
		block_walk w = walk_block_row(a, i, b);
		walked_block block;

		for (int64_t last = blocks + MOST_BLOCKS;
		     blocks < last && next_block(&w, b, type, &block);) {
			unsigned bits = all;

			for (int r = 0; r < b; r++) {
				bits &= block.bits[r];
				held += __builtin_popcount(block.bits[r]);
			}
			blocks++;
			full += bits == all;
		}
	}
	out->held[n] = held;
	out->blocks[n] = blocks;
	out->full[n] = full;
}

TULLE_INLINE void count_all(const tulle__csr *a, int64_t first, tulle_index_type type,
                            tulle__block_counts *out)
{
	count_size(a, first, 0, type, out);
	count_size(a, first, 1, type, out);
	count_size(a, first, 2, type, out);
	count_size(a, first, 3, type, out);
}

static void survey_part(const void *arg, int64_t part)
{
	const survey *v = arg;
	const int64_t first = GROUP * tulle__cut(v->groups, v->samples, part);
	const int64_t end = first + GROUP < v->a->rows ? first + GROUP : v->a->rows;
	tulle__block_counts *c = &v->of_sample[part];

	c->rows = GROUP;
	c->nonzeros = tulle__csr_offset(v->a, end) - tulle__csr_offset(v->a, first);
	if (v->a->column_type == TULLE_I32)
		count_all(v->a, first, TULLE_I32, c);
	else
		count_all(v->a, first, TULLE_I64, c);
}

void tulle__count_blocks(const tulle__csr *a, tulle__env *env, tulle__block_counts *out)
{
	const int64_t groups = (a->rows + GROUP - 1) / GROUP;
	tulle__block_counts of_sample[MOST];
	survey v = { a, groups, a->nnz / NONZEROS, of_sample };

	*out = (tulle__block_counts){ 0 };
	v.samples = v.samples < LEAST ? LEAST : v.samples > MOST ? MOST : v.samples;
	v.samples = v.samples < groups ? v.samples : groups;
	tulle__run_parts(env, survey_part, &v, v.samples, v.samples * WORTH);
	for (int64_t s = 0; s < v.samples; s++) {
		out->rows += of_sample[s].rows;
		out->nonzeros += of_sample[s].nonzeros;
		for (int n = 0; n < TULLE__BLOCK_SIZES; n++) {
			out->held[n] += of_sample[s].held[n];
			out->blocks[n] += of_sample[s].blocks[n];
			out->full[n] += of_sample[s].full[n];
		}
	}
}

static double places(int64_t blocks, int size)
{
	return (double)blocks * tulle__block_sizes[size] * tulle__block_sizes[size];
}

double tulle__block_fill(const tulle__block_counts *c, int size)
{
	return c->held[size] > 0 ? (double)c->held[size] / places(c->blocks[size], size) : 1;
}

double tulle__block_full(const tulle__block_counts *c, int size)
{
	return c->held[size] > 0 ? places(c->full[size], size) / (double)c->held[size] : 0;
}
