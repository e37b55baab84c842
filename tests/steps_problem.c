/* steps_problem.c -- steps by types, what their results and dot products have to be, and one plan's checks. */
#include "steps_problem.h"
#include "wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, LANES = 16 };

static const double alpha = 1.5, beta = -0.75, gamma_w = 0.25;

void problem_new(problem *p, tulle_value_type type, const matrix *m, tulle_op op, int whole)
{
	const int t = op == TULLE_TRANSPOSED;
	uint64_t state = 99;

	*p = (problem){ .type = type, .whole = whole };
	p->rows = t ? m->cols : m->rows;
	p->cols = t ? m->rows : m->cols;
	p->x = grab(p->cols, value_size(type));
	p->w = grab(p->rows, value_size(type));
	p->result = grab(p->rows, value_size(type));
	p->want = grab(p->rows, value_size(type));
	for (int64_t j = 0; j < p->cols; j++)
		value_set(type, p->x, j,
		          whole ? (double)(random_below(&state, 9) - 4) : random_unit(&state));
	for (int64_t i = 0; i < p->rows; i++)
		value_set(type, p->w, i,
		          whole ? (double)(random_below(&state, 9) - 4) : random_unit(&state));
}

void problem_free(problem *p)
{
	free(p->x);
	free(p->w);
	free(p->result);
	free(p->want);
}

/* ---- the calls, by type ---- */

static tulle_status mul_dot(const tulle_plan *plan, const problem *p, double *xy, double *yy)
{
	return p->type == TULLE_F32 ? tulle_mul_dot_f32(plan, p->x, p->result, xy, yy)
	                            : tulle_mul_dot_f64(plan, p->x, p->result, xy, yy);
}

tulle_status residual(const tulle_plan *plan, const problem *p, const void *b, double *rr)
{
	return p->type == TULLE_F32 ? tulle_residual_f32(plan, p->x, b, p->result, rr)
	                            : tulle_residual_f64(plan, p->x, b, p->result, rr);
}

static tulle_status step(const tulle_plan *plan, const problem *p, double of_x, const void *w,
                         double *xz, double *zz)
{
	return p->type == TULLE_F32
	           ? tulle_step_f32(plan, (float)alpha, p->x, (float)of_x, (float)gamma_w, w, p->result,
	                            xz, zz)
	           : tulle_step_f64(plan, alpha, p->x, of_x, gamma_w, w, p->result, xz, zz);
}

/* p->want = factor A x + other b, by the call for products alone. */
static int want_product(const tulle_plan *plan, const problem *p, double factor, double other,
                        const void *b)
{
	return CHECK_OK(p->type == TULLE_F32
	                    ? tulle_mul_add_f32(plan, (float)factor, p->x, (float)other, b, p->want)
	                    : tulle_mul_add_f64(plan, factor, p->x, other, b, p->want));
}

static void want_beta_x(const problem *p)
{
	for (int64_t i = 0; i < p->rows; i++)
		if (p->type == TULLE_F32)
			((float *)p->want)[i] += (float)beta * ((const float *)p->x)[i];
		else
			((double *)p->want)[i] += beta * ((const double *)p->x)[i];
}

/* ---- what dot products have to be ---- */

