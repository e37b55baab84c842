/* online.c -- conjugate gradients with a plan that is not told how many products there will be.
 *
 * The plan multiplies by csr at once. If the iteration goes on for long enough, it converts the matrix in the
 * background and changes the format between two products. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tulle.h>

enum { SIDE = 300, N = SIDE * SIDE, MOST_STEPS = 4000 };

static int32_t row_ptr[N + 1], col[5 * N];
static double val[5 * N], x[N], r[N], p[N], q[N];

/* The five-point stencil of a square grid: 4 on the diagonal, -1 for each neighbour. */
static void stencil(void)
{
	static const int step[][2] = { { -1, 0 }, { 0, -1 }, { 0, 0 }, { 0, 1 }, { 1, 0 } };
	int32_t k = 0;

	for (int i = 0; i < N; i++) {
		for (int s = 0; s < 5; s++) {
			const int row = i / SIDE + step[s][0], column = i % SIDE + step[s][1];
			if (row < 0 || row >= SIDE || column < 0 || column >= SIDE)
				continue;
			col[k] = row * SIDE + column;
			val[k++] = s == 2 ? 4 : -1;
		}
		row_ptr[i + 1] = k;
	}
}

static double dot(const double *a, const double *b)
{
	double sum = 0;
	for (int i = 0; i < N; i++)
		sum += a[i] * b[i];
	return sum;
}

/* A x = b with b all ones, from x = 0. Returns the steps, or -1 after a failure. */
static int solve(const tulle_plan *plan)
{
	double rr = N;
	int steps = 0;

	for (int i = 0; i < N; i++)
		r[i] = p[i] = 1;
	while (rr > 1e-20 * N && steps < MOST_STEPS) {
		if (tulle_mul_f64(plan, 1, p, 0, q) != TULLE_OK)
			return -1;
		const double alpha = rr / dot(p, q);
		double next = 0;
		for (int i = 0; i < N; i++) {
			x[i] += alpha * p[i];
			r[i] -= alpha * q[i];
			next += r[i] * r[i];
		}
		for (int i = 0; i < N; i++)
			p[i] = r[i] + next / rr * p[i];
		rr = next;
		steps++;
	}
	return steps;
}

int main(void)
{
	tulle_plan_info info = { .size = sizeof info };
	const tulle_plan_options options = { .size = sizeof options, .online = 1 };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	int steps = -1;

	stencil();
	tulle_status status = tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col,
	                                            TULLE_F64, val, NULL, &a);
	if (!status)
		status = tulle_plan_create(a, &options, &plan);
	if (!status)
		steps = solve(plan);
	if (!status && steps >= 0)
		status = tulle_plan_describe(plan, &info);
	if (status || steps < 0) {
		fprintf(stderr, "%s: %s\n", tulle_status_name(status), tulle_last_error());
		return 1;
	}
	printf("%d steps, %.0f of them before the phase was decided\n", steps, info.online_multiplies);
	printf("format at the end: %s; %s\n", info.format, info.online_why);

	/* The true residual: b - A x. */
	double worst = 0;
	status = tulle_mul_f64(plan, 1, x, 0, q);
	for (int i = 0; i < N; i++)
		worst = fmax(worst, fabs(1 - q[i]));
	printf("largest element of the residual: %.1e\n", worst);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	return status || !(worst < 1e-6);
}
