/* bsell_kernels.c -- y = alpha A x + beta b, A in SELL-C-sigma of b x b blocks: one block row per
 * lane, b gathers for the b*b values of a block. */
#include "core/kernel.h"
#include "formats/bsell/bsell.h"
#include "loops/prefetch.h"
#include "loops/store_rows.h"

/* Below, `b`, `far`, `holes` and `ones` are constants at every call, except in sum_ones. */

/* For one slot of a block: one bit per lane. */
#if TULLE_IS(TULLE_T, f32)
typedef uint16_t lane_bits;
#else
typedef uint8_t lane_bits;
#endif

/* Index of the first x for each of VLEN blocks. */
TULLE_INLINE vindex block_columns(const uint16_t *col, int far, int b)
{
	return far ? vindex_far((const int32_t *)(const void *)col, b) : vindex_near(col, b);
}

/* The lanes of one vector in one step. */
typedef struct {
	vindex at;
	const T *x;
	const T *val;          /* of slot p: val + p * lanes */
	const lane_bits *mask; /* NULL: the blocks of the first `lanes` have no holes */
	int lanes;
	int from; /* first lane, counted in the chunk */
} block_step;

TULLE_INLINE unsigned bits_of(const block_step *s, int place)
{
	return (s->mask ? s->mask[place] : (1u << s->lanes) - 1) >> s->from;
}

/* `all`: every lane has a block without holes. Otherwise holes are masked, and elements of x that no
 * row of a block uses are not read: they may be past the end of x. */
TULLE_INLINE void add_blocks(const block_step *s, int all, int b, int ones, vec *sum)
{
#pragma GCC unroll 6
	for (int c = 0; c < b; c++) {
		unsigned any = 0;
		vec xs;

#pragma GCC unroll 6
		for (int r = 0; r < b && !all; r++)
			any |= bits_of(s, c * b + r);
		xs = all ? vgather_at(s->x + c, s->at) : vgather_at_lanes(s->x + c, s->at, vlanes_of(any));
#pragma GCC unroll 6
		for (int r = 0; r < b; r++) {
			const int place = c * b + r;
			const T *val = s->val + place * s->lanes;

			if (ones) {
				sum[r] = vadd_lanes(sum[r], xs, vlanes_of(bits_of(s, place)));
				continue;
			}
			prefetch_ahead(val, sizeof *val);
			sum[r] = all ? vfma(vload(val), xs, sum[r])
			             : vfma_lanes(vload(val), xs, sum[r], vlanes_of(bits_of(s, place)));
		}
	}
}

/* Sums of VLEN block rows, from lane `from` of a chunk on. */
TULLE_INLINE void sum_lanes(const bsell_data *a, const bsell_chunk *chunk, const int32_t *length,
                            const T *x, int from, int far, int holes, int b, int ones, vec *sum)
{
	const int units = far ? 2 : 1, height = VLEN > 1 ? VLEN : a->height;
	const T *val = (const T *)a->val + chunk->base + from;
	const uint16_t *col = a->col + chunk->col + from * units;
	const lane_bits *mask = holes ? (const lane_bits *)a->mask + chunk->mask : NULL;
	int lanes = height;

	for (int r = 0; r < b; r++)
		sum[r] = vzero();
	for (int32_t step = 0; step < chunk->full; step++) {
		const block_step s = { block_columns(col, far, b), x, val, mask, height, from };

		prefetch_ahead(col, sizeof *col);
		if (holes)
			prefetch_ahead(mask, sizeof *mask);
		add_blocks(&s, !holes, b, ones, sum);
		val += b * b * height;
		col += height * units;
		if (holes)
			mask += b * b;
	}
	for (int32_t step = chunk->full; step < chunk->width; step++) {
		while (length[lanes - 1] <= step)
			lanes--;
		if (lanes <= from)
			break;
		const block_step s = { block_columns(col, far, b), x, val, mask, lanes, from };

		add_blocks(&s, 0, b, ones, sum);
		val += b * b * lanes;
		col += lanes * units;
		if (holes)
			mask += b * b;
	}
}

/* A complex matrix without values. One copy serves every block size. */
static __attribute__((noinline)) void sum_ones(const bsell_data *a, const bsell_chunk *chunk,
                                               const int32_t *length, const T *x, int from,
                                               vec *sum)
{
	const int far = chunk->origin == BSELL_FAR, holes = chunk->mask != BSELL_WHOLE;

	if (!far)
		x += (int64_t)chunk->origin * a->b;
	sum_lanes(a, chunk, length, x, from, far, holes, a->b, 1, sum);
}

TULLE_INLINE void sum_chunk(const bsell_data *a, const bsell_chunk *chunk, const int32_t *length,
                            const T *x, int from, int b, vec *sum)
{
	const T *near = x + (int64_t)chunk->origin * b;

	if (TULLE_COMPLEX && a->ones)
		sum_ones(a, chunk, length, x, from, sum);
	else if (chunk->mask == BSELL_WHOLE && chunk->origin != BSELL_FAR)
		sum_lanes(a, chunk, length, near, from, 0, 0, b, 0, sum);
	else if (chunk->mask == BSELL_WHOLE)
		sum_lanes(a, chunk, length, x, from, 1, 0, b, 0, sum);
	else if (chunk->origin != BSELL_FAR)
		sum_lanes(a, chunk, length, near, from, 0, 1, b, 0, sum);
	else
		sum_lanes(a, chunk, length, x, from, 1, 1, b, 0, sum);
}

/* The last rows of the matrix, fewer than b: the other sums of the block row are not stored. */
TULLE_INLINE void store_cut(const target *to, int64_t rows, const int32_t *row, int n, int b,
                            const vec *sum)
{
	for (int r = 0; r < b; r++) {
		T each[VLEN];

		vstore(each, sum[r]);
		for (int l = 0; l < n; l++)
			if (row[l] + r < rows)
				store(to, row[l] + r, each[l]);
	}
}

TULLE_INLINE void store_lanes(const target *to, const int32_t *row, int n, int b, const vec *sum)
{
	for (int r = 0; r < b; r++) {
		const target at = { to->b + r, to->y + r, to->alpha, to->beta };

		store_first_at(&at, row, sum[r], n);
	}
}

TULLE_INLINE void store_neighbours(const target *to, int64_t first, int b, const vec *sum)
{
	vec rows[BSELL_WIDEST];

	vweave(sum, b, rows);
	for (int r = 0; r < b; r++)
		store_each(to, first + r * VLEN, rows[r]);
}

TULLE_INLINE void chunks(const void *arg, int64_t part, int b)
{
	const tulle__call *call = arg;
	const bsell_data *a = call->data;
	const target to = target_of(call);

	for (int64_t c = a->cut[part]; c < a->cut[part + 1]; c++) {
		const bsell_chunk *chunk = &a->chunk[c];
		const int32_t *length = a->length + c * a->height, *row = a->row + c * a->height;

		for (int from = 0; from < chunk->lanes; from += VLEN) {
			const int rest = chunk->lanes - from, n = rest < VLEN ? rest : VLEN;
			vec sum[BSELL_WIDEST];

			sum_chunk(a, chunk, length, call->x, from, b, sum);
			if (chunk->first == BSELL_CUT)
				store_cut(&to, a->rows, row + from, n, b, sum);
			else if (chunk->first == BSELL_SCATTERED)
				store_lanes(&to, row + from, n, b, sum);
			else
				store_neighbours(&to, chunk->first + from * b, b, sum);
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
