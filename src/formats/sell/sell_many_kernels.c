/* sell_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in SELL-C-sigma, X and Y
 * row-major: a lane is a vector here, not a row, but each row is summed in the same order as by
 * sell_kernels.c, with the same bits.
 *
 * scratch: two rows of k sums per piece. */
#include "core/kernel.h"
#include "formats/sell/sell.h"
#include "loops/columns.h"
#include "loops/many.h"
#include "loops/prefetch.h"

/* ---- chunks ---- */

enum { MOST_ROWS = 8, WIDE = VLEN * sizeof(T) == 64 };

typedef vec row_sums[MANY_REGS];

/* One chunk. A list has one column, or one value, for all rows of a step. */
typedef struct {
	int height, full, width;
	const int32_t *length;
	const T *val;
	const uint16_t *col;
	column_kind columns;
} chunk_view;

/* Nonzero n of the chunk, in row r at a step. */
TULLE_INLINE int64_t column(const chunk_view *c, int64_t n, int r, column_kind columns)
{
	const C *far = (const C *)(const void *)c->col;

	return columns == COLUMNS_NEAR  ? c->col[n]
	       : columns == COLUMNS_FAR ? far[n]
	                                : far[n / c->height] + r;
}

TULLE_INLINE const T *value(const chunk_view *c, int64_t n)
{
	return c->val + (c->columns == COLUMNS_STENCIL ? n / c->height : n);
}

/* Steps that all rows have: `rows` at a time, as many as keep their sums in registers. */
TULLE_INLINE void full_steps(const chunk_view *c, column_kind columns, const slab *s, row_sums *sum,
                             int rows, int regs, int full)
{
	for (int first = 0; first < c->height; first += rows) {
		row_sums own[MOST_ROWS];
		int64_t at = first;

#pragma GCC unroll 8
		for (int r = 0; r < rows; r++)
			slab_zero(own[r], regs);
		for (int n = 0; n < c->full; n++, at += c->height) {
			prefetch_ahead(c->val + at, sizeof *c->val);
			prefetch_columns(c->col, at, columns);
#pragma GCC unroll 8
			for (int r = 0; r < rows; r++)
				slab_step(s, own[r], value(c, at + r), column(c, at + r, first + r, columns), regs,
				          full, 0);
		}
#pragma GCC unroll 8
		for (int r = 0; r < rows; r++) {
#pragma GCC unroll 4
			for (int v = 0; v < regs; v++)
				sum[first + r][v] = own[r][v];
		}
	}
}

/* Steps that only the first rows have. */
TULLE_INLINE void ragged_steps(const chunk_view *c, column_kind columns, const slab *s,
                               row_sums *sum, int regs, int full)
{
	int64_t at = (int64_t)c->full * c->height;
	int lanes = c->height;

	for (int n = c->full; n < c->width; n++, at += lanes) {
		while (c->length[lanes - 1] <= n)
			lanes--;
		for (int r = 0; r < lanes; r++)
			slab_step(s, sum[r], c->val + at + r, column(c, at + r, r, columns), regs, full, 0);
	}
}

TULLE_INLINE void all_steps(const chunk_view *c, column_kind columns, const slab *s, row_sums *sum,
                            int regs, int full)
{
	if (WIDE && regs <= 2 && c->height % 8 == 0)
		full_steps(c, columns, s, sum, 8, regs, full);
	else
		full_steps(c, columns, s, sum, WIDE || regs <= 2 ? 4 : 2, regs, full);
	if (c->full < c->width)
		ragged_steps(c, columns, s, sum, regs, full);
}

TULLE_INLINE void chunks(const void *data, const slab *s, int64_t c, int64_t end, int regs,
                         int full, int ones)
{
	const sell_data *a = data;

	(void)ones;
	for (; c < end; c++) {
		const sell_chunk *chunk = a->chunk + c;
		const int64_t lane = c * a->height;
		const chunk_view view = { a->height,
			                      chunk->full,
			                      chunk->width,
			                      a->length + lane,
			                      (const T *)a->val + chunk->base,
			                      a->col + chunk->col,
			                      chunk->columns };
		slab from = *s;
		row_sums sum[SELL_TALLEST];

		from.x += chunk->origin * s->ldx;
		if (chunk->columns == COLUMNS_FAR)
			all_steps(&view, COLUMNS_FAR, &from, sum, regs, full);
		else if (chunk->columns == COLUMNS_NEAR)
			all_steps(&view, COLUMNS_NEAR, &from, sum, regs, full);
		else
			all_steps(&view, COLUMNS_STRIPS, &from, sum, regs, full);
		for (int r = 0; r < view.height && r < chunk->lanes; r++)
			slab_end_row(s, a->row[lane + r], sum[r], regs, full);
	}
}

/* ---- long rows ---- */

static void pieces(const tulle__call_many *c, int64_t part)
{
	const sell_data *a = c->data;

	for (int64_t p = a->piece_cut[part]; p < a->piece_cut[part + 1]; p++) {
		const sell_piece piece = a->piece[p];
		const T *val = (const T *)a->val + piece.base;
		const C *col = (const C *)(const void *)(a->col + piece.col);

		for (int64_t v = 0; v < c->k; v += VLEN) {
			const slab s = slab_at(c, v, c->k - v < VLEN ? c->k - v : VLEN);
			const vec sum = slab_row(&s, val, col, piece.length);

			if (piece.whole)
				slab_end_row(&s, piece.row, &sum, 1, 0);
			else
				slab_store(&s, (T *)c->scratch + (2 * p + (piece.skip == 0)) * c->k + v, 0, sum, 1,
				           0);
		}
	}
}

static void add_pieces(const void *arg, int64_t part)
{
	const tulle__call_many *c = arg;
	const sell_data *a = c->data;

	(void)part;
	slab_add_split_rows(c, a->split, a->splits);
}

static void any_part(const void *arg, int64_t part)
{
	const tulle__call_many *c = arg;
	const sell_data *a = c->data;

	if (part < a->chunk_parts)
		slab_each(c, chunks, a, a->cut[part], a->cut[part + 1], 0);
	else
		pieces(c, part - a->chunk_parts);
}

TULLE_KERNELS(sell_many) = {
	{ "many", { any_part, add_pieces } },
};
