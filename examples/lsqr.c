/* lsqr.c -- least squares by LSQR, which multiplies by A and by A^T in each step: a plan for both.
 *
 *     minimize ||A x - b||^2 + damp^2 ||x||^2
 *
 * Paige and Saunders, LSQR: An Algorithm for Sparse Linear Equations and Sparse Least Squares (ACM TOMS 8, 1982). A is
 * random with more rows than columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tulle.h>

enum { ROWS = 3000, COLS = 1000, PER_ROW = 6, MOST = 1000 };

static const double damp = 0.1;
static int32_t row_ptr[ROWS + 1], col[ROWS * PER_ROW];
static double val[ROWS * PER_ROW], b[ROWS], x[COLS];

static void check(tulle_status status)
{
	if (status != TULLE_OK) {
		fprintf(stderr, "%s\n", tulle_last_error());
		exit(1);
	}
}

static double random_unit(void) /* 0 .. 1, the same everywhere */
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 40) / (1 << 24);
}

static double norm(const double *v, int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sqrt(sum);
}

/* Divides v by its norm, which it returns. */
static double normalize(double *v, int n)
{
	const double length = norm(v, n);
	for (int i = 0; i < n && length > 0; i++)
		v[i] /= length;
	return length;
}

/* Solves from x = 0 until the gradient has shrunk by `tolerance`; returns the number of steps. */
static int solve(const tulle_plan *a, double tolerance)
{
	static double u[ROWS], v[COLS], w[COLS];
	int steps = 0;

	/* u and v become columns of U and V with A V = U B, B lower bidiagonal: alpha on, beta below the diagonal. */
	for (int i = 0; i < ROWS; i++)
		u[i] = b[i];
	double beta = normalize(u, ROWS);
	check(tulle_mul_transposed_f64(a, 1, u, 0, v));
	double alpha = normalize(v, COLS);
	for (int j = 0; j < COLS; j++)
		w[j] = v[j];

	double rho_bar = alpha, phi_bar = beta, gradient = alpha * beta;
	const double stop = tolerance * gradient;
	while (gradient > stop && steps++ < MOST) {
		check(tulle_mul_f64(a, 1, v, -alpha, u));
		beta = normalize(u, ROWS);
		check(tulle_mul_transposed_f64(a, 1, u, -beta, v));
		alpha = normalize(v, COLS);

		/* One rotation eliminates damp, the next one beta. */
		const double damped = hypot(rho_bar, damp), rho = hypot(damped, beta);
		const double cosine = damped / rho, sine = beta / rho, theta = sine * alpha;
		phi_bar *= rho_bar / damped;
		const double phi = cosine * phi_bar;
		for (int j = 0; j < COLS; j++) {
			x[j] += phi / rho * w[j];
			w[j] = v[j] - theta / rho * w[j];
		}
		phi_bar *= sine;
		rho_bar = -cosine * alpha;
		gradient = alpha * fabs(sine * phi);
	}
	return steps;
}

/* A bound of the distance between x and the solution: the norm of the gradient A^T (b - A x) - damp^2 x divided by
 * damp^2, since no eigenvalue of A^T A + damp^2 is smaller. By loops over the arrays, without the plans. */
static double error_bound(void)
{
	static double g[COLS];
	for (int j = 0; j < COLS; j++)
		g[j] = -damp * damp * x[j];
	for (int i = 0; i < ROWS; i++) {
		double r = b[i];
		for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			r -= val[k] * x[col[k]];
		for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			g[col[k]] += val[k] * r;
	}
	return norm(g, COLS) / (damp * damp);
}

int main(void)
{
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	tulle_plan_options options = { .size = sizeof options, .op = TULLE_BOTH, .multiplies = 200 };
	for (int k = 0; k < ROWS * PER_ROW; k++) {
		row_ptr[k / PER_ROW + 1] = k + 1;
		col[k] = (int32_t)(random_unit() * COLS);
		val[k] = 2 * random_unit() - 1;
	}
	for (int i = 0; i < ROWS; i++)
		b[i] = 2 * random_unit() - 1;
	check(tulle_matrix_from_csr(NULL, ROWS, COLS, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64,
	                            val, NULL, &a));
	check(tulle_plan_create(a, &options, &plan));

	const int steps = solve(plan, 1e-12);
	const double error = error_bound() / norm(x, COLS);
	printf("%d steps, error at most %.1e of x\n", steps, error);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	return !(error < 1e-8);
}
