/* check.c -- checks the results of a contender. */
#include "check.h"

#include <math.h>

kit_oracle *bench_oracle(const bench_matrix *a, const void *x)
{
	tulle_csr_view view = { .size = sizeof view,
		                    .rows = a->rows,
		                    .cols = a->cols,
		                    .nnz = a->nnz,
		                    .offset_type = TULLE_I32,
		                    .column_type = TULLE_I32,
		                    .value_type = a->val_f32 ? TULLE_F32 : TULLE_F64,
		                    .row_ptr = a->row_ptr,
		                    .col = a->col,
		                    .val = a->val_f32 ? (const void *)a->val_f32 : (const void *)a->val };
	return kit_oracle_create(&view, TULLE_NORMAL, 1.0, x, 0.0, NULL);
}

double bench_error(bench_runner *r, const kit_oracle *oracle, int64_t rows, const double *x,
                   double *y)
{
	for (int64_t i = 0; i < rows; i++)
		y[i] = NAN;
	r->failed |= r->table->multiply(r->state, x, y);
	return kit_oracle_check(oracle, y).worst;
}
