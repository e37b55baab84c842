/* update.c -- new values, same pattern: keep the plan and only tell it the values.
 *
 * A time step or a Newton iteration changes the numbers of a matrix, seldom its pattern. Updating
 * keeps the layout that was chosen, which costs far less than a new plan. */
#include <stdio.h>
#include <tulle.h>

enum { N = 1000, STEPS = 5 };

/* Values of the tridiagonal matrix (-s, 2s + 1, -s), in the order of its arrays. */
static void coefficients(double s, const int32_t *row_ptr, const int32_t *col, double *val)
{
	for (int32_t i = 0; i < N; i++)
		for (int32_t k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			val[k] = col[k] == i ? 2 * s + 1 : -s;
}

int main(void)
{
	static int32_t row_ptr[N + 1], col[3 * N];
	static double val[3 * N], x[N], y[N];
	for (int32_t i = 0; i < N; i++) {
		int32_t k = row_ptr[i];
		for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++)
			col[k++] = j;
		row_ptr[i + 1] = k;
		x[i] = 1;
	}
	coefficients(0, row_ptr, col, val);

	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;
	tulle_status status = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                            TULLE_F64, val, NULL, &a);
	if (!status)
		status = tulle_plan_create(a, NULL, &p);

	/* x is all ones, so y[i] is the sum of row i: 1 inside, 1 + s in the two corners. */
	int wrong = 0;
	for (int s = 1; s <= STEPS && !status; s++) {
		coefficients(s, row_ptr, col, val);
		if ((status = tulle_plan_update(p, val)) || (status = tulle_mul_f64(p, 1.0, x, 0.0, y)))
			break;
		for (int i = 0; i < N; i++)
			wrong += y[i] != (i == 0 || i == N - 1 ? 1 + s : 1);
	}
	if (status)
		fprintf(stderr, "%s: %s\n", tulle_status_name(status), tulle_last_error());
	else
		printf("%d steps with one plan, %d wrong rows\n", STEPS, wrong);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	return status || wrong;
}
