/* sell_chunk.h -- the rows of one SELL chunk times x, a row in each lane.
 *
 * Columns are 32 bits wide, or 16-bit offsets from the chunk's first column; x is then given from
 * there on. Included by kernel files only, after core/kernel.h. `height` and `units` are constants
 * at every call. */
#ifndef TULLE_LOOPS_SELL_CHUNK_H
#define TULLE_LOOPS_SELL_CHUNK_H

#include "core/kernel.h"
#include "loops/prefetch.h"

/* Vectors for `height` rows. */
#define SELL_VECTORS(height) (((height) + VLEN - 1) / VLEN)

/* Units of col for one column. */
enum { SELL_NEAR_STEP = 1, SELL_FAR_STEP = 2 };

/* Columns as they are needed by one step: the next `height` of them begin `height * units` later. */
TULLE_INLINE vec sell_gather(const T *x, const uint16_t *col, int units)
{
	return units == SELL_NEAR_STEP ? vgather_near(x, col)
	                               : vgather(x, (const C *)(const void *)col);
}

TULLE_INLINE vec sell_gather_first(const T *x, const uint16_t *col, int units, vmask m)
{
	return units == SELL_NEAR_STEP ? vgather_near_first(x, col, m)
	                               : vgather_first(x, (const C *)(const void *)col, m);
}

/* The first `lanes` rows at val[0], val[1], ... take one more nonzero each. */
TULLE_INLINE void sell_some(const T *val, const uint16_t *col, int units, const T *x, int lanes,
                            int height, vec *sum)
{
	for (int v = 0; v < SELL_VECTORS(height) && v * VLEN < lanes; v++) {
		const int64_t at = v * VLEN, rest = lanes - at;
		const vmask m = vfirst(rest < VLEN ? rest : VLEN);
		const vec xs = sell_gather_first(x, col + at * units, units, m);

		sum[v] = vfma_first(vload_first(val + at, m), xs, sum[v], m);
	}
}

TULLE_INLINE void sell_prefetch(const T *val, const uint16_t *col, int units)
{
	prefetch_ahead(val, sizeof *val);
	prefetch_ahead(col, sizeof *col * (size_t)units);
}

TULLE_INLINE void sell_all(const T *val, const uint16_t *col, int units, const T *x, int height,
                           vec *sum)
{
	if (height % VLEN != 0) {
		sell_some(val, col, units, x, height, height, sum);
		return;
	}
#pragma GCC unroll 32
	for (int v = 0; v < SELL_VECTORS(height); v++) {
		const uint16_t *at = col + v * VLEN * units;

		sell_prefetch(val + v * VLEN, at, units);
		sum[v] = vfma(vload(val + v * VLEN), sell_gather(x, at, units), sum[v]);
	}
}

/* Sums of all rows of a chunk. Rows never grow from lane to lane, so those that go on after step
 * `full` are always the first ones, and their nonzeros lie side by side. */
TULLE_INLINE void sell_sums(int32_t full, int32_t width, const int32_t *length, const T *val,
                            const uint16_t *col, int units, const T *x, int height, vec *sum)
{
	int lanes = height;

	for (int v = 0; v < SELL_VECTORS(height); v++)
		sum[v] = vzero();
	for (int32_t step = 0; step < full; step++, val += height, col += height * units)
		sell_all(val, col, units, x, height, sum);
	for (int32_t step = full; step < width; step++, val += lanes, col += lanes * units) {
		while (length[lanes - 1] <= step)
			lanes--;
		sell_some(val, col, units, x, lanes, height, sum);
	}
}

#endif
