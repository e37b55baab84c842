/* formats.c -- the same product in every storage format, and one entry changed where it lies.
 *
 * Name a format when you compare them or know your matrix; leave options.format NULL otherwise. */
#include <stdio.h>
#include <tulle.h>

enum { N = 1000 };

/* Rows of y = A x that are not `inside`, nor `corner` in the two corners. */
static int wrong_rows(const double *y, double inside, double corner)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		wrong += y[i] != (i == 0 || i == N - 1 ? corner : inside);
	return wrong;
}

int main(void)
{
	static int32_t row_ptr[N + 1], col[3 * N];
	static double val[3 * N], x[N], y[N];
	for (int32_t i = 0; i < N; i++) {
		int32_t k = row_ptr[i];
		for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
			val[k] = j == i ? 2 : -1;
			col[k++] = j;
		}
		row_ptr[i + 1] = k;
		x[i] = 1;
	}

	tulle_matrix *a = NULL;
	const char *format;
	int wrong = 0;
	tulle_status status = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                            TULLE_F64, val, NULL, &a);

	for (int f = 0; !status && (format = tulle_formats(f)); f++) {
		const tulle_plan_options options = { .size = sizeof options, .format = format };
		tulle_plan_info info = { .size = sizeof info };
		tulle_plan *p = NULL;

		if (!(status = tulle_plan_create(a, &options, &p)) &&
		    !(status = tulle_mul_f64(p, 1.0, x, 0.0, y)) &&
		    !(status = tulle_plan_describe(p, &info))) {
			wrong += wrong_rows(y, 0, 1);
			printf("%-9s %5.1f bytes per nonzero  %s\n", info.format,
			       (double)info.bytes / (double)info.nnz, info.note);
			/* Not every format can: UNSUPPORTED is an answer, not a failure. */
			if (!tulle_plan_set(p, 0, 0, 3) && !(status = tulle_mul_f64(p, 1.0, x, 0.0, y)))
				wrong += y[0] != 2;
		}
		tulle_plan_destroy(p);
	}
	if (status)
		fprintf(stderr, "%s: %s\n", tulle_status_name(status), tulle_last_error());
	tulle_matrix_destroy(a);
	return status || wrong;
}
