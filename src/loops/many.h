/* many.h -- several vectors at once, X and Y row-major: a lane is a vector, and one row of X fills a few
 * registers.
 *
 * Included by kernel files only, after core/kernel.h. `regs` (1, 2, MANY_REGS or MOST_REGS), `span` and `ones` are
 * constants at every call. */
#ifndef TULLE_LOOPS_MANY_H
#define TULLE_LOOPS_MANY_H

#include "core/kernel.h"
#include "core/split.h"
#include "simd/narrow.h"

enum {
	MANY_REGS = 4,
	MOST_REGS = 8, /* more registers are not worth their compile time */
	SPAN_FULL = 0, /* all lanes of all registers are used; else there is one register, with vectors
	                  in its first `span` bytes only */
	SPAN_ANY = 64
};

/* regs*VLEN consecutive vectors of one call, or fewer in one register. */
typedef struct {
	const T *x;
	T *y;
	int64_t ldx, ldy;
	T alpha, beta;
	vmask lanes;
} slab;

TULLE_INLINE slab slab_at(const tulle__call_many *c, int64_t v, int64_t lanes)
{
	return (slab){ (const T *)c->x + v, (T *)c->y + v,   c->ldx,       c->ldy,
		           factor(c->alpha),    factor(c->beta), vfirst(lanes) };
}

/* ---- registers of one row ---- */

TULLE_INLINE vec slab_load(const slab *s, const T *row, int r, int span)
{
	return span == SPAN_FULL ? vload(row + r * VLEN) : vload_narrow(row, s->lanes, span);
}

TULLE_INLINE void slab_store(const slab *s, T *row, int r, vec v, int span)
{
	if (span == SPAN_FULL)
		vstore(row + r * VLEN, v);
	else
		vstore_narrow(row, v, s->lanes, span);
}

TULLE_INLINE void slab_zero(vec *sum, int regs)
{
#pragma GCC unroll 8
	for (int r = 0; r < regs; r++)
		sum[r] = vzero();
}

TULLE_INLINE void slab_add(vec *sum, const vec *more, int regs)
{
#pragma GCC unroll 8
	for (int r = 0; r < regs; r++)
		sum[r] = vadd(sum[r], more[r]);
}

/* sum += a * X[j], for one nonzero a in column j. */
TULLE_INLINE void slab_step(const slab *s, vec *sum, const S *a, int64_t j, int regs, int span,
                            int ones)
{
	const T *row = s->x + j * s->ldx;

#pragma GCC unroll 8
	for (int r = 0; r < regs; r++) {
		const vec xs = slab_load(s, row, r, span);

		sum[r] = ones ? vadd(xs, sum[r]) : vfma(vset(widen(*a)), xs, sum[r]);
	}
}

/* Y[i] = alpha * sum + beta * Y[i]; Y is not read when beta is 0. */
TULLE_INLINE void slab_end_row(const slab *s, int64_t i, const vec *sum, int regs, int span)
{
	T *row = s->y + i * s->ldy;

#pragma GCC unroll 8
	for (int r = 0; r < regs; r++) {
		vec y = vscale(s->alpha, sum[r]);

		if (s->beta != 0)
			y = vscale_add(s->beta, slab_load(s, row, r, span), y);
		slab_store(s, row, r, y, span);
	}
}

/* ---- all vectors of a call ---- */

/* Multiplies rows, chunks, ... from .. end-1 of a format by the vectors of one slab. `variant` is the
 * argument of slab_each(), a constant of the format. */
typedef void slab_fn(const tulle__call_many *c, const slab *s, int64_t from, int64_t end, int regs,
                     int span, int variant);

/* If there are more vectors than the registers hold, the part of the matrix is read again, from the
 * cache. If k is not a multiple of VLEN, the remaining vectors take another pass with one register. A
 * short row of X is loaded with its own width, since a whole register would reach into the next cache
 * line. `most`: registers at a time, at most MOST_REGS. */
TULLE_INLINE void slab_each(const tulle__call_many *c, slab_fn *fn, int64_t from, int64_t end,
                            int most, int variant)
{
	for (int64_t v = 0; v < c->k;) {
		const int64_t left = c->k - v;
		const slab s = slab_at(c, v, left < VLEN ? left : VLEN);

		if (most >= 8 && left >= 8 * VLEN) {
			fn(c, &s, from, end, 8, SPAN_FULL, variant);
			v += 8 * VLEN;
		} else if (most >= 4 && left >= 4 * VLEN) {
			fn(c, &s, from, end, 4, SPAN_FULL, variant);
			v += 4 * VLEN;
		} else if (most >= 2 && left >= 2 * VLEN) {
			fn(c, &s, from, end, 2, SPAN_FULL, variant);
			v += 2 * VLEN;
		} else if (left >= VLEN) {
			fn(c, &s, from, end, 1, SPAN_FULL, variant);
			v += VLEN;
		} else {
			if (VLEN * sizeof(T) > 16 && (size_t)left * sizeof(T) <= 16)
				fn(c, &s, from, end, 1, 16, variant);
			else if (VLEN * sizeof(T) > 32 && (size_t)left * sizeof(T) <= 32)
				fn(c, &s, from, end, 1, 32, variant);
			else
				fn(c, &s, from, end, 1, SPAN_ANY, variant);
			v = c->k;
		}
	}
}

/* ---- split rows ---- */

/* From two rows of k sums per part: add_split_rows() of loops/carries.h for each vector. */
static inline void slab_add_split_rows(const tulle__call_many *c, const tulle__split_row *split,
                                       int64_t splits)
{
	const T *scratch = c->scratch, alpha = factor(c->alpha), beta = factor(c->beta);

	for (int64_t s = 0; s < splits; s++) {
		T *y = (T *)c->y + split[s].row * c->ldy;

		for (int64_t v = 0; v < c->k; v++) {
			T sum = scratch[(2 * split[s].first + 1) * c->k + v];

			for (int64_t p = split[s].first + 1; p <= split[s].last; p++)
				sum += scratch[2 * p * c->k + v];
			sum = sscale(alpha, sum);
			y[v] = beta == 0 ? sum : sscale_add(beta, y[v], sum);
		}
	}
}

#endif
