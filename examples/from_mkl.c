/* from_mkl.c -- the program of docs/migration/mkl.md, with tulle instead of MKL. */
#include <stdio.h>
#include <tulle.h>

static void check(tulle_status status, const char *what)
{
	if (status)
		fprintf(stderr, "%s: %s\n", what, tulle_last_error());
}

int main(void)
{
	/*     4 0 1
	 * A = 0 3 0
	 *     2 0 5 */
	const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
	const double val[] = { 4, 1, 3, 2, 5 }, doubled[] = { 8, 2, 6, 4, 10 };
	const double x[] = { 1, 2, 3 }, many_x[] = { 1, 10, 2, 20, 3, 30 };
	double y[3] = { 0 }, z[3] = { 0 }, many_y[6] = { 0 };
	const tulle_plan_options normal = { .size = sizeof normal, .multiplies = 500 };
	const tulle_plan_options transposed = { .size = sizeof transposed,
		                                    .multiplies = 500,
		                                    .op = TULLE_TRANSPOSED };
	tulle_matrix *matrix = NULL;
	tulle_plan *a = NULL, *at = NULL;

	check(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, val,
	                            NULL, &matrix),
	      "matrix");
	check(tulle_plan_create(matrix, &normal, &a), "plan for A");
	check(tulle_plan_create(matrix, &transposed, &at), "plan for A^T");

	check(tulle_mul_f64(a, 1.0, x, 0.0, y), "A x");
	check(tulle_mul_f64(at, 1.0, y, 0.0, z), "A^T y");
	check(tulle_mul_many_f64(a, 2, TULLE_ROW_MAJOR, 1.0, many_x, 2, 0.0, many_y, 2), "A X");
	printf("A x = %g %g %g, A^T A x = %g %g %g\n", y[0], y[1], y[2], z[0], z[1], z[2]);
	printf("second column of A X = %g %g %g\n", many_y[1], many_y[3], many_y[5]);

	check(tulle_plan_update(a, doubled), "new values");
	check(tulle_mul_f64(a, 1.0, x, 0.0, y), "A x");
	printf("2 A x = %g %g %g\n", y[0], y[1], y[2]);

	tulle_plan_destroy(a);
	tulle_plan_destroy(at);
	tulle_matrix_destroy(matrix);
	return !(y[0] == 14 && y[1] == 12 && y[2] == 34 && z[0] == 62 && z[1] == 18 && z[2] == 92 &&
	         many_y[1] == 70 && many_y[3] == 60 && many_y[5] == 170);
}
