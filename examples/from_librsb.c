/* from_librsb.c -- the program of docs/migration/librsb.md, with tulle instead of librsb. */
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
	 * A = 0 3 0   as triplets, in any order
	 *     2 0 5 */
	const int32_t row[] = { 2, 0, 1, 0, 2 }, col[] = { 0, 0, 1, 2, 2 };
	const double val[] = { 2, 4, 3, 1, 5 };
	const double x[] = { 1, 2, 3 };
	double y[3] = { 0 }, z[3] = { 0 };
	const tulle_plan_options normal = {
		.size = sizeof normal, .multiplies = 10000, .effort = TULLE_MEASURE, .max_seconds = 2
	};
	const tulle_plan_options transposed = { .size = sizeof transposed, .op = TULLE_TRANSPOSED };
	tulle_matrix *matrix = NULL;
	tulle_plan *a = NULL, *at = NULL;
	char text[4096];

	check(tulle_matrix_from_coo(NULL, 3, 3, 5, TULLE_I32, row, col, TULLE_F64, val, NULL, &matrix),
	      "matrix");
	check(tulle_plan_create(matrix, &normal, &a), "plan for A");
	check(tulle_plan_create(matrix, &transposed, &at), "plan for A^T");

	check(tulle_mul_f64(a, 1.0, x, 0.0, y), "A x");
	check(tulle_mul_f64(at, 1.0, y, 0.0, z), "A^T y");
	printf("A x = %g %g %g, A^T A x = %g %g %g\n", y[0], y[1], y[2], z[0], z[1], z[2]);
	if (a && tulle_plan_explain(a, text, sizeof text))
		printf("%s\n", text);

	tulle_plan_destroy(a);
	tulle_plan_destroy(at);
	tulle_matrix_destroy(matrix);
	return !(y[0] == 7 && y[1] == 6 && y[2] == 17 && z[0] == 62 && z[1] == 18 && z[2] == 92);
}
