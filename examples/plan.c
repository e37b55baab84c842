/* plan.c -- let tulle choose the format, hear why, and keep what was measured for the next run. */
#include <stdio.h>
#include <stdlib.h>
#include <tulle.h>

enum { SIDE = 200, N = SIDE * SIDE };

/* -4 u in the middle, + u of the neighbours above, left, right and below: a grid of SIDE x SIDE. */
static void fill(int32_t *row_ptr, int32_t *col, double *val)
{
	static const int32_t step[] = { -SIDE, -1, 0, 1, SIDE };
	int32_t k = 0;

	for (int32_t i = 0; i < N; i++) {
		row_ptr[i] = k;
		for (int n = 0; n < 5; n++) {
			const int32_t j = i + step[n];
			const int other_line =
			    (step[n] == -1 && i % SIDE == 0) || (step[n] == 1 && j % SIDE == 0);

			if (j < 0 || j >= N || other_line)
				continue;
			col[k] = j;
			val[k++] = j == i ? -4 : 1;
		}
	}
	row_ptr[N] = k;
}

/* A plan for `multiplies` multiplications; prints what it is and why. */
static tulle_status plan(const tulle_matrix *a, double multiplies, tulle_effort effort,
                         const char *wisdom, tulle_plan **out)
{
	const tulle_plan_options options = { .size = sizeof options,
		                                 .multiplies = multiplies,
		                                 .effort = effort,
		                                 .max_seconds = 1,
		                                 .wisdom = wisdom };
	const tulle_status status = tulle_plan_create(a, &options, out);
	char text[8192];

	if (!status && tulle_plan_explain(*out, text, sizeof text))
		printf("%s\n", text);
	return status;
}

int main(void)
{
	static const char wisdom[] = "example-wisdom"; /* a program would keep it in a cache folder */
	static int32_t row_ptr[N + 1], col[5 * N];
	static double val[5 * N], x[N], y[N];
	tulle_matrix *a = NULL;
	tulle_plan *few = NULL, *many = NULL, *again = NULL;
	tulle_plan_info info = { .size = sizeof info };

	fill(row_ptr, col, val);
	for (int i = 0; i < N; i++)
		x[i] = 1;
	remove(wisdom);
	tulle_status status = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                            TULLE_F64, val, NULL, &a);
	/* Five multiplications pay no conversion; a million may, and are worth some measuring. */
	if (!status)
		status = plan(a, 5, TULLE_ESTIMATE, NULL, &few);
	if (!status)
		status = plan(a, 1e6, TULLE_MEASURE, wisdom, &many);
	/* The next run finds in the file what this one has measured, and only tries the best again. On a machine
	 * too busy for times that can be trusted nothing is stored, and it measures once more. */
	if (!status)
		status = plan(a, 1e6, TULLE_MEASURE, wisdom, &again);
	if (!status)
		status = tulle_plan_describe(again, &info);
	if (!status)
		status = tulle_mul_f64(again, 1.0, x, 0.0, y);
	if (status)
		fprintf(stderr, "%s: %s\n", tulle_status_name(status), tulle_last_error());
	tulle_plan_destroy(few);
	tulle_plan_destroy(many);
	tulle_plan_destroy(again);
	tulle_matrix_destroy(a);
	remove(wisdom);
	/* Inside the grid the sum is 0, in its corner -2. */
	return status || info.candidates == 0 || y[0] != -2 || y[N / 2 + SIDE / 2] != 0;
}
