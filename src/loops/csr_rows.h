/* csr_rows.h -- rows of a CSR matrix times x, by several loops: y of rows i .. end-1.
 *
 * Included by kernel files only, after core/kernel.h. `columns` and `ones` are constants at every
 * call: columns of type C or of 16 bits, values or none. */
#ifndef TULLE_LOOPS_CSR_ROWS_H
#define TULLE_LOOPS_CSR_ROWS_H

#include "core/kernel.h"
#include "loops/csr_row.h"
#include "loops/row_sums.h"
#include "loops/store.h"

typedef struct {
	const O *row_ptr;
	const void *col;
	const S *val;
	const T *x;
	target to;
} csr_rows;

TULLE_INLINE row_view rows_from_entry(const csr_rows *a, int64_t k, column_kind columns, int ones)
{
	return (row_view){ coded_own(ones ? NULL : a->val + k),
		               columns == COLUMNS_NEAR ? (const void *)((const uint16_t *)a->col + k)
		                                       : (const void *)((const C *)a->col + k),
		               a->x };
}

TULLE_INLINE vec rows_lanes(const csr_rows *a, int64_t k, int64_t end, column_kind columns,
                            int ones)
{
	const row_view r = rows_from_entry(a, k, columns, ones);

	return row_view_lanes(&r, end - k, columns, ones ? TULLE__ONES : TULLE__OWN);
}

/* Entries k .. end-1 of one row. */
TULLE_INLINE T rows_sum(const csr_rows *a, int64_t k, int64_t end, column_kind columns, int ones)
{
	return vsum(rows_lanes(a, k, end, columns, ones));
}

/* One row at a time, VLEN nonzeros at once. */
TULLE_INLINE void rows_vector(const csr_rows *a, int64_t i, int64_t end, column_kind columns,
                              int ones)
{
	for (; i < end; i++)
		store(&a->to, i, rows_sum(a, a->row_ptr[i], a->row_ptr[i + 1], columns, ones));
}

/* VLEN rows at a time, one vector each. Reducing all of them together costs about as many shuffles
 * as reducing two rows separately. */
TULLE_INLINE void rows_together(const csr_rows *a, int64_t i, int64_t end, column_kind columns,
                                int ones)
{
	for (; i + VLEN <= end; i += VLEN) {
		const O *ptr = a->row_ptr + i;
		vec sum[VLEN];

		for (int r = 0; r < VLEN; r++)
			sum[r] = rows_lanes(a, ptr[r], ptr[r + 1], columns, ones);
		store_each(&a->to, i, vsum_each(sum));
	}
	rows_vector(a, i, end, columns, ones);
}

/* ---- strips of short rows ----
 *
 * A gather costs the same for one lane as for all, and a loop over a row of unknown length costs a mispredicted
 * branch. Short rows processed one by one would leave most lanes idle. Therefore consecutive rows are multiplied as
 * one stretch of nonzeros, without regard to where rows end. The products, in the L1 cache, are then summed by row:
 * VLEN rows at a time, in as many masked steps as the longest row needs. */

enum {
	STRIP = 64,     /* rows multiplied as one stretch */
	FLAT = 2 * VLEN /* nonzeros per row: longer rows fill the gathers by themselves */
};

TULLE_INLINE void multiply_stretch(const csr_rows *a, int64_t k, int64_t n, T *product,
                                   column_kind columns, int ones)
{
	const row_view r = rows_from_entry(a, k, columns, ones);
	const S *val = r.val.val;
	int64_t j = 0;

	for (; j + VLEN <= n; j += VLEN) {
		const vec xs = columns == COLUMNS_NEAR ? vgather_near(r.x, (const uint16_t *)r.col + j)
		                                       : vgather(r.x, (const C *)r.col + j);

		row_view_prefetch(&r, j, columns, ones ? TULLE__ONES : TULLE__OWN);
		vstore(product + j, ones ? xs : vmul(load_stored(val + j), xs));
	}
	if (j < n) {
		const vmask m = vfirst(n - j);
		const vec xs = columns == COLUMNS_NEAR
		                   ? vgather_near_first(r.x, (const uint16_t *)r.col + j, m)
		                   : vgather_first(r.x, (const C *)r.col + j, m);

		vstore(product + j, ones ? xs : vmul(load_stored_first(val + j, m), xs));
	}
}

/* Not inlined: otherwise the pointers of the other loops would be spilled from registers. */
static __attribute__((noinline)) void add_strip(const csr_rows *a, int64_t i, int64_t end,
                                                stretch products)
{
	for (; i < end; i += VLEN)
		store_each(&a->to, i, sum_rows(products, a->row_ptr + i));
}

TULLE_INLINE void rows_strips(const csr_rows *a, int64_t i, int64_t end, column_kind columns,
                              int ones)
{
	const O *ptr = a->row_ptr;
	_Alignas(64) T product[STRIP * FLAT + STRETCH_SLACK];

	while (i + VLEN <= end) {
		int64_t j = i;

		while (VLEN > 1 && j + VLEN <= end && j < i + STRIP &&
		       ptr[j + VLEN] - ptr[j] <= FLAT * VLEN)
			j += VLEN;
		if (j > i) {
			multiply_stretch(a, ptr[i], ptr[j] - ptr[i], product, columns, ones);
			add_strip(a, i, j, stretch_from(product, ptr[i]));
		} else {
			j += VLEN;
			rows_together(a, i, j, columns, ones);
		}
		i = j;
	}
	rows_vector(a, i, end, columns, ones);
}

#endif
