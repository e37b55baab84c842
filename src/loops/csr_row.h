/* csr_row.h -- the dot product of a CSR row, or a piece of one, with x. The result is a vector of
 * partial sums, so that the caller can reduce several rows together.
 *
 * Included by kernel files only, after core/kernel.h. `columns`, `class` and `ones` are constants at
 * every call: a matrix of ones reads no values, a row of neighbouring columns no columns. */
#ifndef TULLE_LOOPS_CSR_ROW_H
#define TULLE_LOOPS_CSR_ROW_H

#include "core/kernel.h"
#include "loops/coded.h"
#include "loops/columns.h"

typedef struct {
	coded val;
	const void *col;
	const T *x; /* added to every column */
} row_view;

TULLE_INLINE void row_view_prefetch(const row_view *r, int64_t k, column_kind columns,
                                    tulle__value_class class)
{
	coded_prefetch(&r->val, k, class);
	prefetch_columns(r->col, k, columns);
}

TULLE_INLINE void row_prefetch(const S *val, const C *col, int ones)
{
	if (!ones)
		prefetch_ahead(val, sizeof *val);
	prefetch_ahead(col, sizeof *col);
}

TULLE_INLINE vec row_step(const row_view *r, int64_t k, vec sum, column_kind columns,
                          tulle__value_class class)
{
	const vec xs = columns == COLUMNS_FAR    ? vgather(r->x, (const C *)r->col + k)
	               : columns == COLUMNS_NEAR ? vgather_near(r->x, (const uint16_t *)r->col + k)
	                                         : vload(r->x + k);

	row_view_prefetch(r, k, columns, class);
	return coded_fma(&r->val, k, xs, sum, class);
}

/* The lanes beyond n are masked: they neither read x nor multiply, so an Inf in x does not affect
 * rows without an entry in its column. */
TULLE_INLINE vec row_tail(const row_view *r, int64_t k, vec sum, int64_t n, column_kind columns,
                          tulle__value_class class)
{
	const vmask m = vfirst(n);
	const vec xs = columns == COLUMNS_FAR ? vgather_first(r->x, (const C *)r->col + k, m)
	               : columns == COLUMNS_NEAR
	                   ? vgather_near_first(r->x, (const uint16_t *)r->col + k, m)
	                   : vload_first(r->x + k, m);

	return class == TULLE__OWN ? vfma(coded_load_first(&r->val, k, class, m), xs, sum)
	                           : coded_fma_first(&r->val, k, xs, sum, class, m);
}

enum {
	ROW_LONG = 32 * VLEN, /* a row of at least this many nonzeros ... */
	ROW_CHAINS = 4        /* ... has this many accumulators */
};

/* One accumulator: a gather takes longer than the fma that uses it, and every additional loop would
 * cost a mispredicted branch. Four accumulators pay off only for very long rows. */
TULLE_INLINE vec row_view_lanes(const row_view *r, int64_t n, column_kind columns,
                                tulle__value_class class)
{
	vec a = vzero();
	int64_t k = 0;

	if (n >= ROW_LONG) {
		vec b = vzero(), c = vzero(), d = vzero();

		for (; k + ROW_CHAINS * VLEN <= n; k += ROW_CHAINS * VLEN) {
			a = row_step(r, k, a, columns, class);
			b = row_step(r, k + VLEN, b, columns, class);
			c = row_step(r, k + 2 * VLEN, c, columns, class);
			d = row_step(r, k + 3 * VLEN, d, columns, class);
		}
		a = vadd(vadd(a, b), vadd(c, d));
	}
	for (; k + VLEN <= n; k += VLEN)
		a = row_step(r, k, a, columns, class);
	if (k < n)
		a = row_tail(r, k, a, n - k, columns, class);
	return a;
}

TULLE_INLINE vec row_lanes(const S *val, const C *col, const T *x, int64_t n, int ones)
{
	const row_view r = { coded_own(val), col, x };

	return row_view_lanes(&r, n, COLUMNS_FAR, ones ? TULLE__ONES : TULLE__OWN);
}

#endif
