/* plain_many_rows.h -- Y = A X for some rows and several vectors, row-major: a simple loop. Included
 * once for each type REAL of values and vectors, with the suffix that NAME(x) gives. */

static void NAME(many_rows)(const bench_matrix *a, const REAL *val, int64_t first, int64_t end,
                            int64_t vectors, const REAL *restrict x, REAL *restrict y)
{
	const int32_t *row_ptr = a->row_ptr, *col = a->col;
	for (int64_t i = first; i < end; i++) {
		REAL *sum = y + i * vectors;
		for (int64_t v = 0; v < vectors; v++)
			sum[v] = 0;
		for (int32_t k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			for (int64_t v = 0; v < vectors; v++)
				sum[v] += val[k] * x[col[k] * vectors + v];
	}
}
