/* sell_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in SELL-C-sigma, X and Y
 * row-major: a lane is a vector here, not a row, but each row is summed in the same order as by
 * sell_kernels.c, with the same bits.
 *
 * scratch: two rows of k sums per piece. */
#include "core/kernel.h"
#include "formats/sell/sell.h"
#include "loops/csr_row.h"
#include "loops/many.h"
#include "loops/many_chunk.h"
#include "loops/many_row.h"

/* ---- chunks ---- */

TULLE_INLINE void chunks(const tulle__call_many *call, const slab *s, int64_t c, int64_t end,
                         int regs, int span, int variant)
{
	const sell_data *a = call->data;
	const int height = a->height;
	chunk_bite bite;

	(void)variant;
	for (; c < end; c++) {
		const sell_chunk *chunk = a->chunk + c;
		const int64_t lane = c * height;
		const size_t value = coded_size(a->code.class);
		const many_chunk view = { { &a->code, (const char *)a->val + (size_t)chunk->base * value,
			                        a->col + chunk->col, chunk->columns, height,
			                        a->scale ? a->scale + c : NULL },
			                      chunk->full,
			                      chunk->width,
			                      a->length + lane };
		slab from = *s;
		row_sums sum[SELL_TALLEST];

		from.x += chunk->origin * s->ldx;
		chunk_sums(&view, &bite, &from, sum, regs, span);
		for (int r = 0; r < height && r < chunk->lanes; r++)
			slab_end_row(s, a->row[lane + r], sum[r], regs, span);
	}
}

/* ---- long rows ---- */

/* VLEN consecutive nonzeros, `turns` times, `stride` apart: lane[l] gets nonzero l of each. */
TULLE_INLINE void take_turns(const slab *s, plain of, int64_t turns, int stride, vec *lane)
{
	vec own[VLEN];

#pragma GCC unroll 16
	for (int l = 0; l < VLEN; l++)
		own[l] = lane[l];
	for (; turns > 0; turns--, of.val += stride, of.col += stride) {
#pragma GCC unroll 16
		for (int l = 0; l < VLEN; l++)
			slab_step(s, &own[l], of.val + l, of.col[l], 1, SPAN_ANY, 0);
	}
#pragma GCC unroll 16
	for (int l = 0; l < VLEN; l++)
		lane[l] = own[l];
}

/* One register of sums of n nonzeros, with the bits that vsum(row_view_lanes()) gives each vector alone:
 * there nonzero i belongs to lane i % VLEN, of one chain or of four, and the lanes are added up at
 * the end. Here each of those lanes is a register: the chains are processed in turn, in blocks that stay
 * in the L1 cache. */
static vec long_row(const slab *s, const encoded *from, int64_t n, decode_buffer *buffer)
{
	enum { TURN = ROW_CHAINS * VLEN, BITE = 16 * TURN };
	_Static_assert((int)BITE <= (int)DECODED_MOST && (int)ROW_LONG <= (int)DECODED_MOST,
	               "what is processed at a time is decoded at a time");
	vec lane[TURN];
	T of[VLEN][VLEN], own[VLEN], sum[VLEN];
	int64_t i = 0;
	plain rest;

	for (int l = 0; l < TURN; l++)
		lane[l] = vzero();
	if (n >= ROW_LONG) {
		for (; i + TURN <= n; i += BITE) {
			const int64_t turns = (n - i < BITE ? n - i : BITE) / TURN;
			const plain all = decode(from, i, turns * TURN, buffer);

			for (int c = 0; c < TURN; c += VLEN)
				take_turns(s, (plain){ all.val + c, all.col + c }, turns, TURN, lane + c);
		}
		for (int l = 0; l < VLEN; l++)
			lane[l] =
			    vadd(vadd(lane[l], lane[VLEN + l]), vadd(lane[2 * VLEN + l], lane[3 * VLEN + l]));
		i = n / TURN * TURN;
	}
	rest = decode(from, i, n - i, buffer);
	n -= i;
	take_turns(s, rest, n / VLEN, VLEN, lane);
	i = n / VLEN * VLEN;
	for (int l = 0; i < n && l < VLEN; l++)
		if (i + l < n)
			slab_step(s, &lane[l], rest.val + i + l, rest.col[i + l], 1, SPAN_ANY, 0);
		else if (from->code->class == TULLE__OWN)
			lane[l] = vfma(vzero(), vzero(), lane[l]); /* as row_tail() does for a masked lane */
	for (int l = 0; l < VLEN; l++)
		vstore(of[l], lane[l]);
	for (int v = 0; v < VLEN; v++) {
		for (int l = 0; l < VLEN; l++)
			own[l] = of[l][v];
		sum[v] = vsum(vload(own));
	}
	return vload(sum);
}

static void pieces(const tulle__call_many *c, int64_t part)
{
	const sell_data *a = c->data;
	decode_buffer buffer;

	for (int64_t p = a->piece_cut[part]; p < a->piece_cut[part + 1]; p++) {
		const sell_piece piece = a->piece[p];
		const size_t value = coded_size(a->code.class);
		const encoded from = { &a->code,
			                   (const char *)a->val + (size_t)piece.base * value,
			                   a->col + piece.col,
			                   piece.columns,
			                   1,
			                   a->scale ? a->scale + a->chunks + p : NULL };

		for (int64_t v = 0; v < c->k; v += VLEN) {
			slab s = slab_at(c, v, c->k - v < VLEN ? c->k - v : VLEN);
			vec sum;

			s.x += piece.origin * s.ldx;
			sum = long_row(&s, &from, piece.length, &buffer);
			if (piece.whole)
				slab_end_row(&s, piece.row, &sum, 1, SPAN_ANY);
			else
				slab_keep(c, &s, 2 * p + (piece.skip == 0), &sum, 1, SPAN_ANY);
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
		slab_each(c, chunks, a->cut[part], a->cut[part + 1], MANY_REGS, 0);
	else
		pieces(c, part - a->chunk_parts);
}

TULLE_KERNELS_WITHOUT_GATHERS(sell_many) = {
	{ "many", { any_part, add_pieces } },
};
