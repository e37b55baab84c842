/* coo_rows.h -- segmented sum: entries sorted by rows times x, summed by row.
 *
 * Included by kernel files only, after core/kernel.h. A stretch of entries is multiplied without
 * regard to rows. Then the positions where the row changes are found without a branch, and the
 * terms between them are summed, VLEN rows at a time. Every sum has the terms of its own row only:
 * with differences of prefix sums, one large row would make the others inaccurate. */
#ifndef TULLE_LOOPS_COO_ROWS_H
#define TULLE_LOOPS_COO_ROWS_H

#include "core/kernel.h"
#include "core/split.h"
#include "loops/csr_row.h"
#include "loops/row_sums.h"
#include "loops/store.h"

enum { COO_STRETCH = 512 }; /* entries: their terms and the ends of their rows stay in L1 */

typedef struct {
	const int32_t *row;
	const C *col;
	const T *val, *x;
	const tulle__row_cut *cut;
	T *scratch; /* first and last row of each part (core/split.h) */
	int fill;   /* 1: rows without entries are written as well */
} coo_rows;

/* Entries k .. k+n-1 of one row. */
TULLE_INLINE T coo_sum(const coo_rows *a, int64_t k, int64_t n)
{
	return vsum(row_lanes(a->val + k, a->col + k, a->x, n, 0));
}

/* Products of entries k .. k+n-1; up to VLEN more places of `term` are written. */
TULLE_INLINE void coo_terms(const coo_rows *a, int64_t k, int64_t n, T *term)
{
	int64_t j = 0;
	vmask m;

	for (; j + VLEN <= n; j += VLEN) {
		row_prefetch(a->val + k + j, a->col + k + j, 0);
		vstore(term + j, vmul(vload(a->val + k + j), vgather(a->x, a->col + k + j)));
	}
	m = vfirst(n - j);
	vstore(term + j, vmul(vload_first(a->val + k + j, m), vgather_first(a->x, a->col + k + j, m)));
}

/* ptr[0] = 0, ptr[1], ... are the ends of the rows that end within n entries; returns how many. */
TULLE_INLINE int64_t coo_ends(const int32_t *row, int64_t n, int ends_here, O *ptr)
{
	int64_t count = 0;

	ptr[0] = 0;
	for (int64_t j = 1; j < n; j++) {
		ptr[count + 1] = (O)j;
		count += row[j - 1] != row[j];
	}
	if (ends_here)
		ptr[++count] = (O)n;
	for (int v = 1; v <= VLEN; v++)
		ptr[count + v] = ptr[count]; /* empty, for the last vector of rows */
	return count;
}

/* Rows without entries, from `row` up to `end`. */
TULLE_INLINE void coo_empty(const coo_rows *a, const target *to, int64_t row, int64_t end)
{
	for (; a->fill && row < end; row++)
		store(to, row, 0);
}

/* Sums of `lanes` rows; the row of lane r has its last entry before ptr[r + 1]. Returns the row
 * after the last. */
TULLE_INLINE int64_t coo_store(const coo_rows *a, const target *to, int64_t next,
                               const int32_t *row, const O *ptr, vec sum, int64_t lanes)
{
	const int64_t first = row[ptr[1] - 1], last = row[ptr[lanes] - 1];
	T each[VLEN];

	if (lanes == VLEN && last - first == VLEN - 1) {
		coo_empty(a, to, next, first);
		store_each(to, first, sum);
		return last + 1;
	}
	vstore(each, sum);
	for (int64_t r = 0; r < lanes; r++) {
		const int64_t i = row[ptr[r + 1] - 1];

		coo_empty(a, to, next, i);
		store(to, i, each[r]);
		next = i + 1;
	}
	return next;
}

/* The sum of n terms. */
TULLE_INLINE T coo_rest(const T *term, int64_t n)
{
	vec sum = vzero();
	int64_t j = 0;

	for (; j + VLEN <= n; j += VLEN)
		sum = vadd(sum, vload(term + j));
	return vsum(vadd(sum, vload_first(term + j, vfirst(n - j))));
}

/* y of the rows from `next` on whose entries are k .. end-1; returns the row after the last. */
TULLE_INLINE int64_t coo_whole_rows(const coo_rows *a, const target *to, int64_t next, int64_t k,
                                    int64_t end)
{
	_Alignas(64) T term[COO_STRETCH + STRETCH_SLACK];
	O ptr[COO_STRETCH + VLEN + 1];
	T open = 0; /* of a row that begins in an earlier stretch */

	for (int64_t n; k < end; k += n) {
		const int32_t *row = a->row + k;
		int ends_here;

		n = end - k < COO_STRETCH ? end - k : COO_STRETCH;
		ends_here = k + n == end || row[n - 1] != row[n];
		if (row[0] == row[n - 1]) {
			open += coo_sum(a, k, n);
			if (!ends_here)
				continue;
			coo_empty(a, to, next, row[0]);
			store(to, row[0], open);
			next = row[0] + 1;
			open = 0;
		} else {
			int64_t count;

			coo_terms(a, k, n, term);
			term[0] += open;
			count = coo_ends(row, n, ends_here, ptr);
			for (int64_t s = 0; s < count; s += VLEN)
				next =
				    coo_store(a, to, next, row, ptr + s, sum_rows(stretch_from(term, 0), ptr + s),
				              count - s < VLEN ? count - s : VLEN);
			open = coo_rest(term + ptr[count], n - ptr[count]);
		}
	}
	return next;
}

/* One part: the end of a row begun earlier, whole rows, the beginning of a row. */
TULLE_INLINE void coo_part(const coo_rows *a, const target *to, int64_t part)
{
	const tulle__row_cut from = a->cut[part], until = a->cut[part + 1];
	int64_t k = from.k, end = until.k, next = from.row;

	if (k > 0 && a->row[k - 1] == from.row) {
		const int64_t stop = tulle__first_at_least(a->row, k, end, from.row + 1);

		a->scratch[2 * part] = coo_sum(a, k, stop - k);
		if (from.row == until.row)
			return;
		k = stop;
		next++;
	}
	if (end > k && a->row[end - 1] == until.row) {
		const int64_t begin = tulle__first_at_least(a->row, k, end, until.row);

		a->scratch[2 * part + 1] = coo_sum(a, begin, end - begin);
		end = begin;
	}
	coo_empty(a, to, coo_whole_rows(a, to, next, k, end), until.row);
}

#endif
