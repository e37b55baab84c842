/* bsell_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in SELL-C-sigma of b x b blocks,
 * X and Y row-major: a row of X is loaded once for the b values of a block's column. */
#include "core/kernel.h"
#include "formats/bsell/bsell.h"
#include "loops/many.h"
#include "loops/prefetch.h"

/* Below, `b` and `holes` are constants at every call. One register of vectors at a time: each fma needs a
 * broadcast in any case, and a row of X is used for b of them. */

enum { BITE = 128 }; /* steps at a time */

typedef vec block_sums[BSELL_WIDEST];

/* Steps of a chunk: the number of lanes of each, and the number of blocks before it in the
 * chunk. */
typedef struct {
	int64_t before[BITE];
	int32_t lanes[BITE];
	int64_t first; /* of these steps */
} steps_at;

TULLE_INLINE int64_t block_column(const bsell_data *a, const bsell_chunk *chunk, int64_t n)
{
	const uint16_t *col = a->col + chunk->col;

	return chunk->origin == BSELL_FAR ? ((const int32_t *)(const void *)col)[n]
	                                  : chunk->origin + col[n];
}

/* Is slot p of the block in this lane an entry? Masks have 8 or 16 bits. */
TULLE_INLINE unsigned has_place(const bsell_data *a, int64_t p, int lane)
{
	const unsigned bits =
	    sizeof(T) < 8 ? ((const uint16_t *)a->mask)[p] : ((const uint8_t *)a->mask)[p];

	return bits >> lane & 1;
}

/* One block. Holes are skipped. A column of the block beyond the last column of the matrix has only holes,
 * and reads the last row of X instead. */
TULLE_INLINE void add_block(const bsell_data *a, const slab *s, const T *val, int64_t lanes,
                            int64_t j, int64_t mask, int lane, block_sums *sum, int b, int holes,
                            int span)
{
#pragma GCC unroll 6
	for (int c = 0; c < b; c++) {
		const int64_t column = holes && j + c >= a->cols ? a->cols - 1 : j + c;
		const vec xs = slab_load(s, s->x + column * s->ldx, 0, span);

#pragma GCC unroll 6
		for (int r = 0; r < b; r++) {
			const int p = c * b + r;
			const vec all = vset(val[p * lanes]);
			vec *to = &sum[c % 2][r];

			*to = holes ? vfma_lanes(all, xs, *to, vlanes_of(0u - has_place(a, mask + p, lane)))
			            : vfma(all, xs, *to);
		}
	}
}

/* The block row of one lane, which has `count` of the steps. */
TULLE_INLINE void add_steps(const bsell_data *a, const bsell_chunk *chunk, const slab *s,
                            const steps_at *at, int count, int lane, vec *sum, int b, int holes,
                            int span)
{
	const T *base = (const T *)a->val + chunk->base + lane;
	block_sums own[2]; /* of even and odd columns: a block is a chain of b fmas per row */

#pragma GCC unroll 6
	for (int r = 0; r < b; r++) {
		own[0][r] = sum[r];
		own[1][r] = vzero();
	}
	for (int n = 0; n < count; n++) {
		const T *val = base + at->before[n] * b * b;
		const int64_t j = b * block_column(a, chunk, at->before[n] + lane);

		prefetch_ahead(val, sizeof *val);
		add_block(a, s, val, at->lanes[n], j, chunk->mask + (at->first + n) * b * b, lane, own, b,
		          holes, span);
	}
#pragma GCC unroll 6
	for (int r = 0; r < b; r++)
		sum[r] = vadd(own[0][r], own[1][r]);
}

TULLE_INLINE void sum_chunk(const bsell_data *a, const bsell_chunk *chunk, const int32_t *length,
                            const slab *s, block_sums *sum, int height, int b, int holes, int span)
{
	steps_at at;
	int lanes = height;
	int64_t before = 0;

	for (int l = 0; l < height; l++)
		slab_zero(sum[l], b);
	for (int32_t step = 0; step < chunk->width;) {
		at.first = step;
		for (; step < chunk->width && step < at.first + BITE; step++) {
			while (length[lanes - 1] <= step)
				lanes--;
			at.before[step - at.first] = before;
			at.lanes[step - at.first] = lanes;
			before += lanes;
		}
		for (int l = 0; l < height && length[l] > at.first; l++)
			add_steps(a, chunk, s, &at, (int)((length[l] < step ? length[l] : step) - at.first), l,
			          sum[l], b, holes, span);
	}
}

TULLE_INLINE void chunks(const tulle__call_many *call, const slab *s, int64_t c, int64_t end,
                         int regs, int span, int b)
{
	const bsell_data *a = call->data;
	const int height = a->height;

	(void)regs;
	for (; c < end; c++) {
		const bsell_chunk *chunk = &a->chunk[c];
		const int32_t *length = a->length + c * height, *row = a->row + c * height;
		block_sums sum[BSELL_TALLEST];

		if (chunk->mask == BSELL_WHOLE)
			sum_chunk(a, chunk, length, s, sum, height, b, 0, span);
		else
			sum_chunk(a, chunk, length, s, sum, height, b, 1, span);
		for (int l = 0; l < height && l < chunk->lanes; l++)
			for (int r = 0; r < b && row[l] + r < a->rows; r++)
				slab_end_row(s, row[l] + r, &sum[l][r], 1, span);
	}
}

/* ---- variants ---- */

TULLE_INLINE void part_of(const void *arg, int64_t part, int b)
{
	const tulle__call_many *call = arg;
	const bsell_data *a = call->data;

	slab_each(call, chunks, a->cut[part], a->cut[part + 1], 1, b);
}

static void blocks_of_2(const void *arg, int64_t part)
{
	part_of(arg, part, 2);
}

static void blocks_of_3(const void *arg, int64_t part)
{
	part_of(arg, part, 3);
}

static void blocks_of_4(const void *arg, int64_t part)
{
	part_of(arg, part, 4);
}

static void blocks_of_6(const void *arg, int64_t part)
{
	part_of(arg, part, 6);
}

TULLE_KERNELS_WITHOUT_GATHERS(bsell_many) = {
	{ "many, 2x2 blocks", { blocks_of_2 } },
	{ "many, 3x3 blocks", { blocks_of_3 } },
	{ "many, 4x4 blocks", { blocks_of_4 } },
	{ "many, 6x6 blocks", { blocks_of_6 } },
};
