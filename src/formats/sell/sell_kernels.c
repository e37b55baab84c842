/* sell_kernels.c -- y = alpha A x + beta b, A in SELL-C-sigma: chunks with one row per lane, each
 * summed in stored order; and long rows, one by one. */
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

TULLE_INLINE void chunks(const tulle__call *call, int64_t part, int height,
                         tulle__value_class class)
{
	const sell_data *a = call->data;
	const target to = target_of(call);

	for (int64_t c = a->cut[part]; c < a->cut[part + 1]; c++) {
		const sell_chunk chunk = a->chunk[c];
		const sell_view view = { chunk.full,
			                     chunk.width,
			                     a->length + c * height,
			                     a->col + chunk.col,
			                     (const T *)call->x + chunk.origin,
			                     coded_scaled(coded_from(&a->code, a->val, chunk.base, class),
			                                  a->scale, c, class) };
		vec sum[SELL_VECTORS(SELL_TALLEST)];

		for (int v = 0; v < SELL_VECTORS(height); v++)
			sum[v] = vzero();
		switch (chunk.columns) {
		case COLUMNS_FAR: sell_sums(&view, height, COLUMNS_FAR, class, sum); break;
		case COLUMNS_NEAR: sell_sums(&view, height, COLUMNS_NEAR, class, sum); break;
		case COLUMNS_STRIPS: sell_strips(&view, height, class, NULL, sum); break;
		case COLUMNS_STENCIL: sell_strips(&view, height, class, &a->code, sum); break;
		}
		store_chunk(&to, &chunk, a->row + c * height, sum, height);
	}
}

/* ---- long rows ---- */

/* scratch: two sums per piece, as described in core/split.h. */
TULLE_INLINE void pieces_of(const tulle__call *call, int64_t part, tulle__value_class class)
{
	const sell_data *a = call->data;
	const target to = target_of(call);
	T *scratch = call->scratch;

	for (int64_t p = a->piece_cut[part]; p < a->piece_cut[part + 1]; p++) {
		const sell_piece piece = a->piece[p];
		const row_view row = { coded_scaled(coded_from(&a->code, a->val, piece.base, class),
			                                a->scale, a->chunks + p, class),
			                   a->col + piece.col, (const T *)call->x + piece.origin };
		const T sum = vsum(piece.columns == COLUMNS_FAR
		                       ? row_view_lanes(&row, piece.length, COLUMNS_FAR, class)
		                   : piece.columns == COLUMNS_NEAR
		                       ? row_view_lanes(&row, piece.length, COLUMNS_NEAR, class)
		                       : row_view_lanes(&row, piece.length, COLUMNS_STRIPS, class));

		if (piece.whole)
			store(&to, piece.row, sum);
		else
			scratch[2 * p + (piece.skip == 0)] = sum;
	}
}

/* Not inlined: one copy serves the chunks of every height. */
static __attribute__((noinline)) void pieces(const tulle__call *call, int64_t part)
{
	const sell_data *a = call->data;

	switch (a->code.class) {
	case TULLE__OWN: pieces_of(call, part, TULLE__OWN); break;
	case TULLE__SINGLE:
		if (HAS_SINGLE)
			pieces_of(call, part, TULLE__SINGLE);
		break;
	case TULLE__TABLE:
		if (HAS_TABLE)
			pieces_of(call, part, TULLE__TABLE);
		break;
	case TULLE__ONES: pieces_of(call, part, TULLE__ONES); break;
	case TULLE__BF16:
		if (HAS_HALVES)
			pieces_of(call, part, TULLE__BF16);
		break;
	case TULLE__F16:
		if (HAS_HALVES)
			pieces_of(call, part, TULLE__F16);
		break;
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

	if (part >= a->chunk_parts) {
		pieces(call, part - a->chunk_parts);
		return;
	}
	switch (a->code.class) {
	case TULLE__OWN: chunks(call, part, height, TULLE__OWN); break;
	case TULLE__SINGLE:
		if (HAS_SINGLE)
			chunks(call, part, height, TULLE__SINGLE);
		break;
	case TULLE__TABLE:
		if (HAS_TABLE)
			chunks(call, part, height, TULLE__TABLE);
		break;
	case TULLE__ONES: chunks(call, part, height, TULLE__ONES); break;
	case TULLE__BF16:
		if (HAS_HALVES)
			chunks(call, part, height, TULLE__BF16);
		break;
	case TULLE__F16:
		if (HAS_HALVES)
			chunks(call, part, height, TULLE__F16);
		break;
	}
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
