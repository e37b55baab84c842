/* bench_plain.c -- a simple loop over rows: the baseline of the formats. */
#include "bench.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): types */
/* y = A x, rows of one type each of offsets, columns and values; without values all are 1. */
#define PLAIN_ROWS(name, offset, column, value)                         \
	static void name(const tulle_csr_view *a, const value *x, value *y) \
	{                                                                   \
		const offset *const begin = a->row_ptr;                         \
		const column *const col = a->col;                               \
		const value *const val = a->val;                                \
                                                                        \
		for (int64_t i = 0; i < a->rows; i++) {                         \
			value sum = 0;                                              \
                                                                        \
			for (offset k = begin[i]; k < begin[i + 1]; k++)            \
				sum += val ? val[k] * x[col[k]] : x[col[k]];            \
			y[i] = sum;                                                 \
		}                                                               \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

PLAIN_ROWS(rows_f32_i32_i32, int32_t, int32_t, float)
PLAIN_ROWS(rows_f32_i32_i64, int32_t, int64_t, float)
PLAIN_ROWS(rows_f32_i64_i32, int64_t, int32_t, float)
PLAIN_ROWS(rows_f32_i64_i64, int64_t, int64_t, float)
PLAIN_ROWS(rows_f64_i32_i32, int32_t, int32_t, double)
PLAIN_ROWS(rows_f64_i32_i64, int32_t, int64_t, double)
PLAIN_ROWS(rows_f64_i64_i32, int64_t, int32_t, double)
PLAIN_ROWS(rows_f64_i64_i64, int64_t, int64_t, double)

static void multiply(const tulle_csr_view *a, const void *x, void *y)
{
	const int wide = 2 * (a->offset_type == TULLE_I64) + (a->column_type == TULLE_I64);

	if (a->value_type == TULLE_F32) {
		static void (*const rows[])(const tulle_csr_view *, const float *,
		                            float *) = { rows_f32_i32_i32, rows_f32_i32_i64,
			                                     rows_f32_i64_i32, rows_f32_i64_i64 };
		rows[wide](a, x, y);
	} else {
		static void (*const rows[])(const tulle_csr_view *, const double *,
		                            double *) = { rows_f64_i32_i32, rows_f64_i32_i64,
			                                      rows_f64_i64_i32, rows_f64_i64_i64 };
		rows[wide](a, x, y);
	}
}

void cli_plain_multiply(void *product, int times)
{
	const cli_plain_product *const p = product;

	for (int n = 0; n < times; n++)
		multiply(p->a, p->x, p->y);
}
