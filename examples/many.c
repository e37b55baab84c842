/* many.c -- several vectors at once, side by side (row-major) or one after the other.
 *
 * Block Krylov methods and graph propagation multiply a handful of vectors by one matrix; doing it
 * in one call reads the matrix fewer times. */
#include <stdio.h>
#include <tulle.h>

enum { N = 500, K = 4 };

int main(void)
{
	/* The cyclic shift plus twice the identity: (A x)[i] = 2 x[i] + x[(i+1) mod N]. */
	static int32_t row_ptr[N + 1], col[2 * N];
	static float val[2 * N], x_rows[N * K], y_rows[N * K], x_cols[K * N], y_cols[K * N];
	for (int32_t i = 0; i < N; i++) {
		row_ptr[i + 1] = 2 * (i + 1);
		col[2 * i] = i;
		col[2 * i + 1] = (i + 1) % N;
		val[2 * i] = 2;
		val[2 * i + 1] = 1;
		for (int32_t j = 0; j < K; j++)
			x_rows[i * K + j] = x_cols[j * N + i] = (float)(i + 100 * j);
	}

	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	tulle_status status = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                            TULLE_F32, val, NULL, &a);
	if (!status)
		status = tulle_plan_create(a, NULL, &p);
	if (!status)
		status = tulle_mul_many_f32(p, K, TULLE_ROW_MAJOR, 1, x_rows, K, 0, y_rows, K);
	if (!status)
		status = tulle_mul_many_f32(p, K, TULLE_COLUMN_MAJOR, 1, x_cols, N, 0, y_cols, N);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	if (status) {
		fprintf(stderr, "%s: %s\n", tulle_status_name(status), tulle_last_error());
		return 1;
	}

	int wrong = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < K; j++) {
			const float want = (float)(2 * (i + 100 * j) + (i + 1) % N + 100 * j);
			wrong += (y_rows[i * K + j] != want) + (y_cols[j * N + i] != want);
		}
	printf("%d vectors in each order, %d wrong elements\n", K, wrong);
	return wrong != 0;
}
