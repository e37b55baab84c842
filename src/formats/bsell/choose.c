/* choose.c -- which b makes the smallest matrix of b x b blocks. */
#include "core/split.h"
#include "core/threads.h"
#include "csr/csr.h"
#include "formats/bsell/convert.h"
#include "formats/bsell/walk.h"

enum {
	SIZES = 4,
	GROUP = 12, /* rows: whole block rows of every size */

	/* Groups that are looked at: a sixteenth of them. Counting all four sizes takes several
	 * multiplications, and a hundred groups show well enough what the others are like. */
	SHARE = 16,
	LEAST = 32,
	MOST = 128
};

static const int sizes[SIZES] = { 2, 3, 4, 6 };

typedef struct {
	int64_t nonzeros, blocks[SIZES];
} tally;

typedef struct {
	const tulle__csr *a;
	int64_t groups, samples;
	tally *of_sample;
} survey;

TULLE_INLINE int64_t count_blocks(const tulle__csr *a, int64_t first, int b, tulle_index_type type)
{
	int64_t count = 0;

	for (int64_t i = first; i < first + GROUP && i < a->rows; i += b) {
		block_walk w = walk_block_row(a, i, b);
		walked_block block;

		while (next_block(&w, b, type, &block))
			count++;
	}
	return count;
}

TULLE_INLINE void count_all(const tulle__csr *a, int64_t first, tulle_index_type type, tally *out)
{
	out->blocks[0] = count_blocks(a, first, 2, type);
	out->blocks[1] = count_blocks(a, first, 3, type);
	out->blocks[2] = count_blocks(a, first, 4, type);
	out->blocks[3] = count_blocks(a, first, 6, type);
}

static void survey_part(const void *arg, int64_t part)
{
	const survey *v = arg;
	const int64_t first = GROUP * tulle__cut(v->groups, v->samples, part);
	const int64_t end = first + GROUP < v->a->rows ? first + GROUP : v->a->rows;
	tally *t = &v->of_sample[part];

	t->nonzeros = tulle__csr_offset(v->a, end) - tulle__csr_offset(v->a, first);
	if (v->a->column_type == TULLE_I32)
		count_all(v->a, first, TULLE_I32, t);
	else
		count_all(v->a, first, TULLE_I64, t);
}

int bsell_best_block(const tulle__csr *a, tulle__env *env)
{
	const int64_t value = (int64_t)tulle__value_size(a->value_type);
	const int64_t groups = (a->rows + GROUP - 1) / GROUP;
	tally of_sample[MOST], sum = { 0 };
	survey v = { a, groups, groups / SHARE, of_sample };
	int64_t least = INT64_MAX;
	int best = sizes[0];

	v.samples = v.samples < LEAST ? LEAST : v.samples > MOST ? MOST : v.samples;
	v.samples = v.samples < groups ? v.samples : groups;
	tulle__run_parts(env, survey_part, &v, v.samples, v.samples * GROUP + a->nnz / SHARE);
	for (int64_t s = 0; s < v.samples; s++) {
		sum.nonzeros += of_sample[s].nonzeros;
		for (int n = 0; n < SIZES; n++)
			sum.blocks[n] += of_sample[s].blocks[n];
	}
	for (int n = 0; n < SIZES; n++) {
		const int64_t places = (int64_t)sizes[n] * sizes[n];
		const int64_t slots = sum.blocks[n] * places, lanes = v.samples * GROUP / sizes[n];
		const int64_t masks = slots > sum.nonzeros ? slots / 8 : 0;
		const int64_t bytes = slots * value + masks + sum.blocks[n] * (int64_t)sizeof(uint16_t) +
		                      lanes * 2 * (int64_t)sizeof(int32_t);

		if (bytes < least) {
			least = bytes;
			best = sizes[n];
		}
	}
	return best;
}
