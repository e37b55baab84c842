/* pdlp.c -- linear programs by PDLP, a restarted primal-dual hybrid gradient method, which uses A in products
 * only, A x and A^T y in each iteration: a plan for both.
 *
 *     minimize c.x  subject to  (A x)_i >= b_i for i < inequalities, (A x)_i = b_i for the others,  0 <= x <= upper
 *
 * Usage: pdlp [FILE]; FILE has A in Matrix Market format. Without it A is random. b, c and upper are made from a known
 * optimal pair of x and y, so the optimal value is known. Applegate et al., Practical Large-Scale Linear Programming
 * using Primal-Dual Hybrid Gradient (NeurIPS 2021), describe the method; Lu and Yang, cuPDLP.jl (2023), the restarts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tulle.h>

enum { ROWS = 400, COLS = 800, PER_ROW = 8 }; /* of the random matrix */
enum { CHECK = 64, MOST = 200000 };           /* iterations between checks of residuals; limit */
static const double epsilon = 1e-8;           /* relative size of residuals and gap at the end */

static tulle_plan *plan;
static const tulle_plan *transposed; /* the part of the plan that multiplies by A^T */
static int64_t rows, cols, inequalities;
static int64_t length; /* of a point: x, then y, then A^T y, which moves along with y */
static double *b, *c, *upper, *best, optimum; /* the program, an optimal point and its value */
static double *scale2;                        /* squares of the scales of columns, then of rows */
static double *work;                          /* one element per column, then one per row */
static double *vectors[16];                   /* all that vector() made, to be freed at the end */
static int vector_count;

static double *vector(int64_t n)
{
	double *v = calloc((size_t)n + 1, sizeof *v);
	if (!v)
		abort(); /* out of memory */
	return vectors[vector_count++] = v;
}

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

static double dot(const double *u, const double *v, int64_t n)
{
	double sum = 0;
	for (int64_t i = 0; i < n; i++)
		sum += u[i] * v[i];
	return sum;
}

static double norm(const double *u, int64_t n)
{
	return sqrt(dot(u, u, n));
}

static tulle_matrix *random_matrix(void)
{
	static int32_t row_ptr[ROWS + 1], col[ROWS * PER_ROW];
	static double val[ROWS * PER_ROW];
	tulle_matrix *a = NULL;
	for (int k = 0; k < ROWS * PER_ROW; k++) {
		row_ptr[k / PER_ROW + 1] = k + 1;
		col[k] = (int32_t)(random_unit() * COLS);
		val[k] = 2 * random_unit() - 1;
	}
	check(tulle_matrix_from_csr(NULL, ROWS, COLS, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64,
	                            val, NULL, &a));
	return a;
}

/* b, c and upper for which a random pair is optimal: of each bound and its multiplier one is zero. */
static void make_program(void)
{
	double *x = best, *y = best + cols;
	for (int64_t j = 0; j < cols; j++) {
		upper[j] = random_unit() < 0.2 ? 1 : INFINITY;
		if (upper[j] == 1 && random_unit() < 0.3) {
			x[j] = 1;
			c[j] = -0.1 - random_unit();
		} else if (random_unit() < 0.2)
			x[j] = 0.1 + 0.8 * random_unit();
		else
			c[j] = 0.1 + random_unit();
	}
	for (int64_t i = 0; i < rows; i++) {
		const int tight = i >= inequalities || random_unit() < 0.7;
		y[i] = tight ? 2 * random_unit() - 1 : 0;
		b[i] = tight ? 0 : -0.1 - random_unit();
		if (i < inequalities)
			y[i] = fabs(y[i]);
	}
	check(tulle_mul_f64(plan, 1, x, 1, b));
	check(tulle_mul_f64(transposed, 1, y, 1, c));
	optimum = dot(c, x, cols);
}

static int64_t index_at(tulle_index_type type, const void *array, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)array)[k] : ((const int64_t *)array)[k];
}

/* Scales that give rows and columns of A similar sizes: ten passes of Ruiz by largest entries, then one of
 * Pock and Chambolle by sums. Instead of a scaled copy of A, each variable has its own step size. */
