/* sell_chunk.h -- the rows of one SELL chunk times x, a row in each lane.
 *
 * Included by kernel files only, after core/kernel.h. `height` is a constant at every call. */
#ifndef TULLE_LOOPS_SELL_CHUNK_H
#define TULLE_LOOPS_SELL_CHUNK_H

#include "core/kernel.h"
#include "loops/csr_row.h"

/* Vectors for `height` rows. */
#define SELL_VECTORS(height) (((height) + VLEN - 1) / VLEN)

/* The first `lanes` rows at val[0], val[1], ... take one more nonzero each. */
TULLE_INLINE void sell_some(const T *val, const C *col, const T *x, int lanes, int height, vec *sum)
{
	for (int v = 0; v < SELL_VECTORS(height) && v * VLEN < lanes; v++) {
		const int64_t at = v * VLEN, rest = lanes - at;
		const vmask m = vfirst(rest < VLEN ? rest : VLEN);

		sum[v] = vfma_first(vload_first(val + at, m), vgather_first(x, col + at, m), sum[v], m);
	}
}

TULLE_INLINE void sell_all(const T *val, const C *col, const T *x, int height, vec *sum)
{
	if (height % VLEN != 0) {
		sell_some(val, col, x, height, height, sum);
		return;
	}
#pragma GCC unroll 32
	for (int v = 0; v < SELL_VECTORS(height); v++)
		sum[v] = row_step(val + v * VLEN, col + v * VLEN, x, sum[v], 0);
}

/* Rows never grow from lane to lane, so those that still go on are always the first ones, and
 * their nonzeros lie side by side: a row that is longer than the others costs no memory. */
TULLE_INLINE void sell_ragged(const int32_t *length, int32_t step, int32_t width, const T *val,
                              const C *col, const T *x, int height, vec *sum)
{
	int lanes = height;

	for (; step < width; step++) {
		while (length[lanes - 1] <= step)
			lanes--;
		sell_some(val, col, x, lanes, height, sum);
		val += lanes;
		col += lanes;
	}
}

#endif
