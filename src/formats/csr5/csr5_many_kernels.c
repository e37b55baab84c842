/* csr5_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in CSR5, X and Y row-major.
 *
 * A tile is transposed back into the order of rows, in the L1 cache, and its rows are summed one by one. The
 * purpose of tiles, vectors across rows, does not apply if lanes are vectors. Parts and carries are those of
 * csr5_kernels.c. scratch: two rows of k sums per part, of its first row and of the row it leaves open. */
#include "core/kernel.h"
#include "formats/csr5/csr5.h"
#include "loops/many.h"
#include "loops/many_row.h"

typedef struct {
	_Alignas(64) T val[CSR5_MAX_TILE];
	int32_t col[CSR5_MAX_TILE];
	int64_t tile; /* current tile; -1: none */
} row_order;

static __attribute__((noinline)) void untile(const csr5_data *a, int64_t t, row_order *to)
{
	const int64_t first = t * a->omega * a->sigma;
	int64_t n = 0;

	to->tile = t;
	for (int lane = 0; lane < a->omega; lane++)
		for (int step = 0; step < a->sigma; step++, n++) {
			const int64_t from = first + (int64_t)step * a->omega + lane;

			to->col[n] = a->col[from];
			if (a->val)
				to->val[n] = ((const T *)a->val)[from];
		}
}

/* Sums of nonzeros n .. end-1 of one row. */
TULLE_INLINE void sum_row(const csr5_data *a, const slab *s, int64_t n, int64_t end,
                          row_order *order, vec *sum, int regs, int span, int ones)
{
	const int64_t tile = (int64_t)a->omega * a->sigma;

	slab_zero(sum, regs);
	while (n < end) {
		const int64_t t = n / tile;
		const int tiled = t < a->tiles;
		const int64_t stop = tiled && (t + 1) * tile < end ? (t + 1) * tile : end;
		const T *val = ones ? NULL : tiled ? order->val + (n - t * tile) : (const T *)a->val + n;
		const int32_t *col = tiled ? order->col + (n - t * tile) : a->col + n;
		vec more[MANY_REGS];

		if (tiled && order->tile != t)
			untile(a, t, order);
		slab_row(s, val, col, stop - n, more, regs, span, ones);
		slab_add(sum, more, regs);
		n = stop;
	}
}

/* The rows of a part, from the row of its first nonzero to that of the next part. The first may have
 * begun earlier, and the last may continue: their sums go to scratch. */
TULLE_INLINE void rows(const tulle__call_many *c, const slab *s, int64_t part, int64_t end,
                       int regs, int span, int ones)
{
	const csr5_data *a = c->data;
	const int64_t tile = (int64_t)a->omega * a->sigma;
	const int ends = part + 1 == a->parts;
	const int64_t begin = a->cut[part] * tile, stop = ends ? a->nnz : a->cut[part + 1] * tile;
	const int64_t first = a->tiles > 0 ? csr5_tile_row(a, a->cut[part]) : 0;
	const int64_t last = ends ? a->rows - 1 : csr5_tile_row(a, a->cut[part + 1]);
	row_order order = { .tile = -1 };

	(void)end;
	for (int64_t i = part > 0 ? first : 0; i <= last; i++) {
		const int64_t from = csr5_row_ptr(a, i), to = csr5_row_ptr(a, i + 1);
		vec sum[MANY_REGS];

		sum_row(a, s, from > begin ? from : begin, to < stop ? to : stop, &order, sum, regs, span,
		        ones);
		if (i == first)
			slab_keep(c, s, 2 * part, sum, regs, span);
		else if (i == last && !ends)
			slab_keep(c, s, 2 * part + 1, sum, regs, span);
		else
			slab_end_row(s, i, sum, regs, span);
	}
}

static void values(const void *arg, int64_t part)
{
	slab_each(arg, rows, part, part + 1, MANY_REGS, 0);
}

static void all_ones(const void *arg, int64_t part)
{
	slab_each(arg, rows, part, part + 1, MANY_REGS, 1);
}

/* As in csr5_kernels.c, for one register of vectors. */
TULLE_INLINE void carry(const tulle__call_many *c, const slab *s, int64_t part, int64_t end,
                        int regs, int span, int variant)
{
	const csr5_data *a = c->data;
	const T *scratch = (const T *)c->scratch + (s->y - (T *)c->y);
	vec open = vzero();

	(void)part;
	(void)end;
	(void)regs;
	(void)variant;
	for (int64_t p = 0; p < a->parts; p++) {
		const int64_t row = a->tiles > 0 ? csr5_tile_row(a, a->cut[p]) : 0;

		open = vadd(open, slab_load(s, scratch + 2 * p * c->k, 0, span));
		if (p + 1 == a->parts || csr5_tile_row(a, a->cut[p + 1]) > row) {
			slab_end_row(s, row, &open, 1, span);
			open = p + 1 < a->parts ? slab_load(s, scratch + (2 * p + 1) * c->k, 0, span) : vzero();
		}
	}
}

static void add_carries(const void *arg, int64_t part)
{
	slab_each(arg, carry, part, part + 1, 1, 0);
}

TULLE_KERNELS_WITHOUT_GATHERS(csr5_many) = {
	[CSR5_VALUES] = { "many", { values, add_carries } },
	[CSR5_ONES] = { "many", { all_ones, add_carries } },
};
