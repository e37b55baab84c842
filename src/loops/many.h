/* many.h -- several vectors at once, X and Y row-major: a lane is a vector, and one row of X is a
 * few contiguous registers.
 *
 * Included by kernel files only, after core/kernel.h. `regs` (1 .. MANY_REGS), `full` and `ones` are
 * constants at every call. */
#ifndef TULLE_LOOPS_MANY_H
#define TULLE_LOOPS_MANY_H

#include "core/kernel.h"
#include "core/split.h"
#include "loops/csr_row.h"

enum { MANY_REGS = 4, MANY_LANES = MANY_REGS * VLEN };

/* regs*VLEN neighbouring vectors of one call; fewer in the last register unless it is full. */
typedef struct {
	const T *x;
	T *y;
	int64_t ldx, ldy;
	T alpha, beta;
	vmask last;
} slab;

TULLE_INLINE slab slab_at(const tulle__call_many *c, int64_t v, int64_t last)
{
	return (slab){ (const T *)c->x + v, (T *)c->y + v,   c->ldx,      c->ldy,
		           factor(c->alpha),    factor(c->beta), vfirst(last) };
}

/* ---- registers of one row ---- */

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
TULLE_INLINE void slab_step(const slab *s, vec *sum, const S *a, int64_t j, int regs, int full,
                            int ones)
{
	const T *row = s->x + j * s->ldx;

#pragma GCC unroll 4
	for (int r = 0; r < regs; r++) {
		const vec xs = slab_load(s, row, r, regs, full);

		sum[r] = ones ? vadd(xs, sum[r]) : vfma(vset(widen(*a)), xs, sum[r]);
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

/* VLEN nonzeros that follow each other, `turns` times, `stride` apart: lane[l] takes number l. */
TULLE_INLINE void slab_turns(const slab *s, const S *val, const C *col, int64_t turns, int stride,
                             vec *lane)
{
	vec own[VLEN];

#pragma GCC unroll 16
	for (int l = 0; l < VLEN; l++)
		own[l] = lane[l];
	for (; turns > 0; turns--, val += stride, col += stride) {
		row_prefetch(val, col, 0);
#pragma GCC unroll 16
		for (int l = 0; l < VLEN; l++)
			slab_step(s, &own[l], val + l, col[l], 1, 0, 0);
	}
#pragma GCC unroll 16
	for (int l = 0; l < VLEN; l++)
		lane[l] = own[l];
}

/* One register of sums of n nonzeros, with the bits that vsum(row_lanes()) gives each vector alone:
 * there nonzero i belongs to lane i % VLEN, of one chain or of four, and the lanes are added up at
 * the end. Here each of those lanes is a register: the chains take turns, in bites that stay in the
 * L1 cache. */
TULLE_INLINE vec slab_row(const slab *s, const S *val, const C *col, int64_t n)
{
	enum { TURN = ROW_CHAINS * VLEN, BITE = 16 * TURN };
	vec lane[TURN];
	T of[VLEN][VLEN], own[VLEN], sum[VLEN];
	int64_t i = 0;

	for (int l = 0; l < TURN; l++)
		lane[l] = vzero();
	if (n >= ROW_LONG) {
		for (; i + TURN <= n; i += BITE) {
			const int64_t turns = (n - i < BITE ? n - i : BITE) / TURN;

			for (int c = 0; c < TURN; c += VLEN)
				slab_turns(s, val + i + c, col + i + c, turns, TURN, lane + c);
		}
		for (int l = 0; l < VLEN; l++)
			lane[l] =
			    vadd(vadd(lane[l], lane[VLEN + l]), vadd(lane[2 * VLEN + l], lane[3 * VLEN + l]));
		i = n / TURN * TURN;
	}
	slab_turns(s, val + i, col + i, (n - i) / VLEN, VLEN, lane);
	i += (n - i) / VLEN * VLEN;
	for (int l = 0; i < n && l < VLEN; l++)
		if (i + l < n)
			slab_step(s, &lane[l], val + i + l, col[i + l], 1, 0, 0);
		else
			lane[l] = vfma(vzero(), vzero(), lane[l]); /* what a masked lane does to its sum */
	for (int l = 0; l < VLEN; l++)
		vstore(of[l], lane[l]);
	for (int v = 0; v < VLEN; v++) {
		for (int l = 0; l < VLEN; l++)
			own[l] = of[l][v];
		sum[v] = vsum(vload(own));
	}
	return vload(sum);
}

/* ---- all vectors of a call ---- */

/* Rows, chunks, ... from .. end-1 of a format for the vectors of one slab. */
typedef void slab_fn(const void *data, const slab *s, int64_t from, int64_t end, int regs, int full,
                     int ones);

/* More vectors than MANY_REGS registers hold go through the matrix's part again: it is in the cache
 * by then. */
TULLE_INLINE void slab_each(const tulle__call_many *c, slab_fn *fn, const void *data, int64_t from,
                            int64_t end, int ones)
{
	int64_t v = 0;

	for (; v + MANY_LANES <= c->k; v += MANY_LANES) {
		const slab s = slab_at(c, v, VLEN);

		fn(data, &s, from, end, MANY_REGS, 1, ones);
	}
	const int64_t left = c->k - v, regs = (left + VLEN - 1) / VLEN;
	const int64_t last = left - (regs - 1) * VLEN;
	const slab s = slab_at(c, v, last);

	switch (2 * regs + (last == VLEN)) {
	case 2: fn(data, &s, from, end, 1, 0, ones); break;
	case 3: fn(data, &s, from, end, 1, 1, ones); break;
	case 4: fn(data, &s, from, end, 2, 0, ones); break;
	case 5: fn(data, &s, from, end, 2, 1, ones); break;
	case 6: fn(data, &s, from, end, 3, 0, ones); break;
	case 7: fn(data, &s, from, end, 3, 1, ones); break;
	case 8: fn(data, &s, from, end, 4, 0, ones); break;
	default: break;
	}
}

/* Rows that are cut, from two rows of k sums for each part: add_split_rows() of loops/carries.h,
 * vector by vector. */
static void slab_add_split_rows(const tulle__call_many *c, const tulle__split_row *split,
                                int64_t splits)
{
	const T *scratch = c->scratch, alpha = factor(c->alpha), beta = factor(c->beta);

	for (int64_t s = 0; s < splits; s++) {
		T *y = (T *)c->y + split[s].row * c->ldy;

		for (int64_t v = 0; v < c->k; v++) {
			T sum = scratch[(2 * split[s].first + 1) * c->k + v];

			for (int64_t p = split[s].first + 1; p <= split[s].last; p++)
				sum += scratch[2 * p * c->k + v];
			sum *= alpha;
			y[v] = beta == 0 ? sum : sfma(beta, y[v], sum);
		}
	}
}

#endif
