/* csr_row.h -- the dot product of one CSR row, or a piece of one, with x: in one vector, so that
 * the caller may add up the lanes of several rows together.
 *
 * Included by kernel files only, after core/kernel.h. `ones` is a constant at every call: a matrix
 * of ones reads no values at all. */
#ifndef TULLE_LOOPS_CSR_ROW_H
#define TULLE_LOOPS_CSR_ROW_H

#include "core/kernel.h"
#include "loops/prefetch.h"

TULLE_INLINE void row_prefetch(const T *val, const C *col, int ones)
{
	if (!ones)
		prefetch_ahead(val, sizeof *val);
	prefetch_ahead(col, sizeof *col);
}

TULLE_INLINE vec row_step(const T *val, const C *col, const T *x, vec sum, int ones)
{
	row_prefetch(val, col, ones);
	return ones ? vadd(vgather(x, col), sum) : vfma(vload(val), vgather(x, col), sum);
}

/* The lanes beyond n stay out of the sum: they neither read x nor multiply, so an Inf in x cannot
 * reach a row that does not touch it. */
TULLE_INLINE vec row_tail(const T *val, const C *col, const T *x, vec sum, int64_t n, int ones)
{
	const vmask m = vfirst(n);
	const vec xs = vgather_first(x, col, m);

	return ones ? vadd(xs, sum) : vfma(vload_first(val, m), xs, sum);
}

enum {
	ROW_LONG = 32 * VLEN, /* from so many nonzeros on ... */
	ROW_CHAINS = 4        /* ... there are so many accumulators */
};

/* One accumulator: a gather takes longer than the fma it feeds, and every further loop would end in
 * a mispredicted branch of its own. Only very long rows repay four. */
TULLE_INLINE vec row_lanes(const T *val, const C *col, const T *x, int64_t n, int ones)
{
	vec a = vzero();
	int64_t k = 0;

	if (n >= ROW_LONG) {
		vec b = vzero(), c = vzero(), d = vzero();

		for (; k + ROW_CHAINS * VLEN <= n; k += ROW_CHAINS * VLEN) {
			a = row_step(val + k, col + k, x, a, ones);
			b = row_step(val + k + VLEN, col + k + VLEN, x, b, ones);
			c = row_step(val + k + 2 * VLEN, col + k + 2 * VLEN, x, c, ones);
			d = row_step(val + k + 3 * VLEN, col + k + 3 * VLEN, x, d, ones);
		}
		a = vadd(vadd(a, b), vadd(c, d));
	}
	for (; k + VLEN <= n; k += VLEN)
		a = row_step(val + k, col + k, x, a, ones);
	if (k < n)
		a = row_tail(val + k, col + k, x, a, n - k, ones);
	return a;
}

#endif
