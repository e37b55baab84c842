/* cg_loops.c -- the vector loops of conjugate gradients, one by one and in one pass, for solvers.py.
 *
 * Short vectors are in the cache, and starting a team would take longer than the loop. */
#include <stdint.h>

enum { SERIAL_BELOW = 200000 };

double cg_dot(int64_t n, const double *u, const double *v);
void cg_add(int64_t n, double a, const double *u, double *v);
void cg_turn(int64_t n, double beta, const double *r, double *p);
double cg_update(int64_t n, double alpha, double beta, double *p, const double *q, double *x,
                 double *r);

double cg_dot(int64_t n, const double *u, const double *v)
{
	double sum = 0;

#pragma omp parallel for simd reduction(+ : sum) if (parallel : n >= SERIAL_BELOW)
	for (int64_t i = 0; i < n; i++)
		sum += u[i] * v[i];
	return sum;
}

/* v += a u */
void cg_add(int64_t n, double a, const double *u, double *v)
{
#pragma omp parallel for simd if (parallel : n >= SERIAL_BELOW)
	for (int64_t i = 0; i < n; i++)
		v[i] += a * u[i];
}

/* p = r + beta p */
void cg_turn(int64_t n, double beta, const double *r, double *p)
{
#pragma omp parallel for simd if (parallel : n >= SERIAL_BELOW)
	for (int64_t i = 0; i < n; i++)
		p[i] = r[i] + beta * p[i];
}

/* x += alpha p, r -= alpha q, p = r + beta p; returns r.r */
double cg_update(int64_t n, double alpha, double beta, double *p, const double *q, double *x,
                 double *r)
{
	double sum = 0;

#pragma omp parallel for simd reduction(+ : sum) if (parallel : n >= SERIAL_BELOW)
	for (int64_t i = 0; i < n; i++) {
		x[i] += alpha * p[i];
		r[i] -= alpha * q[i];
		p[i] = r[i] + beta * p[i];
		sum += r[i] * r[i];
	}
	return sum;
}
