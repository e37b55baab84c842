/* csc_kernels.c -- y = alpha A x + beta b, A in CSC: adds x[j] times column j, one column at a
 * time, to private y's, which a second phase sums.
 *
 * scratch: one y per part. */
#include "core/kernel.h"
#include "core/split.h"
#include "formats/csc/csc.h"
#include "loops/copies.h"

static void columns(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const csc_data *a = call->data;
	const T *x = call->x, *val = a->val;
	T *y = (T *)call->scratch + part * a->rows;

	for (int64_t i = 0; i < a->rows; i++)
		y[i] = 0;
	for (int64_t j = a->cut[part]; j < a->cut[part + 1]; j++) {
		const T xj = x[j];

		for (int64_t k = a->col_ptr[j]; k < a->col_ptr[j + 1]; k++)
			y[a->row[k]] = sfma(val[k], xj, y[a->row[k]]);
	}
}

static void add_up(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const csc_data *a = call->data;
	const target to = target_of(call);

	add_copies(&to, call->scratch, a->parts, a->rows, tulle__cut(a->rows, a->row_parts, part),
	           tulle__cut(a->rows, a->row_parts, part + 1));
}

TULLE_KERNELS(csc) = { { "columns", { columns, add_up } } };
