/* lossy.c -- fewer bytes of the values for a known error: f64 values kept as f32, f16 or bf16, on request.
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

	static const tulle_lossy levels[] = { TULLE_LOSSY_F32, TULLE_LOSSY_F16, TULLE_LOSSY_BF16 };
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	tulle_plan_info info = { .size = sizeof info };
	int wrong = 0;
	tulle_status s = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                       TULLE_F64, val, NULL, &a);
	if (!s)
		s = tulle_plan_create(
		    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = "sell" }, &p);
	if (!s)
		s = tulle_mul_f64(p, 1.0, x, 0.0, exact);
	if (!s)
		s = tulle_plan_describe(p, &info);
	for (int n = 0; n < 3 && !s; n++) {
		tulle_plan_info less = { .size = sizeof less };
		tulle_plan *rounded = NULL;
		double worst = 0;
		s = tulle_plan_create(
		    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .lossy = (int)levels[n] },
		    &rounded);
		if (!s)
			s = tulle_mul_f64(rounded, 1.0, x, 0.0, y);
		if (!s)
			s = tulle_plan_describe(rounded, &less);
		for (int i = 0; i < N; i++) { /* all terms are positive: sum |a||x| is the row itself */
			const double error = fabs(y[i] - exact[i]) / exact[i];

			worst = error > worst ? error : worst;
		}
		printf("%s: %.1f bytes per nonzero instead of %.1f; relative error %.1e, promised %.1e\n",
		       s ? "failed" : less.stored_values, (double)less.bytes / N / 4,
		       (double)info.bytes / N / 4, worst, less.value_error);
		wrong += worst > 1.001 * less.value_error || less.bytes >= info.bytes;
		tulle_plan_destroy(rounded);
	}
	if (s)
		fprintf(stderr, "%s: %s\n", tulle_status_name(s), tulle_last_error());
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	return s != TULLE_OK || wrong > 0;
}
