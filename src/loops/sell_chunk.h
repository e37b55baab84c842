/* sell_chunk.h -- the rows of one SELL chunk times x, one row per lane.
 *
 * Included by kernel files only, after core/kernel.h. `height`, `columns` and `class` are constants
 * at every call. */
#ifndef TULLE_LOOPS_SELL_CHUNK_H
#define TULLE_LOOPS_SELL_CHUNK_H

#include "core/kernel.h"
#include "loops/coded.h"
#include "loops/columns.h"

/* Vectors for `height` rows. */
#define SELL_VECTORS(height) (((height) + VLEN - 1) / VLEN)

/* One chunk. Row lengths do not increase from lane to lane: steps 0 .. full-1 hold one nonzero of
 * each lane, steps full .. width-1 only those of the first lanes, contiguously. */
typedef struct {
	int32_t full, width;
	const int32_t *length;
	const uint16_t *col;
	const T *x; /* added to every column */
	coded val;
} sell_view;

/* The nonzeros from slot `at` on. */
TULLE_INLINE vec sell_gather(const sell_view *c, int64_t at, column_kind columns)
{
	return columns == COLUMNS_NEAR ? vgather_near(c->x, c->col + at)
	                               : vgather(c->x, (const C *)(const void *)c->col + at);
}

TULLE_INLINE vec sell_gather_first(const sell_view *c, int64_t at, column_kind columns, vmask m)
{
	return columns == COLUMNS_NEAR ? vgather_near_first(c->x, c->col + at, m)
	                               : vgather_first(c->x, (const C *)(const void *)c->col + at, m);
}

/* One more nonzero for each of the first `lanes` rows. */
TULLE_INLINE void sell_some(const sell_view *c, int64_t at, int lanes, int height,
                            column_kind columns, tulle__value_class class, vec *sum)
{
	for (int v = 0; v < SELL_VECTORS(height) && v * VLEN < lanes; v++, at += VLEN) {
		const int rest = lanes - v * VLEN;
		const vmask m = vfirst(rest < VLEN ? rest : VLEN);

		sum[v] =
		    coded_fma_first(&c->val, at, sell_gather_first(c, at, columns, m), sum[v], class, m);
	}
}

TULLE_INLINE void sell_prefetch(const sell_view *c, int64_t at, column_kind columns,
                                tulle__value_class class)
{
	coded_prefetch(&c->val, at, class);
	prefetch_columns(c->col, at, columns);
}

TULLE_INLINE void sell_all(const sell_view *c, int64_t at, int height, column_kind columns,
                           tulle__value_class class, vec *sum)
{
	if (height % VLEN != 0) {
		sell_some(c, at, height, height, columns, class, sum);
		return;
	}
#pragma GCC unroll 32
	for (int v = 0; v < SELL_VECTORS(height); v++, at += VLEN) {
		sell_prefetch(c, at, columns, class);
		sum[v] = coded_fma(&c->val, at, sell_gather(c, at, columns), sum[v], class);
	}
}

/* Adds to the sums of all rows of a chunk with consecutive columns in each step: one index gives all of them,
 * and x is read without a gather. With `code`, a step also has a single value. The only stream is that of the
 * values, which the hardware prefetches better than software. */
TULLE_INLINE void sell_strips(const sell_view *c, int height, tulle__value_class class,
                              const tulle__value_code *code, vec *sum)
{
	const int32_t *first = (const int32_t *)(const void *)c->col;

	for (int32_t step = 0; step < c->width; step++) {
		const T *x = c->x + first[step];
		const int64_t at = (int64_t)step * height;
		const vec all = code ? coded_set(&c->val, step, class, code) : vzero();

#pragma GCC unroll 32
		for (int v = 0; v < SELL_VECTORS(height); v++) {
			const int rest = height - v * VLEN;
			const vec xs =
			    rest < VLEN ? vload_first(x + v * VLEN, vfirst(rest)) : vload(x + v * VLEN);

			sum[v] =
			    code ? vfma(all, xs, sum[v]) : coded_fma(&c->val, at + v * VLEN, xs, sum[v], class);
		}
	}
}

/* Adds to the sums of all rows of a chunk. */
TULLE_INLINE void sell_sums(const sell_view *c, int height, column_kind columns,
                            tulle__value_class class, vec *sum)
{
	int lanes = height;
	int64_t at = 0;

	for (int32_t step = 0; step < c->full; step++, at += height)
		sell_all(c, at, height, columns, class, sum);
	for (int32_t step = c->full; step < c->width; step++, at += lanes) {
		while (c->length[lanes - 1] <= step)
			lanes--;
		sell_some(c, at, lanes, height, columns, class, sum);
	}
}

#endif
