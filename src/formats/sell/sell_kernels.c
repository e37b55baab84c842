/* sell_kernels.c -- y = alpha A x + beta b, A in SELL-C-sigma: a chunk of rows side by side, each
 * summed in stored order. */
#include "core/kernel.h"
#include "formats/sell/sell.h"
#include "loops/sell_chunk.h"
#include "loops/store.h"

TULLE_INLINE void store_chunk(const target *to, const sell_data *a, int64_t c, int32_t first,
                              const vec *sum, int height)
{
	const int32_t *row = a->row + c * height;
	const int lanes = sell_lanes(a, c);

	for (int v = 0; v < SELL_VECTORS(height); v++) {
		T each[VLEN];

		if (first != SELL_SCATTERED && height % VLEN == 0) {
			store_each(to, first + v * VLEN, sum[v]);
			continue;
		}
		vstore(each, sum[v]);
		for (int r = 0; r < VLEN && v * VLEN + r < lanes; r++)
			store(to, row[v * VLEN + r], each[r]);
	}
}

TULLE_INLINE void chunks(const void *arg, int64_t part, int height)
{
	const tulle__call *call = arg;
	const sell_data *a = call->data;
	const target to = target_of(call);
	const T *x = call->x;

	for (int64_t c = a->cut[part]; c < a->cut[part + 1]; c++) {
		const sell_chunk chunk = a->chunk[c];
		const T *val = (const T *)a->val + chunk.base;
		const C *col = a->col + chunk.base;
		vec sum[SELL_VECTORS(SELL_TALLEST)];

		for (int v = 0; v < SELL_VECTORS(height); v++)
			sum[v] = vzero();
		for (int32_t s = 0; s < chunk.full; s++, val += height, col += height)
			sell_all(val, col, x, height, sum);
		if (chunk.full < chunk.width)
			sell_ragged(a->length + c * height, chunk.full, chunk.width, val, col, x, height, sum);
		store_chunk(&to, a, c, chunk.first, sum, height);
	}
}

static void chunks_of_4(const void *arg, int64_t part)
{
	chunks(arg, part, 4);
}

static void chunks_of_8(const void *arg, int64_t part)
{
	chunks(arg, part, 8);
}

static void chunks_of_16(const void *arg, int64_t part)
{
	chunks(arg, part, 16);
}

static void chunks_of_32(const void *arg, int64_t part)
{
	chunks(arg, part, 32);
}

TULLE_KERNELS(sell) = {
	{ "chunks of 4", { chunks_of_4 } },
	{ "chunks of 8", { chunks_of_8 } },
	{ "chunks of 16", { chunks_of_16 } },
	{ "chunks of 32", { chunks_of_32 } },
};
