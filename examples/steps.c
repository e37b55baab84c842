/* steps.c -- conjugate gradients with separate calls and with the steps of tulle.h, which compute dot products
 * during the product: fewer passes over the vectors for the same iterations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tulle.h>

enum { SIDE = 60, N = SIDE * SIDE, MOST = 1000 };

static int row_ptr[N + 1], col[5 * N];
static double val[5 * N], b[N], x[N], r[N], p[N], q[N];

static void add(int *k, int j, double v)
{
	col[*k] = j;
	val[(*k)++] = v;
}

/* Heat in a plate whose edges are kept at zero: the five-point stencil. */
static void assemble(void)
{
	int k = 0;

	for (int i = 0; i < N; i++) {
		if (i >= SIDE)
			add(&k, i - SIDE, -1);
		if (i % SIDE > 0)
			add(&k, i - 1, -1);
		add(&k, i, 4);
		if (i % SIDE < SIDE - 1)
			add(&k, i + 1, -1);
		if (i < N - SIDE)
			add(&k, i + SIDE, -1);
		row_ptr[i + 1] = k;
		b[i] = 1;
	}
}

static void check(tulle_status status)
{
	if (status == TULLE_OK)
		return;
	fprintf(stderr, "%s\n", tulle_last_error());
	exit(1);
}

static double dot(const double *u, const double *v)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += u[i] * v[i];
	return sum;
}

/* As in every textbook: six passes over vectors in each iteration. */
static int solve_separately(const tulle_plan *a, double stop)
{
	int iterations = 0;
	double rr;

	check(tulle_mul_add_f64(a, -1, x, 1, b, r));
	rr = dot(r, r);
	for (int i = 0; i < N; i++)
		p[i] = r[i];
	for (; rr > stop && iterations < MOST; iterations++) {
		double alpha, old = rr;

		check(tulle_mul_f64(a, 1, p, 0, q));
		alpha = rr / dot(p, q);
		for (int i = 0; i < N; i++)
			x[i] += alpha * p[i];
		for (int i = 0; i < N; i++)
			r[i] -= alpha * q[i];
		rr = dot(r, r);
		for (int i = 0; i < N; i++)
			p[i] = r[i] + rr / old * p[i];
	}
	return iterations;
}

/* Two passes: the product with p.q and q.q, then all updates. The next r is orthogonal to this one, so its r.r is
 * alpha^2 q.q - r.r, which is known before the next r is (Meurant, Parallel Computing 5, 1987). It is used for
 * beta only: from one iteration to the next its rounding errors would grow. So r.r is summed as well. */
static int solve_by_steps(const tulle_plan *a, double stop)
{
	int iterations = 0;
	double rr;

	check(tulle_residual_f64(a, x, b, r, &rr));
	for (int i = 0; i < N; i++)
		p[i] = r[i];
	for (; rr > stop && iterations < MOST; iterations++) {
		double pq, qq, alpha, beta, sum = 0;

		check(tulle_mul_dot_f64(a, p, q, &pq, &qq));
		alpha = rr / pq;
		beta = (alpha * alpha * qq - rr) / rr;
		for (int i = 0; i < N; i++) {
			x[i] += alpha * p[i];
			r[i] -= alpha * q[i];
			p[i] = r[i] + beta * p[i];
			sum += r[i] * r[i];
		}
		rr = sum;
	}
	return iterations;
}

/* Solves from x = 0; returns the relative residual. */
static double solve(const tulle_plan *a, const char *name,
                    int (*solver)(const tulle_plan *a, double stop))
{
	const double bb = dot(b, b);
	int iterations;
	double rr;

	for (int i = 0; i < N; i++)
		x[i] = 0;
	iterations = solver(a, 1e-20 * bb);
	check(tulle_residual_f64(a, x, b, r, &rr));
	printf("%-16s %d iterations, residual %.1e\n", name, iterations, sqrt(rr / bb));
	return sqrt(rr / bb);
}

int main(void)
{
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	double separate, steps;

	assemble();
	check(tulle_matrix_from_csr(NULL, N, N, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, val,
	                            NULL, &a));
	check(tulle_plan_create(a, NULL, &plan));
	separate = solve(plan, "separate calls:", solve_separately);
	steps = solve(plan, "steps:", solve_by_steps);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	return !(separate < 1e-9 && steps < 1e-9);
}
