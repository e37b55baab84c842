/* sell_kernels.c -- y = alpha A x + beta b, A in SELL-C-sigma: a chunk of rows side by side, each
 * summed in stored order; and long rows by themselves. */
#include "core/kernel.h"
#include "formats/sell/sell.h"
#include "loops/carries.h"
#include "loops/csr_row.h"
#include "loops/sell_chunk.h"
#include "loops/store_rows.h"

TULLE_INLINE void store_chunk(const target *to, const sell_chunk *chunk, const int32_t *row,
                              const vec *sum, int height)
{
	for (int v = 0; v < SELL_VECTORS(height); v++) {
		const int rest = chunk->lanes - v * VLEN;

		if (chunk->first != SELL_SCATTERED && height % VLEN == 0)
			store_each(to, chunk->first + v * VLEN, sum[v]);
		else if (rest > 0)
			store_first_at(to, row + v * VLEN, sum[v], rest < VLEN ? rest : VLEN);
	}
}

TULLE_INLINE void chunks(const tulle__call *call, int64_t part, int height)
{
	const sell_data *a = call->data;
	const target to = target_of(call);

	for (int64_t c = a->cut[part]; c < a->cut[part + 1]; c++) {
		const sell_chunk chunk = a->chunk[c];
		const int32_t *length = a->length + c * height;
		const T *val = (const T *)a->val + chunk.base, *x = call->x;
		const uint16_t *col = a->col + chunk.col;
		vec sum[SELL_VECTORS(SELL_TALLEST)];

		if (chunk.origin == SELL_FAR)
			sell_sums(chunk.full, chunk.width, length, val, col, SELL_FAR_STEP, x, height, sum);
		else
			sell_sums(chunk.full, chunk.width, length, val, col, SELL_NEAR_STEP, x + chunk.origin,
			          height, sum);
		store_chunk(&to, &chunk, a->row + c * height, sum, height);
	}
}

/* ---- long rows ---- */

/* scratch: two sums a piece, as core/split.h wants them. */
static void pieces(const tulle__call *call, int64_t part)
{
	const sell_data *a = call->data;
	const target to = target_of(call);
	T *scratch = call->scratch;

	for (int64_t p = a->piece_cut[part]; p < a->piece_cut[part + 1]; p++) {
		const sell_piece piece = a->piece[p];
		const T *val = (const T *)a->val + piece.base;
		const C *col = (const C *)(const void *)(a->col + piece.col);
		const T sum = vsum(row_lanes(val, col, call->x, piece.length, 0));

		if (piece.whole)
			store(&to, piece.row, sum);
		else
			scratch[2 * p + (piece.skip == 0)] = sum;
	}
}

static void add_pieces(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const sell_data *a = call->data;
	const target to = target_of(call);

	(void)part;
	add_split_rows(&to, call->scratch, a->split, a->splits);
}

/* ---- variants ---- */

TULLE_INLINE void any_part(const void *arg, int64_t part, int height)
{
	const tulle__call *call = arg;
	const sell_data *a = call->data;

	if (part < a->chunk_parts)
		chunks(call, part, height);
	else
		pieces(call, part - a->chunk_parts);
}

static void chunks_of_4(const void *arg, int64_t part)
{
	any_part(arg, part, 4);
}

static void chunks_of_8(const void *arg, int64_t part)
{
	any_part(arg, part, 8);
}

static void chunks_of_16(const void *arg, int64_t part)
{
	any_part(arg, part, 16);
}

static void chunks_of_32(const void *arg, int64_t part)
{
	any_part(arg, part, 32);
}

TULLE_KERNELS(sell) = {
	{ "chunks of 4", { chunks_of_4, add_pieces } },
	{ "chunks of 8", { chunks_of_8, add_pieces } },
	{ "chunks of 16", { chunks_of_16, add_pieces } },
	{ "chunks of 32", { chunks_of_32, add_pieces } },
};
