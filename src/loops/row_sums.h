/* row_sums.h -- sums of contiguous terms in the L1 cache by row: VLEN rows at a time, in as many masked steps as
 * the longest of them needs.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_ROW_SUMS_H
#define TULLE_LOOPS_ROW_SUMS_H

#include "core/kernel.h"

enum {
	FEW_TERMS = 8, /* in a row that is summed term by term */
	STEPS = 4,     /* vectors of the longest row that is summed without a loop */
	STRETCH_SLACK = STEPS * VLEN
};

/* Terms by their index k in the matrix: those of row i begin at term_at(s, ptr[i]). The base is
 * kept as an integer, since a pointer before the first term would be invalid. */
typedef uintptr_t stretch;

/* terms[0] has the number `first`. STRETCH_SLACK elements after the last must be readable. */
TULLE_INLINE stretch stretch_from(const T *terms, O first)
{
	return (stretch)terms - (uintptr_t)first * sizeof(T);
}

TULLE_INLINE const T *term_at(stretch s, O k)
{
	return (const T *)(s + (uintptr_t)k * sizeof(T));
}

/* Sums of VLEN rows of at most `steps` vectors. Lanes beyond the end of a row are masked: they hold
 * terms of the next row, or nothing. */
TULLE_INLINE vec sum_in_steps(stretch terms, const O *ptr, int steps)
{
	vec sum[VLEN];

#pragma GCC unroll 16
	for (int r = 0; r < VLEN; r++) {
		const T *row = term_at(terms, ptr[r]);
		const O n = ptr[r + 1] - ptr[r];

		sum[r] = vload_first(row, vslice(n, 0));
		for (int s = 1; s < steps; s++)
			sum[r] = vadd_first(sum[r], vload(row + s * VLEN), vslice(n, s));
	}
	return vsum_each(sum);
}

static vec sum_long(stretch terms, const O *ptr)
{
	vec sum[VLEN];

	for (int r = 0; r < VLEN; r++) {
		const T *row = term_at(terms, ptr[r]);
		const int64_t n = ptr[r + 1] - ptr[r];
		int64_t j = 0;

		sum[r] = vzero();
		for (; j + VLEN <= n; j += VLEN)
			sum[r] = vadd(sum[r], vload(row + j));
		sum[r] = vadd(sum[r], vload_first(row + j, vfirst(n - j)));
	}
	return vsum_each(sum);
}

/* Lane r is the sum of the terms ptr[r] .. ptr[r+1]-1. */
TULLE_INLINE vec sum_rows(stretch terms, const O *ptr)
{
	const O longest = vlongest(ptr);

	if (longest <= FEW_TERMS && ptr[VLEN] - ptr[0] <= VRUNS)
		return vsum_runs(term_at(terms, ptr[0]), ptr, longest);
	if (longest <= VLEN)
		return sum_in_steps(terms, ptr, 1);
	if (longest <= 2 * VLEN)
		return sum_in_steps(terms, ptr, 2);
	if (longest <= 3 * VLEN)
		return sum_in_steps(terms, ptr, 3);
	if (longest <= STEPS * VLEN)
		return sum_in_steps(terms, ptr, STEPS);
	return sum_long(terms, ptr);
}

#endif