static double sum_block(const problem *p, const void *a, int64_t i, int64_t end)
{
	double lane[LANES] = { 0 }, v[LANES / 2];

	for (int64_t n = 0; i + n < end; n++)
		lane[n % LANES] += value_at(p->type, a, i + n) * value_at(p->type, p->result, i + n);
	for (int l = 0; l < LANES / 2; l++)
		v[l] = lane[l] + lane[l + LANES / 2];
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* Blocks first .. first+n-1 added pairwise: neighbours, then pairs of neighbours. */
static double sum_blocks(const problem *p, const void *a, int64_t first, int64_t n)
{
	int64_t half = 1;

	if (n == 1) {
		const int64_t end = (first + 1) * BLOCK;

		return sum_block(p, a, first * BLOCK, end < p->rows ? end : p->rows);
	}
	while (2 * half < n)
		half *= 2;
	return sum_blocks(p, a, first, half) + sum_blocks(p, a, first + half, n - half);
}

/* Is `got` the dot product of `a` with the result: to the last bit, and within the bound? */
static void check_dot(const problem *p, const char *name, const void *a, double got)
{
	const int64_t blocks = (p->rows + BLOCK - 1) / BLOCK;
	const double want = blocks > 0 ? sum_blocks(p, a, 0, blocks) : 0;
	const double u = 0x1p-53, k = 21 + ceil(log2(fmax(1, (double)blocks)));
	kit_wide sum = 0, size = 0;

	for (int64_t i = 0; i < p->rows; i++) {
		const kit_wide term =
		    (kit_wide)value_at(p->type, a, i) * (kit_wide)value_at(p->type, p->result, i);

		sum += term;
		size += term < 0 ? -term : term;
	}
	CHECK_THAT(memcmp(&got, &want, sizeof got) == 0, "%s = %.17g, not the %.17g of its blocks",
	           name, got, want);
	CHECK_THAT(fabs((double)(got - sum)) <= k * u / (1 - k * u) * (double)size * (1 + 1e-15),
	           "%s = %.17g, exactly %.17g: beyond the bound", name, got, (double)sum);
	if (p->whole && (double)size < 0x1p48) /* sixteenths */
		CHECK_THAT(got == (double)sum, "%s = %.17g of whole numbers, not %.17g", name, got,
		           (double)sum);
}

static void check_result(const problem *p, const char *name)
{
	const size_t size = value_size(p->type);

	if (memcmp(p->result, p->want, (size_t)p->rows * size) == 0)
		return;
	for (int64_t i = 0; i < p->rows; i++)
		if (!CHECK_THAT(memcmp((const char *)p->result + (size_t)i * size,
		                       (const char *)p->want + (size_t)i * size, size) == 0,
		                "%s: row %lld is %.17g, not the %.17g of separate calls", name,
		                (long long)i, value_at(p->type, p->result, i),
		                value_at(p->type, p->want, i)))
			return;
}

/* ---- one plan ---- */

static void poison(const problem *p)
{
	value_fill(p->type, p->result, p->rows, (double)NAN);
}

static void check_mul_dot(const tulle_plan *plan, problem *p)
{
	double xy = -1, yy = -1;

	poison(p);
	if (!want_product(plan, p, 1, 0, NULL))
		return;
	if (p->rows != p->cols) {
		CHECK_STATUS(mul_dot(plan, p, &xy, &yy), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), "xy square");
		CHECK(xy == -1 && yy == -1 && (p->rows == 0 || isnan(value_at(p->type, p->result, 0))));
	}
	if (CHECK_OK(mul_dot(plan, p, p->rows == p->cols ? &xy : NULL, &yy))) {
		check_result(p, "y");
		check_dot(p, "yy", p->result, yy);
		if (p->rows == p->cols)
			check_dot(p, "xy", p->x, xy);
	}
	p->dots[0] = xy;
	p->dots[1] = yy;
}

static void check_residual(const tulle_plan *plan, problem *p)
{
	double rr = -1;

	poison(p);
	if (!want_product(plan, p, -1, 1, p->w) || !CHECK_OK(residual(plan, p, p->w, &rr)))
		return;
	check_result(p, "r");
	check_dot(p, "rr", p->result, rr);
	memcpy(p->result, p->w, (size_t)p->rows * value_size(p->type));
	CHECK_OK(residual(plan, p, p->result, NULL));
	check_result(p, "r that was b");
	p->dots[2] = rr;
}

static void check_step(const tulle_plan *plan, problem *p)
{
	const int square = p->rows == p->cols;
	double xz = -1, zz = -1;

	poison(p);
	if (!want_product(plan, p, alpha, gamma_w, p->w))
		return;
	if (square)
		want_beta_x(p);
	else
		CHECK_STATUS(step(plan, p, beta, p->w, NULL, &zz), TULLE_E_ARGUMENT);
	if (CHECK_OK(step(plan, p, square ? beta : 0, p->w, square ? &xz : NULL, &zz))) {
		check_result(p, "z");
		check_dot(p, "zz", p->result, zz);
		if (square)
			check_dot(p, "xz", p->x, xz);
	}
	memcpy(p->result, p->w, (size_t)p->rows * value_size(p->type));
	CHECK_OK(step(plan, p, square ? beta : 0, p->result, NULL, NULL));
	check_result(p, "z that was w");
	p->dots[3] = xz;
	p->dots[4] = zz;
}

void check_steps(const tulle_plan *plan, problem *p)
{
	check_mul_dot(plan, p);
	check_residual(plan, p);
	check_step(plan, p);
}