static void find_scales(const tulle_csr_view *a)
{
	for (int64_t i = 0; i < cols + rows; i++)
		scale2[i] = 1;
	for (int pass = 0; pass <= 10; pass++) {
		memset(work, 0, (size_t)(cols + rows) * sizeof *work);
		for (int64_t i = 0; i < rows; i++)
			for (int64_t k = index_at(a->offset_type, a->row_ptr, i);
			     k < index_at(a->offset_type, a->row_ptr, i + 1); k++) {
				const int64_t j = index_at(a->column_type, a->col, k);
				const double value = a->val ? ((const double *)a->val)[k] : 1;
				const double entry = fabs(value) * sqrt(scale2[j] * scale2[cols + i]);
				work[j] = pass < 10 ? fmax(work[j], entry) : work[j] + entry;
				work[cols + i] = pass < 10 ? fmax(work[cols + i], entry) : work[cols + i] + entry;
			}
		for (int64_t i = 0; i < cols + rows; i++)
			scale2[i] /= work[i] > 0 ? work[i] : 1;
	}
}

/* The squared norms of the change of x and of y between two points, in scaled variables. */
static void distances(const double *z, const double *w, double *dx2, double *dy2)
{
	*dx2 = *dy2 = 0;
	for (int64_t i = 0; i < cols + rows; i++)
		*(i < cols ? dx2 : dy2) += (z[i] - w[i]) * (z[i] - w[i]) / scale2[i];
}

struct found {
	double primal, dual, gap; /* norms of residuals; difference of the objective values */
	double objective, dual_objective;
};

static struct found residuals(const double *z)
{
	double *s = work, *r = work + cols;
	struct found f = { .objective = dot(c, z, cols), .dual_objective = dot(b, z + cols, rows) };
	check(tulle_mul_add_f64(plan, -1, z, 1, b, r));
	check(tulle_mul_add_f64(transposed, -1, z + cols, 1, c, s));
	for (int64_t i = 0; i < rows; i++)
		if (i >= inequalities || r[i] > 0)
			f.primal += r[i] * r[i];
	for (int64_t j = 0; j < cols; j++)
		if (s[j] < 0 && upper[j] < INFINITY)
			f.dual_objective += upper[j] * s[j];
		else if (s[j] < 0) /* no bound compensates for it */
			f.dual += s[j] * s[j];
	f.primal = sqrt(f.primal);
	f.dual = sqrt(f.dual);
	f.gap = fabs(f.objective - f.dual_objective);
	return f;
}

static int converged(struct found f)
{
	return f.primal <= epsilon * (1 + norm(b, rows)) && f.dual <= epsilon * (1 + norm(c, cols)) &&
	       f.gap <= epsilon * (1 + fabs(f.objective) + fabs(f.dual_objective));
}

static double weighted_error(struct found f, double weight)
{
	return hypot(hypot(weight * f.primal, f.dual / weight), f.gap);
}

/* Iteration k, from z to next. Returns the step size used; it is reduced until it is within the limit for its own change
 * of x and y. *eta becomes the first step size to try next time. */
static double step(int k, double weight, const double *z, double *next, double *eta)
{
	const double *x = z, *y = z + cols, *aty = y + rows;
	double *next_x = next, *next_y = next + cols, *next_aty = next_y + rows, *ahead = work;
	for (;;) {
		const double used = *eta;
		double interaction = 0, dx2, dy2;
		for (int64_t j = 0; j < cols; j++) {
			next_x[j] = x[j] - used / weight * scale2[j] * (c[j] - aty[j]);
			next_x[j] = fmin(fmax(next_x[j], 0), upper[j]);
			ahead[j] = 2 * next_x[j] - x[j];
		}
		check(tulle_mul_add_f64(plan, -1, ahead, 1, b, next_y));
		for (int64_t i = 0; i < rows; i++) {
			next_y[i] = y[i] + used * weight * scale2[cols + i] * next_y[i];
			if (i < inequalities)
				next_y[i] = fmax(next_y[i], 0);
		}
		check(tulle_mul_f64(transposed, 1, next_y, 0, next_aty));
		for (int64_t j = 0; j < cols; j++)
			interaction += (next_x[j] - x[j]) * (next_aty[j] - aty[j]);
		distances(next, z, &dx2, &dy2);
		const double movement = weight * dx2 + dy2 / weight;
		const double limit = interaction == 0 ? INFINITY : movement / (2 * fabs(interaction));
		*eta = fmin((1 - pow(k + 1, -0.3)) * limit, (1 + pow(k + 1, -0.6)) * used);
		if (!(used > limit)) /* also if a value of A is NaN */
			return used;
	}
}

