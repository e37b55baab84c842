/* finish_kernels.c -- finish a block of rows: y += beta x, then x.y and y.y of these rows.
 *
 * Sums are double and have sixteen lanes for every instruction set, and nothing is fused, so the
 * bits are the same everywhere. A term takes part in 16 additions in its lane and in 4 between the
 * lanes. */
#include "core/kernel.h"
#include "finish/finish.h"

#include <string.h>

enum { GROUP = 8, LANES = 2 * GROUP };

typedef double lanes __attribute__((vector_size(GROUP * sizeof(double))));
typedef T values __attribute__((vector_size(GROUP * sizeof(T))));
typedef values group __attribute__((aligned(sizeof(T)), may_alias)); /* some elements of an array */

typedef struct {
	lanes xy[2], yy[2];
} sums;

TULLE_INLINE void add_products(const values *x, const values *y, int n, tulle__step_sums which,
                               sums *to)
{
	const lanes wide = __builtin_convertvector(*y, lanes);

	if (which == TULLE__SUM_BOTH)
		to->xy[n] += __builtin_convertvector(*x, lanes) * wide;
	to->yy[n] += wide * wide;
}

/* Rows i .. i+LANES-1. x is read only if it is needed: it may have fewer elements than y. */
TULLE_INLINE void rows(const T *x, T *y, int64_t i, T beta, int adds_x, tulle__step_sums which,
                       sums *to)
{
#pragma GCC unroll 2
	for (int n = 0; n < 2; n++) {
		values xs = { 0 }, ys = *(const group *)(y + i + n * GROUP);

		if (adds_x || which == TULLE__SUM_BOTH)
			xs = *(const group *)(x + i + n * GROUP);
		if (adds_x) {
			ys += beta * xs;
			*(group *)(y + i + n * GROUP) = ys;
		}
		if (which != TULLE__NO_SUMS)
			add_products(&xs, &ys, n, which, to);
	}
}

/* Fewer rows: the other lanes add zeros. */
TULLE_INLINE void last_rows(const T *x, T *y, int64_t i, int64_t count, T beta, int adds_x,
                            tulle__step_sums which, sums *to)
{
	const size_t bytes = (size_t)count * sizeof(T);
	T xs[LANES] = { 0 }, ys[LANES] = { 0 };

	if (adds_x || which == TULLE__SUM_BOTH)
		memcpy(xs, x + i, bytes);
	memcpy(ys, y + i, bytes);
	rows(xs, ys, 0, beta, adds_x, which, to);
	if (adds_x)
		memcpy(y + i, ys, bytes);
}

TULLE_INLINE double sum_lanes(const lanes *two)
{
	const lanes v = two[0] + two[1];

	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The flags are constants where this is inlined. */
TULLE_INLINE void finish(const tulle__step *s, int64_t block, int adds_x, tulle__step_sums which)
{
	const T *x = s->call.x, beta = factor(s->beta);
	T *y = s->call.y;
	int64_t i = block * TULLE__BLOCK_ROWS;
	const int64_t end = s->rows - i < TULLE__BLOCK_ROWS ? s->rows : i + TULLE__BLOCK_ROWS;
	sums to = { { { 0 } }, { { 0 } } };

	for (; i + LANES <= end; i += LANES)
		rows(x, y, i, beta, adds_x, which, &to);
	if (i < end)
		last_rows(x, y, i, end - i, beta, adds_x, which, &to);
	if (which == TULLE__SUM_BOTH)
		s->xy[block] = sum_lanes(to.xy);
	if (which != TULLE__NO_SUMS)
		s->yy[block] = sum_lanes(to.yy);
}

static void block(const void *arg, int64_t n)
{
	const tulle__step *s = arg;

	switch (s->sums) {
	case TULLE__NO_SUMS:
		if (s->adds_x)
			finish(s, n, 1, TULLE__NO_SUMS);
		break;
	case TULLE__SUM_YY:
		if (s->adds_x)
			finish(s, n, 1, TULLE__SUM_YY);
		else
			finish(s, n, 0, TULLE__SUM_YY);
		break;
	case TULLE__SUM_BOTH:
		if (s->adds_x)
			finish(s, n, 1, TULLE__SUM_BOTH);
		else
			finish(s, n, 0, TULLE__SUM_BOTH);
		break;
	}
}

TULLE_KERNELS_WITHOUT_GATHERS(finish) = { { "blocks", { block } } };
