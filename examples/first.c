/* first.c -- multiply a sparse matrix by a vector, from its arrays to y. */
#include <stdio.h>
#include <tulle.h>

int main(void)
{
	/*     4 0 1
	 * A = 0 3 0   row i is col[k], val[k] for k = row_ptr[i] .. row_ptr[i+1] - 1
	 *     2 0 5                                                                  */
	const int32_t row_ptr[] = { 0, 2, 3, 5 };
	const int32_t col[] = { 0, 2, 1, 0, 2 };
	const double val[] = { 4, 1, 3, 2, 5 };
	const double x[] = { 1, 2, 3 };
	double y[3] = { 0 };

	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	if (tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, val, NULL,
	                          &a) ||
	    tulle_plan_create(a, NULL, &p) || tulle_mul_f64(p, 1.0, x, 0.0, y))
		fprintf(stderr, "tulle: %s\n", tulle_last_error());

	printf("y = %g %g %g\n", y[0], y[1], y[2]);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	return !(y[0] == 7 && y[1] == 6 && y[2] == 17);
}
