/* csr2_kernels.c -- y = alpha A x + beta b, A in padded segments (the paper's Algorithms 6 and 7).
 *
 * Some blocks are multiplied, and the sum of each segment goes into a buffer in the L1 cache. Then
 * the sums of segments are added by rows. The authors write the sums of the whole matrix to memory
 * and read them again.
 *
 * scratch: two sums per part, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/csr2/csr2.h"
#include "loops/carries.h"
#include "loops/csr_row.h"
#include "loops/row_sums.h"
#include "loops/store.h"

enum { BUFFER = 1024 }; /* segments whose sums are kept */

typedef struct {
	const csr2_data *a;
	const T *val, *x;
	T *scratch;
	target to;
} work;

TULLE_INLINE work unpack(const void *arg)
{
	const tulle__call *c = arg;
	const csr2_data *a = c->data;

	return (work){ a, a->val, c->x, c->scratch, target_of(c) };
}

/* ---- multiply and sum (Algorithm 6) ---- */

/* VLEN segments. Padding has a negative column: it reads no x, and 0 * 0 is 0. */
TULLE_INLINE vec multiply_lanes(const T *val, const C *col, const T *x, int64_t width, int64_t high,
                                int ones)
{
	vec sum = vzero();

	for (int64_t j = 0; j < width; j++, col += high) {
		const vec xs = vgather_lanes(x, col, vlonger(col, CSR2_PADDING));

		row_prefetch(val, col, ones);
		if (ones) {
			sum = vadd(sum, xs);
		} else {
			sum = vfma(vload(val), xs, sum);
			val += high;
		}
	}
	return sum;
}

/* One segment of a block with fewer segments than a vector has lanes. */
TULLE_INLINE T multiply_one(const T *val, const C *col, const T *x, int64_t width, int64_t high,
                            int ones)
{
	T sum = 0;

	for (int64_t j = 0; j < width && col[j * high] != CSR2_PADDING; j++)
		sum += ones ? x[col[j * high]] : val[j * high] * x[col[j * high]];
	return sum;
}

/* The sums of all segments of some blocks. `high` and `width` are constants where that pays. */
TULLE_INLINE void multiply_some(const work *w, int64_t block, int64_t count, T *sum, int64_t width,
                                int64_t high, int ones)
{
	const int64_t area = high * width;
	const T *val = ones ? NULL : w->val + block * area, *x = w->x;
	const C *col = w->a->col + block * area;

	for (; count > 0; count--) {
		for (int64_t l = 0; l < high; l += high < VLEN ? 1 : VLEN) {
			const T *v = ones ? NULL : val + l;

			if (high < VLEN)
				sum[l] = multiply_one(v, col + l, x, width, high, ones);
			else
				vstore(sum + l, multiply_lanes(v, col + l, x, width, high, ones));
		}
		sum += high;
		col += area;
		val = ones ? NULL : val + area;
	}
}

TULLE_INLINE void multiply_by_width(const work *w, int64_t block, int64_t count, T *sum, int ones)
{
	const int64_t width = w->a->width, high = w->a->high;

	if (high != VLEN)
		multiply_some(w, block, count, sum, width, high, ones);
	else if (width == 1)
		multiply_some(w, block, count, sum, 1, VLEN, ones);
	else if (width == 2)
		multiply_some(w, block, count, sum, 2, VLEN, ones);
	else if (width == 3)
		multiply_some(w, block, count, sum, 3, VLEN, ones);
	else if (width == 4)
		multiply_some(w, block, count, sum, 4, VLEN, ones);
	else
		multiply_some(w, block, count, sum, width, VLEN, ones);
}

static __attribute__((noinline)) void multiply_blocks(const work *w, int64_t block, int64_t count,
                                                      T *sum)
{
	if (w->val)
		multiply_by_width(w, block, count, sum, 0);
	else
		multiply_by_width(w, block, count, sum, 1);
}

/* ---- accumulation (Algorithm 7) ---- */

/* Rows r .. end-1 of a part, whose sums of segments are in the buffer. Not inlined: otherwise the
 * pointers of the other loop would be spilled from registers. */
static __attribute__((noinline)) void add_rows(const work *w, int64_t row, const O *start,
                                               int64_t rows, stretch sums)
{
	int64_t r = 0;

	for (; r + VLEN <= rows; r += VLEN)
		store_each(&w->to, row + r, sum_rows(sums, start + r));
	if (r < rows) {
		O last[VLEN + 1];
		T each[VLEN];

		for (int64_t l = 0; l <= VLEN; l++)
			last[l] = start[r + l < rows ? r + l : rows];
		vstore(each, sum_rows(sums, last));
		for (int64_t l = 0; r + l < rows; l++)
			store(&w->to, row + r + l, each[l]);
	}
}

/* The segments s .. end-1 of one row. */
static T sum_row(const work *w, int64_t block, int64_t s, int64_t end, T *buffer)
{
	const int64_t high = w->a->high;
	vec sum = vzero();

	while (s < end) {
		const int64_t first = s / high;
		const int64_t stop = end < first * high + BUFFER ? end : first * high + BUFFER;
		const T *term = buffer + (s - first * high);
		int64_t n = stop - s;

		multiply_blocks(w, block + first, (stop + high - 1) / high - first, buffer);
		for (; n >= VLEN; n -= VLEN, term += VLEN)
			sum = vadd(sum, vload(term));
		sum = vadd(sum, vload_first(term, vfirst(n)));
		s = stop;
	}
	return vsum(sum);
}

/* The last row that fits into the buffer, in multiples of VLEN rows. */
TULLE_INLINE int64_t rows_that_fit(const O *start, int64_t r, int64_t end, O limit)
{
	while (r + VLEN <= end && start[r + VLEN] <= limit)
		r += VLEN;
	return r + VLEN > end && start[end] <= limit ? end : r;
}

static void multiply(const void *arg, int64_t p)
{
	const work w = unpack(arg);
	const csr2_part *part = &w.a->part[p];
	const O *start = w.a->segment + part->start;
	const O high = w.a->high;
	const int64_t tail = part[1].before > 0;
	_Alignas(64) T buffer[BUFFER + STRETCH_SLACK];
	int64_t r = 0;

	if (part->before > 0) {
		w.scratch[2 * p] = sum_row(&w, part->block, 0, start[1], buffer);
		r++;
	}
	while (r + tail < part->rows) {
		const O first = start[r] / high * high;
		const int64_t end = rows_that_fit(start, r, part->rows - tail, first + BUFFER);

		if (end > r) {
			multiply_blocks(&w, part->block + first / high, (start[end] - first + high - 1) / high,
			                buffer);
			add_rows(&w, part->row + r, start + r, end - r, stretch_from(buffer, first));
			r = end;
		} else {
			store(&w.to, part->row + r, sum_row(&w, part->block, start[r], start[r + 1], buffer));
			r++;
		}
	}
	if (r < part->rows)
		w.scratch[2 * p + 1] = sum_row(&w, part->block, start[r], start[r + 1], buffer);
}

static void add_carries(const void *arg, int64_t part)
{
	const work w = unpack(arg);

	(void)part;
	add_split_rows(&w.to, w.scratch, w.a->split, w.a->splits);
}

TULLE_KERNELS(csr2) = {
	{ "blocks", { multiply, add_carries } },
};
