/* csr2_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in padded segments, X and Y row-major.
 *
 * The segments of a row are collected, without padding, in the L1 cache, and summed there. scratch: two rows of k
 * sums per part, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/csr2/csr2.h"
#include "loops/many.h"
#include "loops/many_row.h"

enum { COLLECTED = 8 * CSR2_MAX_WIDTH };

typedef struct {
	_Alignas(64) T val[COLLECTED];
	C col[COLLECTED];
} row_order;

/* Collects segments *segment .. end-1, as many as fit; returns the number of their nonzeros. */
static __attribute__((noinline)) int64_t collect(const csr2_data *a, int64_t block,
                                                 int64_t *segment, int64_t end, row_order *to)
{
	const int64_t area = (int64_t)a->high * a->width;
	int64_t n = 0;

	for (; *segment < end && n + a->width <= COLLECTED; ++*segment) {
		const int64_t first = (block + *segment / a->high) * area + *segment % a->high;

		for (int64_t at = first; at < first + area; at += a->high) {
			if (a->col[at] == CSR2_PADDING)
				break;
			to->col[n] = a->col[at];
			if (a->val)
				to->val[n] = ((const T *)a->val)[at];
			n++;
		}
	}
	return n;
}

/* Sums of row r of a part. */
TULLE_INLINE void sum_row(const csr2_data *a, const csr2_part *part, int64_t r, const slab *s,
                          row_order *order, vec *sum, int regs, int span, int ones)
{
	const int32_t *start = a->segment + part->start;

	slab_zero(sum, regs);
	for (int64_t segment = start[r]; segment < start[r + 1];) {
		const int64_t n = collect(a, part->block, &segment, start[r + 1], order);
		vec more[MANY_REGS];

		slab_row(s, order->val, order->col, n, more, regs, span, ones);
		slab_add(sum, more, regs);
	}
}

TULLE_INLINE void rows(const tulle__call_many *c, const slab *s, int64_t p, int64_t end, int regs,
                       int span, int ones)
{
	const csr2_data *a = c->data;
	const csr2_part *part = &a->part[p];
	const int head = part->before > 0, tail = part[1].before > 0;
	row_order order;

	(void)end;
	for (int64_t r = 0; r < part->rows; r++) {
		vec sum[MANY_REGS];

		sum_row(a, part, r, s, &order, sum, regs, span, ones);
		if (head && r == 0)
			slab_keep(c, s, 2 * p, sum, regs, span);
		else if (tail && r == part->rows - 1)
			slab_keep(c, s, 2 * p + 1, sum, regs, span);
		else
			slab_end_row(s, part->row + r, sum, regs, span);
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

static void add_carries(const void *arg, int64_t part)
{
	const tulle__call_many *c = arg;
	const csr2_data *a = c->data;

	(void)part;
	slab_add_split_rows(c, a->split, a->splits);
}

TULLE_KERNELS_WITHOUT_GATHERS(csr2_many) = {
	{ "many", { values, add_carries } },
	{ "many", { all_ones, add_carries } },
};
