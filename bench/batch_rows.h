/* batch_rows.h -- y += A x for one small matrix, twice: a simple loop, and one with AVX-512 gathers.
 * Included once for each type REAL, with the suffix NAME(x) gives and the intrinsics of that type:
 * VECTOR(op), LANES, GATHER(mask, at, x). */

static void NAME(plain)(const bench_batch *b, int64_t i, const REAL *x, REAL *y)
{
	const int32_t *row_ptr = b->row_ptr + b->row_at[i], *col = b->col + b->col_at[i];
	const REAL *val = (const REAL *)b->val + b->val_at[i];
	for (int64_t r = 0; r < b->rows[i]; r++) {
		REAL sum = 0;
		for (int32_t k = row_ptr[r]; k < row_ptr[r + 1]; k++)
			sum += val[k] * x[col[k]];
		y[r] += sum;
	}
}

static void NAME(wide)(const bench_batch *b, int64_t i, const REAL *x, REAL *y)
{
#ifdef __AVX512F__
	const int32_t *row_ptr = b->row_ptr + b->row_at[i], *col = b->col + b->col_at[i];
	const REAL *val = (const REAL *)b->val + b->val_at[i];
	for (int64_t r = 0; r < b->rows[i]; r++) {
		__typeof__(VECTOR(setzero)()) sum = VECTOR(setzero)();
		int32_t k = row_ptr[r], end = row_ptr[r + 1];
		for (; k + LANES <= end; k += LANES)
			sum = VECTOR(fmadd)(VECTOR(loadu)(val + k), GATHER(ALL, COLUMNS(ALL, col + k), x), sum);
		if (k < end) {
			MASK rest = (MASK)((1u << (end - k)) - 1);
			sum = VECTOR(fmadd)(VECTOR(maskz_loadu)(rest, val + k),
			                    GATHER(rest, COLUMNS(rest, col + k), x), sum);
		}
		y[r] += VECTOR(reduce_add)(sum);
	}
#else
	NAME(plain)(b, i, x, y);
#endif
}
