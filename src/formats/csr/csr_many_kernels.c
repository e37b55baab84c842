/* csr_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in CSR, X and Y row-major.
 *
 * A nonzero is read once and multiplied with a whole row of X. Parts are those of the single
 * product.
 *
 * scratch: two rows of k sums per part, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/csr/csr.h"
#include "loops/many.h"
#include "loops/many_row.h"

TULLE_INLINE void sum_row(const csr_data *a, const slab *s, int64_t n, int64_t end, vec *sum,
                          int regs, int span, int ones)
{
	slab_row(s, ones ? NULL : (const S *)a->val + n, (const C *)a->col + n, end - n, sum, regs,
	         span, ones);
}

TULLE_INLINE void rows(const tulle__call_many *c, const slab *s, int64_t i, int64_t end, int regs,
                       int span, int ones)
{
	const csr_data *a = c->data;
	const O *row_ptr = a->row_ptr;

	for (; i < end; i++) {
		vec sum[MOST_REGS];

		sum_row(a, s, row_ptr[i], row_ptr[i + 1], sum, regs, span, ones);
		slab_end_row(s, i, sum, regs, span);
	}
}

TULLE_INLINE void keep_sums(const tulle__call_many *c, int64_t v, int64_t n, int64_t end,
                            int64_t to, int regs, int span, int ones)
{
	const slab s = slab_at(c, v, c->k - v < VLEN ? c->k - v : VLEN);
	vec sum[MANY_REGS];

	sum_row(c->data, &s, n, end, sum, regs, span, ones);
	slab_keep(c, &s, to, sum, regs, span);
}

/* A piece of a split row, into row `to` of scratch. Long rows consist of pieces only. */
TULLE_INLINE void piece(const tulle__call_many *c, int64_t n, int64_t end, int64_t to, int ones)
{
	int64_t v = 0;

	for (; c->k - v >= MANY_REGS * VLEN; v += MANY_REGS * VLEN)
		keep_sums(c, v, n, end, to, MANY_REGS, SPAN_FULL, ones);
	for (; v < c->k; v += VLEN)
		keep_sums(c, v, n, end, to, 1, SPAN_ANY, ones);
}

/* The end of a row begun earlier, whole rows, the beginning of a row. */
TULLE_INLINE void part_of(const void *arg, int64_t part, int ones)
{
	const tulle__call_many *c = arg;
	const csr_data *a = c->data;
	const O *row_ptr = a->row_ptr;
	const csr_cut from = a->cut[part], to = a->cut[part + 1];
	int64_t i = from.row;

	if (from.k > row_ptr[i]) {
		const int64_t row_end = row_ptr[i + 1];

		piece(c, from.k, row_end < to.k ? row_end : to.k, 2 * part, ones);
		i++;
	}
	if (i > to.row)
		return;
	slab_each(c, rows, i, to.row, MOST_REGS, ones);
	if (to.k > row_ptr[to.row])
		piece(c, row_ptr[to.row], to.k, 2 * part + 1, ones);
}

static void add_carries(const void *arg, int64_t part)
{
	const tulle__call_many *c = arg;
	const csr_data *a = c->data;

	(void)part;
	slab_add_split_rows(c, a->split, a->splits);
}

static void values(const void *arg, int64_t part)
{
	part_of(arg, part, 0);
}

static void all_ones(const void *arg, int64_t part)
{
	part_of(arg, part, 1);
}

TULLE_KERNELS_WITHOUT_GATHERS(csr_many) = {
	{ "many", { values, add_carries } },
	{ "many", { all_ones, add_carries } },
};
