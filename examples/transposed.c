/* transposed.c -- A x and A^T y from one matrix: two plans, one set of arrays.
 *
 * Least squares, PageRank and adjoint codes need both products. The operation belongs to the plan,
 * so each of the two is as fast as it can be; the matrix behind them is shared. */
#include <stdio.h>
#include <tulle.h>

enum { ROWS = 4, COLS = 3 };

static double dot(const double *a, const double *b, int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, tulle_last_error());
	return 1;
}

int main(void)
{
	const int64_t row_ptr[] = { 0, 1, 3, 3, 5 }; /* row 2 is empty */
	const int32_t col[] = { 1, 0, 2, 0, 1 };
	const double val[] = { 2, -1, 3, 5, 4 };
	const double x[COLS] = { 1, 2, 3 }, w[ROWS] = { 4, 3, 2, 1 };
	double ax[ROWS], atw[COLS];

	tulle_matrix *a = NULL;
	tulle_plan *normal = NULL, *transposed = NULL;
	if (tulle_matrix_from_csr(NULL, ROWS, COLS, TULLE_I64, row_ptr, TULLE_I32, col, TULLE_F64, val,
	                          NULL, &a))
		return fail("matrix");
	if (tulle_plan_create(a, NULL, &normal))
		return fail("plan");
	const tulle_plan_options options = { .size = sizeof options, .op = TULLE_TRANSPOSED };
	if (tulle_plan_create(a, &options, &transposed))
		return fail("transposed plan");
	tulle_matrix_destroy(a); /* the plans hold it as long as they need it */

	if (tulle_mul_f64(normal, 1.0, x, 0.0, ax) || tulle_mul_f64(transposed, 1.0, w, 0.0, atw))
		return fail("multiply");
	tulle_plan_destroy(normal);
	tulle_plan_destroy(transposed);

	/* What makes A^T the transpose of A: <A x, w> = <x, A^T w>. */
	const double left = dot(ax, w, ROWS), right = dot(x, atw, COLS);
	printf("<A x, w> = %g, <x, A^T w> = %g\n", left, right);
	return !(left == right && left == 53);
}
