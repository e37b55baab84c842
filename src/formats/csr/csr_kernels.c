/* csr_kernels.c -- y = alpha A x + beta b, A in CSR.
 *
 *   rows      VLEN rows at a time; their lanes are added up together at the end
 *   vector    one row at a time, VLEN nonzeros at once ("CSR vector" of the GPU papers)
 *   scalar    one row at a time, one nonzero at a time ("CSR scalar")
 *   balanced  `rows` on parts that are cut at equal numbers of nonzeros, wherever that is
 *   scatter   y = A^T x from the rows of A, into copies of y that a second phase adds up
 *
 * scratch: two sums per part, head and tail, for rows that are cut; to scatter, the copies. */
#include "core/kernel.h"
#include "formats/csr/csr.h"
#include "loops/carries.h"
#include "loops/csr_rows.h"
#include "loops/scatter.h"

#include "core/split.h"

/* One call, with its types. */
typedef struct {
	csr_rows rows;
	const csr_data *a;
	T *scratch;
} work;

TULLE_INLINE work unpack(const void *arg)
{
	const tulle__call *c = arg;
	const csr_data *a = c->data;

	return (work){ { a->row_ptr, a->col, a->val, c->x, target_of(c) }, a, c->scratch };
}

/* ---- sums of nonzeros k .. end-1 ---- */

typedef T sum_fn(const csr_rows *a, int64_t k, int64_t end, column_kind columns, int ones);

TULLE_INLINE T sum_scalar(const csr_rows *a, int64_t k, int64_t end, column_kind columns, int ones)
{
	const C *col = a->col;
	T sum = 0;

	(void)columns;
	for (; k < end; k++)
		sum += ones ? a->x[col[k]] : smul(widen(a->val[k]), a->x[col[k]]);
	return sum;
}

/* ---- rows i .. end-1 ---- */

typedef void rows_fn(const csr_rows *a, int64_t i, int64_t end, column_kind columns, int ones);

TULLE_INLINE void rows_scalar(const csr_rows *a, int64_t i, int64_t end, column_kind columns,
                              int ones)
{
	for (; i < end; i++)
		store(&a->to, i, sum_scalar(a, a->row_ptr[i], a->row_ptr[i + 1], columns, ones));
}

/* ---- one part: the end of a row begun earlier, whole rows, the beginning of a row ---- */

TULLE_INLINE void part_of(const void *arg, int64_t part, rows_fn *rows, sum_fn *sum, int ones)
{
	const work w = unpack(arg);
	const O *row_ptr = w.rows.row_ptr;
	const csr_cut from = w.a->cut[part], to = w.a->cut[part + 1];
	int64_t i = from.row;

	if (from.k > row_ptr[i]) {
		const int64_t row_end = row_ptr[i + 1];

		w.scratch[2 * part] =
		    sum(&w.rows, from.k, row_end < to.k ? row_end : to.k, COLUMNS_FAR, ones);
		i++;
	}
	if (i > to.row)
		return;
	rows(&w.rows, i, to.row, COLUMNS_FAR, ones);
	if (to.k > row_ptr[to.row])
		w.scratch[2 * part + 1] = sum(&w.rows, row_ptr[to.row], to.k, COLUMNS_FAR, ones);
}

static void add_carries(const void *arg, int64_t part)
{
	const work w = unpack(arg);

	(void)part;
	add_split_rows(&w.rows.to, w.scratch, w.a->split, w.a->splits);
}

static void together(const void *arg, int64_t part)
{
	part_of(arg, part, rows_strips, rows_sum, 0);
}

static void together_ones(const void *arg, int64_t part)
{
	part_of(arg, part, rows_strips, rows_sum, 1);
}

static void vector(const void *arg, int64_t part)
{
	part_of(arg, part, rows_vector, rows_sum, 0);
}

static void vector_ones(const void *arg, int64_t part)
{
	part_of(arg, part, rows_vector, rows_sum, 1);
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

/* Each part adds into its own copy: no two parts write to the same element, and the matrix determines
 * the order of the additions. */
TULLE_INLINE void scatter_part(const void *arg, int64_t part, int ones)
{
	const work w = unpack(arg);
	const tulle__scatter_parts *by = &w.a->scatter;
	const tulle__copy *copy = &by->copy[part];
	const C *col = w.rows.col;
	const C first = (C)copy->begin;
	T *sum = open_copy(w.scratch, copy);

	for (int64_t i = by->cut[part]; i < by->cut[part + 1]; i++) {
		const T x = w.rows.x[i];

		for (int64_t k = w.rows.row_ptr[i]; k < w.rows.row_ptr[i + 1]; k++)
			sum[col[k] - first] += ones ? x : smul(widen(w.rows.val[k]), x);
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

static void add_scattered(const void *arg, int64_t part)
{
	const work w = unpack(arg);

	add_copies_of(&w.rows.to, w.scratch, &w.a->scatter, w.a->cols, part);
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
	[2 * CSR_SCATTER] = { "scatter", { scatter, add_scattered } },
	[2 * CSR_SCATTER + 1] = { "scatter", { scatter_ones, add_scattered } },
};
