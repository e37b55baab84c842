/* ell_rows.h -- ELLPACK rows times x, with neighbouring rows in the lanes of a vector.
 *
 * Included by kernel files only, after core/kernel.h. Each row is summed in stored order with one
 * fma per entry, so a row has the same bits in any lane of any width. Padding is 0 times 0: its
 * lanes do not read x, where an Inf would give NaN. */
#ifndef TULLE_LOOPS_ELL_ROWS_H
#define TULLE_LOOPS_ELL_ROWS_H

#include "core/kernel.h"
#include "core/split.h"
#include "loops/store.h"

/* Entry j of row i is at j * lead + i. */
typedef struct {
	int64_t lead, width;
	const int32_t *col; /* -1: padding */
	const T *val;
	const int32_t *length; /* of each row, `lead` of them; NULL: padding is marked by its column */
	const T *x;
} ell_rows;

enum {
	ELL_ABREAST = 8, /* vectors of rows at once, so that gathers overlap (measured: 2, 4, 8) */
	ELL_AHEAD = 2048 /* slots between a prefetch and its use (measured: 1024, 2048) */
};

/* The next entry of a row is `lead` slots away, in another page. If there are more columns than
 * pages that the hardware prefetcher tracks, it fails: the first cage matrix beyond L2 was 2.8
 * times as slow. */
TULLE_INLINE void ell_prefetch(const T *val, const int32_t *col, int64_t rows)
{
	__builtin_prefetch((const void *)((uintptr_t)val + (uintptr_t)rows * sizeof *val));
	__builtin_prefetch((const void *)((uintptr_t)col + (uintptr_t)rows * sizeof *col));
}

/* sum[v]: rows i + v*VLEN and the next VLEN-1, their first `reach` entries. */
TULLE_INLINE void ell_sums(const ell_rows *a, int64_t i, int64_t reach, int vectors, vec *sum)
{
	const int64_t least = vectors * VLEN, rows = ELL_AHEAD / (reach + 1);
	const int64_t ahead = rows > least ? rows : least;
	int64_t at = i;

	for (int v = 0; v < vectors; v++)
		sum[v] = vzero();
	for (int64_t j = 0; j < reach; j++, at += a->lead) {
#pragma GCC unroll 8
		for (int v = 0; v < vectors; v++) {
			const T *val = a->val + at + v * VLEN;
			const int32_t *col = a->col + at + v * VLEN;
			const vlanes there =
			    a->length ? vlonger(a->length + i + v * VLEN, (int32_t)j) : vlonger(col, -1);

			ell_prefetch(val, col, ahead);
			sum[v] = vfma(vload(val), vgather_lanes(a->x, col, there), sum[v]);
		}
	}
}

/* Slots that at least one of n rows uses. */
TULLE_INLINE int64_t ell_reach(const ell_rows *a, int64_t i, int64_t n)
{
	int32_t longest = 0;

	if (!a->length)
		return a->width;
	for (int64_t r = i; r < i + n; r++)
		longest = a->length[r] > longest ? a->length[r] : longest;
	return longest;
}

/* y of one of `parts` equal pieces of the rows. */
TULLE_INLINE void ell_part(const ell_rows *a, const target *to, int64_t rows, int64_t parts,
                           int64_t part)
{
	const int64_t tiles = (rows + TULLE__LANES - 1) / TULLE__LANES;
	const int64_t last = TULLE__LANES * tulle__cut(tiles, parts, part + 1);
	const int64_t end = last < rows ? last : rows;
	int64_t i = TULLE__LANES * tulle__cut(tiles, parts, part);
	vec sum[ELL_ABREAST];

	for (; i + ELL_ABREAST * VLEN <= end; i += ELL_ABREAST * VLEN) {
		ell_sums(a, i, ell_reach(a, i, ELL_ABREAST * VLEN), ELL_ABREAST, sum);
		for (int v = 0; v < ELL_ABREAST; v++)
			store_each(to, i + v * VLEN, sum[v]);
	}
	for (; i < end; i += VLEN) {
		const int64_t n = end - i < VLEN ? end - i : VLEN;

		ell_sums(a, i, ell_reach(a, i, n), 1, sum);
		store_first(to, i, sum[0], n);
	}
}

#endif
