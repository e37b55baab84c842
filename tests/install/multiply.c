/* multiply.c -- an outside program: multiplies with the installed library and checks y. */
#include <stdio.h>
#include <tulle.h>

int main(void)
{
	const int64_t row_ptr[] = { 0, 2, 2, 5 };
	const int32_t col[] = { 0, 3, 1, 2, 3 };
	const double val[] = { 1, 2, 3, 4, 5 };
	const double x[] = { 1, 10, 100, 1000 };
	double y[] = { 1, 2, 3 };

	if (tulle_version() != TULLE_VERSION) {
		fprintf(stderr, "header %d, library %d\n", TULLE_VERSION, tulle_version());
		return 1;
	}
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	if (tulle_matrix_from_csr(NULL, 3, 4, TULLE_I64, row_ptr, TULLE_I32, col, TULLE_F64, val, NULL,
	                          &a) ||
	    tulle_plan_create(a, NULL, &p) || tulle_mul_f64(p, 1.0, x, -1.0, y)) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	printf("y = %g %g %g\n", y[0], y[1], y[2]);
	return !(y[0] == 2000 && y[1] == -2 && y[2] == 5427);
}
