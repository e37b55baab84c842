/* csr_kernels.c -- y = alpha A x + beta b, A in CSR.
 *
 *   rows      VLEN rows at a time; their lanes are added up together at the end
 *   vector    one row at a time, VLEN nonzeros at once ("CSR vector" of the GPU papers)
 *   scalar    one row at a time, one nonzero at a time ("CSR scalar")
 *   balanced  `rows` on parts that are cut at equal numbers of nonzeros, wherever that is
 *   scatter   y = A^T x from the rows of A, into private y's that a second phase adds up
 *
 * scratch: two sums a part, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/csr/csr.h"
#include "loops/carries.h"
#include "loops/copies.h"
#include "loops/csr_row.h"
#include "loops/row_sums.h"
#include "loops/store.h"

#include "core/split.h"

/* One call, with its types. */
typedef struct {
	const csr_data *a;
	const O *row_ptr;
	const C *col;
	const T *val, *x;
	T *scratch;
	target to;
} work;

TULLE_INLINE work unpack(const void *arg)
{
	const tulle__call *c = arg;
	const csr_data *a = c->data;

	return (work){ a, a->row_ptr, a->col, a->val, c->x, c->scratch, target_of(c) };
}

TULLE_INLINE const T *values(const work *w, int64_t k, int ones)
{
	return ones ? NULL : w->val + k;
}

/* ---- sums of nonzeros k .. end-1 ---- */

typedef T sum_fn(const work *w, int64_t k, int64_t end, int ones);

TULLE_INLINE T sum_vector(const work *w, int64_t k, int64_t end, int ones)
{
	return vsum(row_lanes(values(w, k, ones), w->col + k, w->x, end - k, ones));
}

TULLE_INLINE T sum_scalar(const work *w, int64_t k, int64_t end, int ones)
{
	T sum = 0;

	for (; k < end; k++)
		sum += ones ? w->x[w->col[k]] : w->val[k] * w->x[w->col[k]];
	return sum;
}

/* ---- rows i .. end-1 ---- */

typedef void rows_fn(const work *w, int64_t i, int64_t end, int ones);

TULLE_INLINE void rows_vector(const work *w, int64_t i, int64_t end, int ones)
{
	for (; i < end; i++)
		store(&w->to, i, sum_vector(w, w->row_ptr[i], w->row_ptr[i + 1], ones));
}

TULLE_INLINE void rows_scalar(const work *w, int64_t i, int64_t end, int ones)
{
	for (; i < end; i++)
		store(&w->to, i, sum_scalar(w, w->row_ptr[i], w->row_ptr[i + 1], ones));
}

/* VLEN rows at a time, each in a vector of its own; adding up the lanes of all of them together
 * costs about as many shuffles as two rows alone. */
TULLE_INLINE void rows_together(const work *w, int64_t i, int64_t end, int ones)
{
	for (; i + VLEN <= end; i += VLEN) {
		const O *ptr = w->row_ptr + i;
		vec sum[VLEN];

		for (int r = 0; r < VLEN; r++)
			sum[r] = row_lanes(values(w, ptr[r], ones), w->col + ptr[r], w->x, ptr[r + 1] - ptr[r],
			                   ones);
		store_each(&w->to, i, vsum_each(sum));
	}
	rows_vector(w, i, end, ones);
}

/* ---- strips of short rows ----
 *
 * A gather costs the same for one lane as for all, and a loop over a row of unforeseen length
 * costs a mispredicted branch, so short rows by themselves leave most of the machine idle. Rows
 * that lie behind each other are therefore multiplied as one stretch of nonzeros, without regard
 * to where rows end, and the products are added up by rows from the L1 cache: VLEN rows at a time,
 * in as many masked steps as the longest of them needs. */

enum {
	STRIP = 64,     /* rows multiplied as one stretch */
	FLAT = 2 * VLEN /* nonzeros a row: longer ones keep gathers busy by themselves */
};

TULLE_INLINE void multiply_stretch(const work *w, int64_t k, int64_t n, T *product, int ones)
{
	const T *val = values(w, k, ones);
	const C *col = w->col + k;
	int64_t j = 0;

	for (; j + VLEN <= n; j += VLEN) {
		const vec xs = vgather(w->x, col + j);

		row_prefetch(val + j, col + j, ones);
		vstore(product + j, ones ? xs : vmul(vload(val + j), xs));
	}
	if (j < n) {
		const vmask m = vfirst(n - j);
		const vec xs = vgather_first(w->x, col + j, m);

		vstore(product + j, ones ? xs : vmul(vload_first(val + j, m), xs));
	}
}

/* A function of its own: inlined, it would drive the pointers of the other loops out of their
 * registers. */
static __attribute__((noinline)) void add_strip(const work *w, int64_t i, int64_t end,
                                                stretch products)
{
	for (; i < end; i += VLEN)
		store_each(&w->to, i, sum_rows(products, w->row_ptr + i));
}

