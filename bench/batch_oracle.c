/* batch_oracle.c -- all problems of a batch as the blocks of one matrix: one oracle judges them all. */
#include "batch_cases.h"

#include "memory.h"
#include "tulle.h"

#include <stdlib.h>

kit_oracle *bench_case_oracle(const bench_case *c)
{
	const bench_batch *b = &c->b;
	int64_t *row_ptr = bench_array(b->total_rows + 1, sizeof *row_ptr);
	int64_t *col = bench_array(b->total_nnz, sizeof *col), row = 0, k = 0;
	kit_oracle *oracle = NULL;
	if (row_ptr && col) {
		for (int64_t i = 0; i < b->count; i++)
			for (int64_t r = 0; r < b->rows[i]; r++) {
				const int32_t *p = b->row_ptr + b->row_at[i] + r;
				row_ptr[row++] = k;
				for (int32_t n = p[0]; n < p[1]; n++)
					col[k++] = b->col[b->col_at[i] + n] + b->x_at[i];
			}
		row_ptr[row] = k;
		oracle = kit_oracle_create(&(tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                                              .rows = b->total_rows,
		                                              .cols = b->total_cols,
		                                              .nnz = b->total_nnz,
		                                              .offset_type = TULLE_I64,
		                                              .column_type = TULLE_I64,
		                                              .value_type = b->f32 ? TULLE_F32 : TULLE_F64,
		                                              .row_ptr = row_ptr,
		                                              .col = col,
		                                              .val = b->val },
		                           TULLE_NORMAL, 1, c->x, 1, c->y0);
	}
	free(col);
	free(row_ptr);
	return oracle;
}
