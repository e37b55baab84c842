/* csr_many_kernels.c -- Y = alpha A X + beta Y for several vectors, A in CSR, X and Y row-major.
 *
 * A nonzero is read once and multiplied with a whole row of X. Parts and cuts are those of the
 * single product; more vectors than fit in MANY_REGS registers go through the part once more, which
 * finds it in the cache.
 *
 * scratch: two rows of k sums a part, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/csr/csr.h"
#include "loops/many.h"

/* One call, with its types. */
typedef struct {
	const csr_data *a;
	const O *row_ptr;
	const C *col;
	const T *val, *x;
	T *y, *scratch;
	T alpha, beta;
	int64_t k, ldx, ldy;
} work;

TULLE_INLINE work unpack(const void *arg)
{
	const tulle__call_many *c = arg;
	const csr_data *a = c->data;

	return (work){ a,          a->row_ptr,  a->col,     a->val, c->x,   c->y,
		           c->scratch, (T)c->alpha, (T)c->beta, c->k,   c->ldx, c->ldy };
}

TULLE_INLINE void step(const work *w, const slab *s, vec *sum, int64_t n, int regs, int full,
                       int ones)
{
	slab_step(s, sum, ones ? NULL : w->val + n, w->col[n], regs, full, ones);
}

/* Sums of nonzeros n .. end-1. Two chains: an fma takes as long as four begin. */
TULLE_INLINE void sum_row(const work *w, const slab *s, int64_t n, int64_t end, vec *sum, int regs,
                          int full, int ones)
{
	vec odd[MANY_REGS];

	slab_zero(sum, regs);
	slab_zero(odd, regs);
	for (; n + 2 <= end; n += 2) {
		step(w, s, sum, n, regs, full, ones);
		step(w, s, odd, n + 1, regs, full, ones);
	}
	if (n < end)
		step(w, s, sum, n, regs, full, ones);
#pragma GCC unroll 4
	for (int r = 0; r < regs; r++)
		sum[r] = vadd(sum[r], odd[r]);
}

TULLE_INLINE void rows(const work *w, const slab *s, int64_t i, int64_t end, int regs, int full,
                       int ones)
{
	for (; i < end; i++) {
		vec sum[MANY_REGS];

		sum_row(w, s, w->row_ptr[i], w->row_ptr[i + 1], sum, regs, full, ones);
		slab_end_row(s, i, sum, regs, full);
	}
}

TULLE_INLINE slab slab_at(const work *w, int64_t v, int64_t lanes)
{
	return (slab){ w->x + v, w->y + v, w->ldx, w->ldy, w->alpha, w->beta, vfirst(lanes) };
}

TULLE_INLINE void all_rows(const work *w, int64_t i, int64_t end, int ones)
{
	int64_t v = 0;

	for (; v + MANY_LANES <= w->k; v += MANY_LANES) {
		const slab s = slab_at(w, v, VLEN);

		rows(w, &s, i, end, MANY_REGS, 1, ones);
	}
	const int64_t left = w->k - v, regs = (left + VLEN - 1) / VLEN,
	              lanes = left - (regs - 1) * VLEN;
	const slab s = slab_at(w, v, lanes);

	switch (2 * regs + (lanes == VLEN)) {
	case 2: rows(w, &s, i, end, 1, 0, ones); break;
	case 3: rows(w, &s, i, end, 1, 1, ones); break;
	case 4: rows(w, &s, i, end, 2, 0, ones); break;
	case 5: rows(w, &s, i, end, 2, 1, ones); break;
	case 6: rows(w, &s, i, end, 3, 0, ones); break;
	case 7: rows(w, &s, i, end, 3, 1, ones); break;
	case 8: rows(w, &s, i, end, 4, 0, ones); break;
	default: break;
	}
}

/* A piece of a row that is cut, into a row of scratch. */
TULLE_INLINE void piece(const work *w, int64_t n, int64_t end, T *to, int ones)
{
	for (int64_t v = 0; v < w->k; v += VLEN) {
		const int64_t left = w->k - v;
		const slab s = slab_at(w, v, left < VLEN ? left : VLEN);
		vec sum[1];

		sum_row(w, &s, n, end, sum, 1, 0, ones);
		slab_store(&s, to + v, 0, sum[0], 1, 0);
	}
}

/* The end of a row begun earlier, whole rows, the beginning of a row. */
TULLE_INLINE void part_of(const void *arg, int64_t part, int ones)
{
	const work w = unpack(arg);
	const csr_cut from = w.a->cut[part], to = w.a->cut[part + 1];
	int64_t i = from.row;

	if (from.k > w.row_ptr[i]) {
		const int64_t row_end = w.row_ptr[i + 1];

		piece(&w, from.k, row_end < to.k ? row_end : to.k, w.scratch + 2 * part * w.k, ones);
		i++;
	}
	if (i > to.row)
		return;
	all_rows(&w, i, to.row, ones);
	if (to.k > w.row_ptr[to.row])
		piece(&w, w.row_ptr[to.row], to.k, w.scratch + (2 * part + 1) * w.k, ones);
}

static void add_carries(const void *arg, int64_t part)
{
	const work w = unpack(arg);

	(void)part;
	for (int64_t s = 0; s < w.a->splits; s++) {
		const tulle__split_row split = w.a->split[s];
		T *y = w.y + split.row * w.ldy;

		for (int64_t v = 0; v < w.k; v++) {
			T sum = w.scratch[(2 * split.first + 1) * w.k + v];

			for (int64_t p = split.first + 1; p <= split.last; p++)
				sum += w.scratch[2 * p * w.k + v];
			sum *= w.alpha;
			y[v] = w.beta == 0 ? sum : sfma(w.beta, y[v], sum);
		}
	}
}

static void values(const void *arg, int64_t part)
{
	part_of(arg, part, 0);
}

static void all_ones(const void *arg, int64_t part)
{
	part_of(arg, part, 1);
}

TULLE_KERNELS(csr_many) = {
	{ "many", { values, add_carries } },
	{ "many", { all_ones, add_carries } },
};