TULLE_INLINE void rows_strips(const work *w, int64_t i, int64_t end, int ones)
{
	const O *ptr = w->row_ptr;
	_Alignas(64) T product[STRIP * FLAT + STRETCH_SLACK];

	while (i + VLEN <= end) {
		int64_t j = i;

		while (VLEN > 1 && j + VLEN <= end && j < i + STRIP &&
		       ptr[j + VLEN] - ptr[j] <= FLAT * VLEN)
			j += VLEN;
		if (j > i) {
			multiply_stretch(w, ptr[i], ptr[j] - ptr[i], product, ones);
			add_strip(w, i, j, stretch_from(product, ptr[i]));
		} else {
			j += VLEN;
			rows_together(w, i, j, ones);
		}
		i = j;
	}
	rows_vector(w, i, end, ones);
}

/* ---- one part: the end of a row begun earlier, whole rows, the beginning of a row ---- */

TULLE_INLINE void part_of(const void *arg, int64_t part, rows_fn *rows, sum_fn *sum, int ones)
{
	const work w = unpack(arg);
	const csr_cut from = w.a->cut[part], to = w.a->cut[part + 1];
	int64_t i = from.row;

	if (from.k > w.row_ptr[i]) {
		const int64_t row_end = w.row_ptr[i + 1];

		w.scratch[2 * part] = sum(&w, from.k, row_end < to.k ? row_end : to.k, ones);
		i++;
	}
	if (i > to.row)
		return;
	rows(&w, i, to.row, ones);
	if (to.k > w.row_ptr[to.row])
		w.scratch[2 * part + 1] = sum(&w, w.row_ptr[to.row], to.k, ones);
}

static void add_carries(const void *arg, int64_t part)
{
	const work w = unpack(arg);

	(void)part;
	add_split_rows(&w.to, w.scratch, w.a->split, w.a->splits);
}

static void together(const void *arg, int64_t part)
{
	part_of(arg, part, rows_strips, sum_vector, 0);
}

static void together_ones(const void *arg, int64_t part)
{
	part_of(arg, part, rows_strips, sum_vector, 1);
}

static void vector(const void *arg, int64_t part)
{
	part_of(arg, part, rows_vector, sum_vector, 0);
}

static void vector_ones(const void *arg, int64_t part)
{
	part_of(arg, part, rows_vector, sum_vector, 1);
}

static void scalar(const void *arg, int64_t part)
{
	part_of(arg, part, rows_scalar, sum_scalar, 0);
}

static void scalar_ones(const void *arg, int64_t part)
{
	part_of(arg, part, rows_scalar, sum_scalar, 1);
}

/* ---- A^T ---- */

/* Part p owns the private y at scratch + p * cols: no two parts write to one place, and the order
 * of the additions is the matrix's. */
TULLE_INLINE void scatter_part(const void *arg, int64_t part, int ones)
{
	const work w = unpack(arg);
	T *private_y = w.scratch + part * w.a->cols;

	for (int64_t j = 0; j < w.a->cols; j++)
		private_y[j] = 0;
	for (int64_t i = w.a->cut[part].row; i < w.a->cut[part + 1].row; i++) {
		const T x = w.x[i];

		for (int64_t k = w.row_ptr[i]; k < w.row_ptr[i + 1]; k++)
			private_y[w.col[k]] += ones ? x : w.val[k] * x;
	}
}

static void scatter(const void *arg, int64_t part)
{
	scatter_part(arg, part, 0);
}

static void scatter_ones(const void *arg, int64_t part)
{
	scatter_part(arg, part, 1);
}

static void add_private(const void *arg, int64_t part)
{
	const work w = unpack(arg);
	const int64_t cols = w.a->cols, parts = w.a->column_parts;

	add_copies(&w.to, w.scratch, w.a->parts, cols, tulle__cut(cols, parts, part),
	           tulle__cut(cols, parts, part + 1));
}

TULLE_KERNELS(csr) = {
	[2 * CSR_ROWS] = { "rows", { together, add_carries } },
	[2 * CSR_ROWS + 1] = { "rows", { together_ones, add_carries } },
	[2 * CSR_SCALAR] = { "scalar", { scalar, add_carries } },
	[2 * CSR_SCALAR + 1] = { "scalar", { scalar_ones, add_carries } },
	[2 * CSR_VECTOR] = { "vector", { vector, add_carries } },
	[2 * CSR_VECTOR + 1] = { "vector", { vector_ones, add_carries } },
	[2 * CSR_BALANCED] = { "balanced", { together, add_carries } },
	[2 * CSR_BALANCED + 1] = { "balanced", { together_ones, add_carries } },
	[2 * CSR_SCATTER] = { "scatter", { scatter, add_private } },
	[2 * CSR_SCATTER + 1] = { "scatter", { scatter_ones, add_private } },
};
