/* lossy.c -- half the bytes of the values for a known error: f64 values kept as f32, on request.
 *
 * A preconditioner or the first steps of an iterative refinement rarely need all digits of A. */
#include <math.h>
#include <stdio.h>
#include <tulle.h>

enum { N = 20000 };

int main(void)
{
	static int32_t row_ptr[N + 1], col[4 * N];
	static double val[4 * N], x[N], exact[N], y[N];
	for (int32_t i = 0; i < N; i++) {
		for (int32_t n = 0; n < 4; n++) {
			val[4 * i + n] = 1.0 / (3 + i + n);
			col[4 * i + n] = (i * 7 + n * n * 31) % N;
		}
		row_ptr[i + 1] = 4 * (i + 1);
		x[i] = 1 + i % 5;
	}

	tulle_matrix *a = NULL;
	tulle_plan *p = NULL, *rounded = NULL;
	tulle_plan_info info = { .size = sizeof info }, less = { .size = sizeof less };
	double worst = 0;
	tulle_status s = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                       TULLE_F64, val, NULL, &a);
	if (!s)
		s = tulle_plan_create(
		    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = "sell" }, &p);
	if (!s)
		s = tulle_plan_create(
		    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .lossy = 1 }, &rounded);
	if (!s)
		s = tulle_mul_f64(p, 1.0, x, 0.0, exact);
	if (!s)
		s = tulle_mul_f64(rounded, 1.0, x, 0.0, y);
	if (!s)
		s = tulle_plan_describe(p, &info);
	if (!s)
		s = tulle_plan_describe(rounded, &less);
	if (s) {
		fprintf(stderr, "%s: %s\n", tulle_status_name(s), tulle_last_error());
		return 1;
	}
	for (int i = 0; i < N; i++) { /* all terms are positive: sum |a||x| is the row itself */
		const double error = fabs(y[i] - exact[i]) / exact[i];

		worst = error > worst ? error : worst;
	}
	printf("%.1f bytes per nonzero instead of %.1f; relative error %.1e, promised %.1e\n",
	       (double)less.bytes / (double)less.nnz, (double)info.bytes / (double)info.nnz, worst,
	       less.value_error);
	tulle_plan_destroy(p);
	tulle_plan_destroy(rounded);
	tulle_matrix_destroy(a);
	return worst > 1.001 * less.value_error || less.bytes >= info.bytes;
}
