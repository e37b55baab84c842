/* finish.c -- runs a product. Finishes each block of rows in the part that finishes its rows, then the remaining
 * blocks, and adds the sums of the blocks. */
#include "finish/finish.h"

#include "core/kernel_table.h"
#include "core/split.h"

#include <string.h>

TULLE__KERNEL_TABLE_WITHOUT_GATHERS(kernels, finish, );

size_t tulle__step_scratch(int64_t rows)
{
	return tulle__bytes(tulle__step_blocks(rows), 2 * sizeof(double) + 1);
}

/* ---- blocks ---- */

static void finish_part(const void *arg, int64_t part)
{
	const tulle__step *s = arg;
	int64_t begin, end;

	s->multiply(arg, part);
	s->format->finishes(s->call.data, part, &begin, &end);
	if (begin >= end)
		return;
	end = end < s->rows ? end / TULLE__BLOCK_ROWS : tulle__step_blocks(s->rows);
	for (int64_t b = tulle__step_blocks(begin); b < end; b++) {
		s->finish(s, b);
		s->is_done[b] = 1;
	}
}

/* Blocks that no part has finished: their rows belong to several parts, or to a later phase. */
static void finish_rest(const void *arg, int64_t part)
{
	const tulle__step *s = arg;
	const int64_t blocks = tulle__step_blocks(s->rows), parts = tulle__parts(s->rows);

	if (!parts) /* never: a part is running; clang-tidy does not know */
		return;
	for (int64_t b = tulle__cut(blocks, parts, part); b < tulle__cut(blocks, parts, part + 1); b++)
		if (!s->is_done[b])
			s->finish(s, b);
}

static int64_t count_rest(const tulle__step *s)
{
	int64_t rest = 0;

	for (int64_t b = 0; b < tulle__step_blocks(s->rows); b++)
		rest += !s->is_done[b];
	return rest;
}

/* ---- sums ---- */

/* Pairwise summation: a term takes part in at most ceil(log2(n)) additions. */
static double sum_pairs(double *term, int64_t n)
{
	for (; n > 1; n -= n / 2) {
		for (int64_t i = 0; i < n / 2; i++)
			term[i] = term[2 * i] + term[2 * i + 1];
		if (n % 2)
			term[n / 2] = term[n - 1];
	}
	return n > 0 ? term[0] : 0;
}

/* ---- one step ---- */

void tulle__step_run(const tulle__step_of *of, tulle__step *step, void *scratch, double *xy,
                     double *yy)
{
	const int64_t blocks = tulle__step_blocks(step->rows), first = of->layout->finishing_phase;
	tulle__phases phases = of->product->phases[TULLE__MUL];
	int64_t rest;

	step->format = of->format;
	step->finish = kernels[of->product->isa][of->type]->phase[0];
	step->xy = scratch;
	step->yy = step->xy + blocks;
	step->is_done = (unsigned char *)(step->yy + blocks);
	memset(step->is_done, 0, (size_t)blocks);
	if (of->format && of->format->finishes) {
		step->multiply = phases.work[first];
		phases.work[first] = finish_part;
	}
	tulle__run(of->env, &phases, step, of->product->work);
	rest = count_rest(step);
	if (rest > 0)
		tulle__run_parts(of->env, finish_rest, step, tulle__parts(step->rows),
		                 rest * TULLE__BLOCK_ROWS);
	if (step->sums == TULLE__SUM_BOTH)
		*xy = sum_pairs(step->xy, blocks);
	if (step->sums != TULLE__NO_SUMS)
		*yy = sum_pairs(step->yy, blocks);
}
