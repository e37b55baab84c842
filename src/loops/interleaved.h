/* interleaved.h -- problems of one pattern, interleaved: entry k of problem l is at k * INTERLEAVED + l, in lane l.
 * Elements of x and y are interleaved in the same way. A column is read once for all problems, and x with plain
 * loads.
 *
 * Included by kernel files only, after core/kernel.h. `columns` and `values` are constants at every
 * call. */
#ifndef TULLE_LOOPS_INTERLEAVED_H
#define TULLE_LOOPS_INTERLEAVED_H

#include "core/kernel.h"
#include "loops/columns.h"
#include "loops/store.h"

enum { WOVEN_AHEAD = 2048 }; /* bytes of values between a prefetch and its use (measured) */

/* Number of interleaved problems: tulle__batch_lanes(). */
enum {
	INTERLEAVED = VLEN > 1 ? VLEN : TULLE__PLAIN_BYTES / (int)sizeof(T),
	WOVEN_VECTORS = INTERLEAVED / VLEN
};

typedef enum {
	WOVEN_OWN,
	WOVEN_ONE,
	WOVEN_ONES
} interleaved_values; /* of each problem; of all; none */

typedef struct {
	const O *row_ptr;
	const void *col;
	const T *val;
	const T *x;               /* interleaved */
	vec scale[WOVEN_VECTORS]; /* a real factor of each problem, in all parts of its lane */
	int scaled;
} interleaved_csr;

/* Row i of all problems. */
TULLE_INLINE void interleaved_row(const interleaved_csr *a, int64_t i, column_kind columns,
                                  interleaved_values values, vec *sum)
{
	vec own[WOVEN_VECTORS];

#pragma GCC unroll 8
	for (int v = 0; v < WOVEN_VECTORS; v++)
		own[v] = vzero();
	for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
		const T *x = a->x + (size_t)(columns == COLUMNS_NEAR ? ((const uint16_t *)a->col)[k]
		                                                     : ((const C *)a->col)[k]) *
		                        INTERLEAVED;

#pragma GCC unroll 8
		for (int v = 0; v < WOVEN_VECTORS; v++) {
			const vec xs = vload(x + v * VLEN);

			if (values == WOVEN_OWN)
				__builtin_prefetch(
				    (const void *)((uintptr_t)(a->val + k * INTERLEAVED + v * VLEN) + WOVEN_AHEAD));
			own[v] = values == WOVEN_ONES ? vadd(own[v], xs)
			         : values == WOVEN_ONE
			             ? vfma(vset(a->val[k]), xs, own[v])
			             : vfma(vload(a->val + k * INTERLEAVED + v * VLEN), xs, own[v]);
		}
	}
#pragma GCC unroll 8
	for (int v = 0; v < WOVEN_VECTORS; v++)
		sum[v] = a->scaled ? vmul_parts(a->scale[v], own[v]) : own[v];
}

/* ---- streams ----
 *
 * The hardware prefetches only a few lines ahead of one stream of values. So the rows are cut into
 * ranges, and one row of each range is processed in turn: each range has its own lines in flight. */

enum { STREAMS = 4, FEW_STREAMS = 2, MANY_ROWS = 128 }; /* measured */

/* Stores the sums of rows i .. i+n-1, n <= VLEN. */
typedef struct {
	const target *to; /* interleaved: one; packed: one per lane */
	int lanes, packed;
} interleaved_target;

TULLE_INLINE void interleaved_store(const interleaved_target *t, int64_t i, int64_t n,
                                    vec (*sum)[WOVEN_VECTORS])
{
	for (int v = 0; v < WOVEN_VECTORS; v++) {
		vec turned[VLEN];

		if (!t->packed) {
			const int rest = t->lanes - v * VLEN;

			for (int64_t r = 0; r < n; r++)
				if (rest >= VLEN)
					store_each(t->to, (i + r) * INTERLEAVED + v * VLEN, sum[r][v]);
				else if (rest > 0)
					store_first(t->to, (i + r) * INTERLEAVED + v * VLEN, sum[r][v], rest);
			continue;
		}
		for (int r = 0; r < VLEN; r++)
			turned[r] = r < n ? sum[r][v] : vzero();
		vtranspose(turned);
		for (int l = 0; l < VLEN && v * VLEN + l < t->lanes; l++)
			if (n == VLEN)
				store_each(&t->to[v * VLEN + l], i, turned[l]);
			else
				store_first(&t->to[v * VLEN + l], i, turned[l], n);
	}
}

/* y of rows i .. end-1 of all problems, from `streams` streams. */
TULLE_INLINE void interleaved_streams(const interleaved_csr *a, const interleaved_target *t,
                                      int64_t i, int64_t end, int streams, column_kind columns,
                                      interleaved_values values)
{
	const int64_t each = (end - i) / (streams * VLEN) * VLEN;
	vec sum[STREAMS][VLEN][WOVEN_VECTORS];

	for (int64_t j = i; j < i + each; j += VLEN) {
		for (int r = 0; r < VLEN; r++)
#pragma GCC unroll 4
			for (int s = 0; s < streams; s++)
				interleaved_row(a, j + s * each + r, columns, values, sum[s][r]);
		for (int s = 0; s < streams; s++)
			interleaved_store(t, j + s * each, VLEN, sum[s]);
	}
	for (i += streams * each; i < end; i += VLEN) {
		const int64_t n = end - i < VLEN ? end - i : VLEN;

		for (int64_t r = 0; r < n; r++)
			interleaved_row(a, i + r, columns, values, sum[0][r]);
		interleaved_store(t, i, n, sum[0]);
	}
}

TULLE_INLINE void interleaved_rows(const interleaved_csr *a, const interleaved_target *t, int64_t i,
                                   int64_t end, column_kind columns, interleaved_values values)
{
	if (end - i >= MANY_ROWS)
		interleaved_streams(a, t, i, end, STREAMS, columns, values);
	else
		interleaved_streams(a, t, i, end, FEW_STREAMS, columns, values);
}

/* ---- packed vectors ---- */

/* Interleave the first `lanes` packed vectors of n elements; other lanes are 0. `to` has room for n
 * rounded up to VLEN. */
TULLE_INLINE void weave(const T *const *from, int lanes, int64_t n, T *to)
{
	for (int64_t j = 0; j < n; j += VLEN) {
		const vmask there = vfirst(n - j < VLEN ? n - j : VLEN);

		for (int v = 0; v < WOVEN_VECTORS; v++) {
			vec turned[VLEN];

			for (int l = 0; l < VLEN; l++)
				turned[l] =
				    v * VLEN + l < lanes ? vload_first(from[v * VLEN + l] + j, there) : vzero();
			vtranspose(turned);
			for (int e = 0; e < VLEN; e++)
				vstore(to + (j + e) * INTERLEAVED + v * VLEN, turned[e]);
		}
	}
}

#endif
