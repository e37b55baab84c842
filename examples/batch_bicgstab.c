/* batch_bicgstab.c -- 10,000 small systems of different sizes and patterns solved together by BiCGSTAB, each
 * with its own scalars; every solution is compared with that of Gaussian elimination. */
#include <math.h>
#include <stdio.h>
#include <tulle_batch.h>

enum { COUNT = 10000, SMALLEST = 8, LARGEST = 40, MOST_STEPS = 200 };

static int64_t n[COUNT], at[COUNT + 1]; /* unknowns of each system, and where its vectors begin */
static int64_t row_at[COUNT], entry_at[COUNT];
static int32_t row_ptr[COUNT * (LARGEST + 1)], col[COUNT * LARGEST * 4];
static double val[COUNT * LARGEST * 4];
static double b[COUNT * LARGEST], x[COUNT * LARGEST], r[COUNT * LARGEST], p[COUNT * LARGEST];
static double v[COUNT * LARGEST], t[COUNT * LARGEST];

static double random_unit(void) /* 0 .. 1, the same everywhere */
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 40) / (1 << 24);
}

/* System i: neighbours and one entry somewhere, not symmetric, the diagonal a little larger than the rest. */
static void make_systems(void)
{
	int64_t rows = 0, k = 0;
	for (int i = 0; i < COUNT; i++) {
		const int64_t first = k;
		n[i] = SMALLEST + (int64_t)(random_unit() * (LARGEST - SMALLEST));
		at[i + 1] = at[i] + n[i];
		row_at[i] = rows;
		entry_at[i] = first;
		row_ptr[rows++] = 0;
		for (int32_t j = 0; j < n[i]; j++) {
			const int32_t to[] = { j - 1, j + 1, (int32_t)(random_unit() * (double)n[i]), j };
			for (int e = 0; e < 4; e++)
				if (to[e] >= 0 && to[e] < n[i]) {
					col[k] = to[e];
					val[k++] = e < 3 ? random_unit() - 0.3 : 2.2;
				}
			row_ptr[rows++] = (int32_t)(k - first);
		}
	}
}

/* The dense way; a dominant diagonal needs no pivots. y becomes the solution of system i. */
static void eliminate(int i, double *y)
{
	static double a[LARGEST][LARGEST];
	const int64_t m = n[i];
	for (int64_t j = 0; j < m; j++) {
		for (int64_t c = 0; c < m; c++)
			a[j][c] = 0;
		for (int64_t k = row_ptr[row_at[i] + j]; k < row_ptr[row_at[i] + j + 1]; k++)
			a[j][col[entry_at[i] + k]] += val[entry_at[i] + k];
	}
	for (int64_t q = 0; q < m; q++)
		for (int64_t j = q + 1; j < m; j++) {
			const double f = a[j][q] / a[q][q];
			for (int64_t c = q; c < m; c++)
				a[j][c] -= f * a[q][c];
			y[j] -= f * y[q];
		}
	for (int64_t j = m; j-- > 0; y[j] /= a[j][j])
		for (int64_t c = j + 1; c < m; c++)
			y[j] -= a[j][c] * y[c];
}

static double dot(int i, const double *u, const double *w)
{
	double sum = 0;
	for (int64_t j = at[i]; j < at[i + 1]; j++)
		sum += u[j] * w[j];
	return sum;
}

/* x of all systems; returns the number of steps that the slowest of them took. */
static int solve(const tulle_batch *a)
{
	static double rho[COUNT], alpha[COUNT], small[COUNT];
	int step, open = COUNT;
	for (int64_t j = 0; j < at[COUNT]; j++)
		r[j] = p[j] = b[j]; /* from x = 0; b is the shadow residual, too */
	for (int i = 0; i < COUNT; i++) {
		rho[i] = dot(i, b, r);
		small[i] = 1e-24 * rho[i]; /* of the squared residual */
	}
	for (step = 0; open > 0 && step < MOST_STEPS; step++) {
		if (tulle_batch_mul_f64(a, TULLE_PACKED, 1, p, 0, v))
			return -1;
		for (int i = 0; i < COUNT; i++) { /* a solved one stands still: alpha = 0 */
			alpha[i] = dot(i, r, r) > small[i] ? rho[i] / dot(i, b, v) : 0;
			for (int64_t j = at[i]; j < at[i + 1]; j++)
				r[j] -= alpha[i] * v[j];
		}
		if (tulle_batch_mul_f64(a, TULLE_PACKED, 1, r, 0, t))
			return -1;
		open = 0;
		for (int i = 0; i < COUNT; i++) {
			const double tt = dot(i, t, t), omega = alpha[i] != 0 && tt > 0 ? dot(i, t, r) / tt : 0;
			for (int64_t j = at[i]; j < at[i + 1]; j++) {
				x[j] += alpha[i] * p[j] + omega * r[j];
				r[j] -= omega * t[j];
			}
			const double next = dot(i, b, r),
			             beta = omega != 0 ? next / rho[i] * alpha[i] / omega : 0;
			rho[i] = next;
			for (int64_t j = at[i]; j < at[i + 1]; j++)
				p[j] = r[j] + beta * (p[j] - omega * v[j]);
			open += dot(i, r, r) > small[i];
		}
	}
	return step;
}

int main(void)
{
	double worst = 0;
	tulle_batch *a;
	make_systems();
	for (int64_t j = 0; j < at[COUNT]; j++)
		b[j] = random_unit();
	const tulle_batch_source source = {
		.size = sizeof source,
		.count = COUNT,
		.rows = n,
		.cols = n,
		.offset_type = TULLE_I32,
		.row_ptr = row_ptr,
		.column_type = TULLE_I32,
		.col = col,
		.value_type = TULLE_F64,
		.val = val,
	};
	if (tulle_batch_create(NULL, &source, NULL, &a)) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	const int steps = solve(a);
	for (int i = 0; i < COUNT; i++) {
		eliminate(i, b + at[i]);
		for (int64_t j = at[i]; j < at[i + 1]; j++)
			worst = fmax(worst, fabs(x[j] - b[j]));
	}
	printf("%d systems in %d steps, largest difference from elimination %.1e\n", COUNT, steps,
	       worst);
	tulle_batch_destroy(a);
	return steps > 0 && steps < MOST_STEPS && worst < 1e-8 ? 0 : 1;
}