/* Returns the number of iterations, with the solution in z and its residuals in *found; 0: too many. */
static int solve(double *z, struct found *found)
{
	const size_t bytes = (size_t)length * sizeof *z;
	double *next = vector(length), *start = vector(length);
	double *sum = vector(length), *mean = vector(length);
	double weight = (1 + norm(c, cols)) / (1 + norm(b, rows));
	double eta = 1; /* rows and columns of the scaled matrix are about 1 in size */
	double dx2, dy2, total = 0, start_error = INFINITY, last_error = INFINITY;
	for (int k = 1, since = 1; k <= MOST; k++, since++) {
		const double used = step(k, weight, z, next, &eta);
		memcpy(z, next, bytes);
		total += used;
		for (int64_t i = 0; i < length; i++)
			sum[i] += used * z[i];
		if (k % CHECK != 0)
			continue;

		/* Take the better one: the latest point, or the mean of all points since the restart. */
		for (int64_t i = 0; i < length; i++)
			mean[i] = sum[i] / total;
		const struct found of_z = residuals(z), of_mean = residuals(mean);
		const int use_mean = weighted_error(of_mean, weight) < weighted_error(of_z, weight);
		*found = use_mean ? of_mean : of_z;
		const double now = weighted_error(*found, weight);
		const int done = converged(*found);
		if (!done && now > 0.2 * start_error && since < 0.36 * k &&
		    (now > 0.8 * start_error || now <= last_error)) {
			last_error = now;
			continue;
		}
		if (use_mean)
			memcpy(z, mean, bytes);
		if (done)
			return k;
		/* Restart from z. The weight balances how far x and y have moved. */
		distances(z, start, &dx2, &dy2);
		if (dx2 > 0 && dy2 > 0)
			weight = sqrt(weight * sqrt(dy2 / dx2));
		start_error = weighted_error(*found, weight);
		last_error = INFINITY;
		memcpy(start, z, bytes);
		memset(sum, 0, bytes);
		total = since = 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	tulle_matrix *a = argc > 1 ? NULL : random_matrix();
	tulle_csr_view view = { .size = sizeof view };
	tulle_plan_options options = { .size = sizeof options, .op = TULLE_BOTH, .multiplies = 10000 };
	struct found found = { 0 };
	if (argc > 1)
		check(tulle_matrix_read(NULL, argv[1], NULL, &a));
	check(tulle_matrix_view_csr(a, &view));
	check(tulle_plan_create(a, &options, &plan));
	transposed = tulle_plan_transposed(plan);
	rows = view.rows;
	cols = view.cols;
	inequalities = rows / 2;
	length = 2 * cols + rows;
	b = vector(rows);
	c = vector(cols);
	upper = vector(cols);
	best = vector(length);
	scale2 = vector(cols + rows);
	work = vector(cols + rows);
	make_program();
	find_scales(&view);

	double *z = vector(length);
	const int iterations = solve(z, &found);
	/* By weak duality c.x is at least optimum - y.primal and the dual objective at most optimum + x.dual, with the
	 * optimal x and y. The last term bounds the rounding of the two values compared. */
	const double bound =
	    found.gap + norm(best, cols) * found.dual + norm(best + cols, rows) * found.primal +
	    (double)cols * 0x1p-53 * norm(c, cols) * (norm(z, cols) + norm(best, cols));
	const double difference = fabs(found.objective - optimum);
	printf("%d iterations: primal residual %.1e, dual residual %.1e, gap %.1e\n", iterations,
	       found.primal, found.dual, found.gap);
	printf("objective %.9g, optimum %.9g, difference %.1e, bound %.1e\n", found.objective, optimum,
	       difference, bound);
	while (vector_count > 0)
		free(vectors[--vector_count]);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	return !(iterations > 0 && difference <= bound);
}
