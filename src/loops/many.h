/* many.h -- several vectors at once, X and Y row-major: a lane is a vector, and one row of X is a
 * few contiguous registers.
 *
 * Included by kernel files only, after core/kernel.h. `regs` (1 .. MANY_REGS), `full` and `ones` are
 * constants at every call. */
#ifndef TULLE_LOOPS_MANY_H
#define TULLE_LOOPS_MANY_H

#include "core/kernel.h"

enum { MANY_REGS = 4, MANY_LANES = MANY_REGS * VLEN };

/* Vectors v .. v + regs*VLEN - 1 of one call, fewer in the last register unless it is full. */
typedef struct {
	const T *x;
	T *y;
	int64_t ldx, ldy;
	T alpha, beta;
	vmask last;
} slab;

TULLE_INLINE vec slab_load(const slab *s, const T *row, int r, int regs, int full)
{
	return full || r < regs - 1 ? vload(row + r * VLEN) : vload_first(row + r * VLEN, s->last);
}

TULLE_INLINE void slab_store(const slab *s, T *row, int r, vec v, int regs, int full)
{
	if (full || r < regs - 1)
		vstore(row + r * VLEN, v);
	else
		vstore_first(row + r * VLEN, v, s->last);
}

TULLE_INLINE void slab_zero(vec *sum, int regs)
{
#pragma GCC unroll 4
	for (int r = 0; r < regs; r++)
		sum[r] = vzero();
}

/* sum += a * X[j], for one nonzero a in column j. */
TULLE_INLINE void slab_step(const slab *s, vec *sum, const T *a, int64_t j, int regs, int full,
                            int ones)
{
	const T *row = s->x + j * s->ldx;

#pragma GCC unroll 4
	for (int r = 0; r < regs; r++) {
		const vec xs = slab_load(s, row, r, regs, full);

		sum[r] = ones ? vadd(xs, sum[r]) : vfma(vset(*a), xs, sum[r]);
	}
}

/* Y[i] = alpha * sum + beta * Y[i]; Y is not read when beta is 0. */
TULLE_INLINE void slab_end_row(const slab *s, int64_t i, const vec *sum, int regs, int full)
{
	T *row = s->y + i * s->ldy;

#pragma GCC unroll 4
	for (int r = 0; r < regs; r++) {
		vec y = vmul(vset(s->alpha), sum[r]);

		if (s->beta != 0)
			y = vfma(vset(s->beta), slab_load(s, row, r, regs, full), y);
		slab_store(s, row, r, y, regs, full);
	}
}

#endif
