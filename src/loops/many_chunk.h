/* many_chunk.h -- the rows of one SELL chunk times several vectors, each row summed in stored order.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_MANY_CHUNK_H
#define TULLE_LOOPS_MANY_CHUNK_H

#include "core/kernel.h"
#include "loops/decoded.h"
#include "loops/many.h"

typedef vec row_sums[MANY_REGS];

/* Row lengths do not increase from lane to lane: steps 0 .. full-1 hold one nonzero of each lane,
 * steps full .. width-1 only those of the first lanes, contiguously. */
typedef struct {
	encoded from;
	int32_t full, width;
	const int32_t *length;
} many_chunk;

/* Nonzeros that are processed together, and where each of their steps begins in `of`. */
typedef struct {
	decode_buffer buffer;
	plain of;
	int32_t step[DECODED_MOST];
} chunk_bite;

/* `rows` rows at a time, so that their sums stay in registers. */
TULLE_INLINE void full_steps(const plain *of, int steps, int height, const slab *s, row_sums *sum,
                             int rows, int regs, int span)
{
	for (int first = 0; first < height; first += rows) {
		row_sums own[8];
		int at = first;

#pragma GCC unroll 8
		for (int r = 0; r < rows; r++) {
#pragma GCC unroll 4
			for (int v = 0; v < regs; v++)
				own[r][v] = sum[first + r][v];
		}
		for (int n = 0; n < steps; n++, at += height) {
#pragma GCC unroll 8
			for (int r = 0; r < rows; r++)
				slab_step(s, own[r], of->val + at + r, of->col[at + r], regs, span, 0);
		}
#pragma GCC unroll 8
		for (int r = 0; r < rows; r++) {
#pragma GCC unroll 4
			for (int v = 0; v < regs; v++)
				sum[first + r][v] = own[r][v];
		}
	}
}

/* One of the first rows, for its remaining `steps`. */
TULLE_INLINE void ragged_row(const chunk_bite *bite, int r, int steps, const slab *s, vec *sum,
                             int regs, int span)
{
	row_sums own;

#pragma GCC unroll 4
	for (int v = 0; v < regs; v++)
		own[v] = sum[v];
	for (int n = 0; n < steps; n++) {
		const int at = bite->step[n] + r;

		slab_step(s, own, bite->of.val + at, bite->of.col[at], regs, span, 0);
	}
#pragma GCC unroll 4
	for (int v = 0; v < regs; v++)
		sum[v] = own[v];
}

TULLE_INLINE void ragged_steps(const many_chunk *c, chunk_bite *bite, const slab *s, row_sums *sum,
                               int regs, int span)
{
	int lanes = c->from.height;
	int64_t at = (int64_t)c->full * lanes;

	for (int32_t step = c->full; step < c->width;) {
		const int32_t begin = step;
		int nonzeros = 0;

		for (; step < c->width; step++) {
			while (c->length[lanes - 1] <= step)
				lanes--;
			if (nonzeros + lanes > DECODED_MOST)
				break;
			bite->step[step - begin] = nonzeros;
			nonzeros += lanes;
		}
		bite->of = decode(&c->from, at, nonzeros, &bite->buffer);
		at += nonzeros;
		for (int r = 0; r < c->from.height && c->length[r] > begin; r++)
			ragged_row(bite, r, (c->length[r] < step ? c->length[r] : step) - begin, s, sum[r],
			           regs, span);
	}
}

/* Sums of all rows of a chunk. */
TULLE_INLINE void chunk_sums(const many_chunk *c, chunk_bite *bite, const slab *s, row_sums *sum,
                             int regs, int span)
{
	enum { WIDE = VLEN * sizeof(T) == 64 };
	const int height = c->from.height, most = DECODED_MOST / height;

	for (int r = 0; r < height; r++)
		slab_zero(sum[r], regs);
	for (int32_t step = 0; step < c->full; step += most) {
		const int steps = c->full - step < most ? c->full - step : most;

		bite->of = decode(&c->from, (int64_t)step * height, (int64_t)steps * height, &bite->buffer);
		if (WIDE && regs <= 2 && height % 8 == 0)
			full_steps(&bite->of, steps, height, s, sum, 8, regs, span);
		else
			full_steps(&bite->of, steps, height, s, sum, WIDE || regs <= 2 ? 4 : 2, regs, span);
	}
	if (c->full < c->width)
		ragged_steps(c, bite, s, sum, regs, span);
}

#endif
