/* blocks.c -- a matrix of node blocks, given as block CSR: SciPy's bsr, PETSc's BAIJ, MKL's BSR.
 *
 * A chain of N springs with three unknowns per node. A format that keeps blocks is built from them; for any other
 * the blocks are expanded to CSR first. tulle_plan_explain() says which of the two happened. */
#include <stdio.h>
#include <string.h>
#include <tulle.h>

enum { N = 2000, B = 3 };

int main(void)
{
	static int32_t block_ptr[N + 1], block_col[3 * N];
	static double val[3 * N * B * B], x[N * B], y[N * B];
	int32_t k = 0;
	for (int32_t i = 0; i < N; i++) {
		for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
			block_col[k] = j;
			/* 2 on the diagonal and -1 beside it, for each unknown; 1 couples the first two. Row by row. */
			double *block = val + (size_t)k * B * B;
			for (int n = 0; n < B; n++)
				block[n * B + n] = i == j ? 2 : -1;
			block[1] = i == j ? 1 : 0; /* zeros in a block are entries */
		}
		block_ptr[i + 1] = k;
	}
	for (int i = 0; i < N * B; i++)
		x[i] = 1;

	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	char text[4096] = "";
	tulle_status status =
	    tulle_matrix_from_bsr(NULL, N, N, B, B, TULLE_ROW_MAJOR, TULLE_I32, block_ptr, TULLE_I32,
	                          block_col, TULLE_F64, val, NULL, &a);
	if (!status)
		status = tulle_plan_create(
		    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = "bsell" }, &p);
	if (!status)
		status = tulle_mul_f64(p, 1.0, x, 0.0, y);

	/* x is all ones: the sum of a row is 0 inside and 1 at both ends, and 1 more for first unknowns. */
	int wrong = 0;
	for (int i = 0; i < N && !status; i++)
		for (int n = 0; n < B; n++)
			wrong += y[i * B + n] != (i == 0 || i == N - 1) + (n == 0);
	if (!status)
		tulle_plan_explain(p, text, sizeof text);
	const char *line = strstr(text, "\nblocks");
	if (status)
		fprintf(stderr, "%s: %s\n", tulle_status_name(status), tulle_last_error());
	else
		printf("%d wrong rows\n%.*s\n", wrong, line ? (int)strcspn(line + 1, "\n") : 0,
		       line ? line + 1 : "");
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	return status || wrong || !line;
}
