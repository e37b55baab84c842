/* many_row.h -- contiguous nonzeros of one row times several vectors.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_MANY_ROW_H
#define TULLE_LOOPS_MANY_ROW_H

#include "core/kernel.h"
#include "loops/csr_row.h"
#include "loops/many.h"

/* Sums of n nonzeros. Long rows use several chains, since the latency of an fma is that of issuing eight, and
 * prefetch one cache line of values for each one used. The rest of a row is one loop with one mispredicted
 * branch. */
TULLE_INLINE void slab_row(const slab *s, const S *val, const C *col, int64_t n, vec *sum, int regs,
                           int span, int ones)
{
	enum { LINE = 64 / sizeof(T), CHAINS = 4 };
	const int chains = regs == 1 ? CHAINS : regs == MOST_REGS ? 1 : 2;
	vec chain[CHAINS][MOST_REGS];
	int64_t k = 0;

	slab_zero(sum, regs);
	if (n >= LINE) {
#pragma GCC unroll 4
		for (int c = 1; c < chains; c++)
			slab_zero(chain[c], regs);
		for (; k + LINE <= n; k += LINE) {
			row_prefetch(ones ? NULL : val + k, col + k, ones);
#pragma GCC unroll 16
			for (int i = 0; i < LINE; i++)
				slab_step(s, i % chains ? chain[i % chains] : sum, ones ? NULL : val + k + i,
				          col[k + i], regs, span, ones);
		}
		if (chains > 1)
			slab_add(sum, chain[1], regs);
		if (chains == CHAINS) {
			slab_add(chain[2], chain[3], regs);
			slab_add(sum, chain[2], regs);
		}
	}
	for (; k < n; k++)
		slab_step(s, sum, ones ? NULL : val + k, col[k], regs, span, ones);
}

/* The sums of a row, or of a piece of it, into row `to` of scratch: rows of k sums. */
TULLE_INLINE void slab_keep(const tulle__call_many *c, const slab *s, int64_t to, const vec *sum,
                            int regs, int span)
{
	T *row = (T *)c->scratch + to * c->k + (s->y - (T *)c->y);

#pragma GCC unroll 8
	for (int r = 0; r < regs; r++)
		slab_store(s, row, r, sum[r], span);
}

#endif
