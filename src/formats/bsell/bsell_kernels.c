/* bsell_kernels.c -- y = alpha A x + beta b, A in SELL-C-sigma of b x b blocks: a block row in each
 * lane, b gathers for the b*b values of its block. */
#include "core/kernel.h"
#include "formats/bsell/bsell.h"
#include "loops/prefetch.h"
#include "loops/store_rows.h"

/* `far` and `b` are constants at every call; a chunk reads masks only if it has holes. */

/* Where x begins for VLEN blocks. */
TULLE_INLINE vindex block_columns(const uint16_t *col, int far, int b)
{
	return far ? vindex_far((const int32_t *)(const void *)col, b) : vindex_near(col, b);
}

TULLE_INLINE vec block_values(const T *val)
{
	return vload(val);
}

/* One block in every lane, none with a hole. */
TULLE_INLINE void step_all(const T *val, int height, vindex at, const T *x, int b, vec *sum)
{
#pragma GCC unroll 6
	for (int c = 0; c < b; c++) {
		const vec xs = vgather_at(x + c, at);

#pragma GCC unroll 6
		for (int r = 0; r < b; r++) {
			const T *place = val + (c * b + r) * height;

			prefetch_ahead(place, sizeof *place);
			sum[r] = vfma(block_values(place), xs, sum[r]);
		}
	}
}

/* Some lanes have a block, the others are left alone: `bits` has those of each place. Elements of x
 * that no row of the block wants are not read: they may lie behind its end. */
TULLE_INLINE void step_some(const T *val, int lanes, vindex at, const T *x, const unsigned *bits,
                            int b, vec *sum)
{
#pragma GCC unroll 6
	for (int c = 0; c < b; c++) {
		unsigned any = 0;
		vec xs;

#pragma GCC unroll 6
		for (int r = 0; r < b; r++)
			any |= bits[c * b + r];
		xs = vgather_at_lanes(x + c, at, vlanes_of(any));
#pragma GCC unroll 6
		for (int r = 0; r < b; r++) {
			const T *place = val + (c * b + r) * lanes;

			prefetch_ahead(place, sizeof *place);
			sum[r] = vfma_lanes(block_values(place), xs, sum[r], vlanes_of(bits[c * b + r]));
		}
	}
}

/* The masks of one step, from lane `from` on. */
TULLE_INLINE void step_bits(const bsell_data *a, int64_t mask, int from, int lanes, int b,
                            unsigned *bits)
{
#pragma GCC unroll 36
	for (int p = 0; p < b * b; p++) {
		const unsigned all = mask == BSELL_WHOLE ? (1u << lanes) - 1
		                     : sizeof(T) == 8    ? ((const uint8_t *)a->mask)[mask + p]
		                                         : ((const uint16_t *)a->mask)[mask + p];

		bits[p] = all >> from;
	}
}

/* Sums of the VLEN block rows from lane `from` of a chunk on. */
TULLE_INLINE void sum_lanes(const bsell_data *a, const bsell_chunk *chunk, const int32_t *length,
                            const T *x, int from, int far, int b, vec *sum)
{
	const int units = far ? 2 : 1, whole = chunk->mask == BSELL_WHOLE;
	const T *val = (const T *)a->val + chunk->base;
	const uint16_t *col = a->col + chunk->col;
	int64_t mask = chunk->mask;
	int32_t step = 0;
	int lanes = a->height;

	for (int r = 0; r < b; r++)
		sum[r] = vzero();
	if (whole)
		for (; step < chunk->full; step++, val += b * b * lanes, col += lanes * units) {
			prefetch_ahead(col, sizeof *col);
			step_all(val + from, lanes, block_columns(col + from * units, far, b), x, b, sum);
		}
	for (; step < chunk->width; step++, val += b * b * lanes, col += lanes * units) {
		unsigned bits[BSELL_WIDEST * BSELL_WIDEST];

		while (length[lanes - 1] <= step)
			lanes--;
		if (lanes <= from)
			break;
		step_bits(a, mask, from, lanes, b, bits);
		step_some(val + from, lanes, block_columns(col + from * units, far, b), x, bits, b, sum);
		mask += whole ? 0 : b * b;
	}
}

TULLE_INLINE void store_lanes(const bsell_data *a, const target *to, const bsell_chunk *chunk,
                              const int32_t *row, int n, int b, const vec *sum)
{
	for (int r = 0; r < b; r++) {
		const target at = { to->b + r, to->y + r, to->alpha, to->beta };

		if (chunk->first == BSELL_CUT) {
			T each[VLEN];

			vstore(each, sum[r]);
			for (int l = 0; l < n; l++)
				if (row[l] + r < a->rows)
					store(&at, row[l], each[l]);
		} else {
			store_first_at(&at, row, sum[r], n);
		}
	}
}

TULLE_INLINE void chunks(const void *arg, int64_t part, int b)
{
	const tulle__call *call = arg;
	const bsell_data *a = call->data;
	const target to = target_of(call);

	for (int64_t c = a->cut[part]; c < a->cut[part + 1]; c++) {
		const bsell_chunk *chunk = &a->chunk[c];
		const int32_t *length = a->length + c * a->height, *row = a->row + c * a->height;
		const T *x = call->x;

		for (int from = 0; from < chunk->lanes; from += VLEN) {
			const int rest = chunk->lanes - from;
			vec sum[BSELL_WIDEST];

			if (chunk->origin == BSELL_FAR)
				sum_lanes(a, chunk, length, x, from, 1, b, sum);
			else
				sum_lanes(a, chunk, length, x + (int64_t)chunk->origin * b, from, 0, b, sum);
			store_lanes(a, &to, chunk, row + from, rest < VLEN ? rest : VLEN, b, sum);
		}
	}
}

static void blocks_of_2(const void *arg, int64_t part)
{
	chunks(arg, part, 2);
}

static void blocks_of_3(const void *arg, int64_t part)
{
	chunks(arg, part, 3);
}

static void blocks_of_4(const void *arg, int64_t part)
{
	chunks(arg, part, 4);
}

static void blocks_of_6(const void *arg, int64_t part)
{
	chunks(arg, part, 6);
}

TULLE_KERNELS(bsell) = {
	{ "2x2 blocks", { blocks_of_2 } },
	{ "3x3 blocks", { blocks_of_3 } },
	{ "4x4 blocks", { blocks_of_4 } },
	{ "6x6 blocks", { blocks_of_6 } },
};
