/* lossy.c -- options.lossy: each stored value is within the error that the plan states, the error of a row is
 * CSR's bound and what that may add, products have the bits of the rounded values in f64; and nothing is rounded
 * without a request. */
#include "inner.h"
#include "kit.h"
#include "shapes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static tulle_status plan_lossy(const tulle_matrix *a, const char *format, int lossy,
                               tulle_plan **plan)
{
	const tulle_plan_options o = { .size = sizeof o, .format = format, .lossy = lossy };

	*plan = NULL;
	return tulle_plan_create(a, &o, plan);
}

/* Bits after the leading one that a level keeps, and the largest ratio of two values in a chunk. */
static const struct {
	const char *name;
	int fraction, range;
} levels[] = { [TULLE_LOSSY_F32] = { "f32", 23, 0 },
	           [TULLE_LOSSY_F16] = { "f16", 10, 28 },
	           [TULLE_LOSSY_BF16] = { "bf16", 7, 126 } };

static double value_error(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };

	CHECK_OK(tulle_plan_describe(plan, &info));
	return info.value_error;
}

/* sum |a||x| of a row: an upper bound of it. */
static double size_of_row(const matrix *m, int64_t i, const double *x)
{
	double sum = 0;

	for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
		sum += fabs(m->val[k] * x[m->col[k]]) * (1 + 4 * DBL_EPSILON);
	return sum * (1 + (double)m->nnz * DBL_EPSILON);
}

static void check_rows(const matrix *m, const kit_oracle *oracle, const double *x, const double *y,
                       double error)
{
	double farthest = 0;

	for (int64_t i = 0; i < m->rows; i++) {
		const double rounding = error * size_of_row(m, i, x);
		double reference, bound;

		kit_oracle_row(oracle, i, &reference, &bound);
		/* The bound is one of the rounded values' sums: a little larger than that of the given. */
		bound = bound * (1 + error) + rounding;
		CHECK_THAT(fabs(y[i] - reference) <= bound, "y[%lld] = %.17g, not %.17g +- %g",
		           (long long)i, y[i], reference, bound);
		if (bound > 0 && fabs(y[i] - reference) / bound > farthest)
			farthest = fabs(y[i] - reference) / bound;
	}
	CHECK_THAT(m->nnz < 1000 || farthest > 1e-3, "nothing was rounded: the bound proves nothing");
}

/* ---- values and products ---- */

/* Each value is within the error, and some are as far off as half of it. */
static void check_values_of(const matrix *m, const double *rounded, double error)
{
	double farthest = 0;

	for (int64_t k = 0; k < m->nnz; k++) {
		const double off = fabs(rounded[k] - m->val[k]);

		CHECK_THAT(off <= error * fabs(m->val[k]), "value %lld is %.17g, not %.17g", (long long)k,
		           rounded[k], m->val[k]);
		if (m->val[k] != 0 && off / fabs(m->val[k]) > farthest)
			farthest = off / fabs(m->val[k]);
	}
	CHECK_THAT(m->nnz < 1000 || farthest > error / 2, "off by at most %g: the bound %g is far",
	           farthest, error);
}

static void same_bits(const double *y, const double *want, int64_t n, const char *what)
{
	CHECK_THAT(memcmp(y, want, (size_t)n * sizeof *y) == 0, "%s: not the bits of rounded values",
	           what);
}

/* The plan that holds the rounded values as doubles gives the same bits: one vector, several, A^T. */
static void check_rounded(const matrix *m, const tulle_plan *plan, const tulle_matrix *back,
                          const double *x)
{
	enum { VECTORS = 5 };
	const int64_t longest = m->rows > m->cols ? m->rows : m->cols;
	const tulle_plan_options o = {
		.size = sizeof o, .format = "sell", .op = TULLE_BOTH, .stores = 1
	};
	double *y = grab(VECTORS * longest, sizeof *y), *want = grab(VECTORS * longest, sizeof *y);
	tulle_plan *plain = NULL;

	memset(y, 0, (size_t)(VECTORS * longest) * sizeof *y);
	memset(want, 0, (size_t)(VECTORS * longest) * sizeof *y);
	if (CHECK_OK(tulle_plan_create(back, &o, &plain))) {
		CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		CHECK_OK(tulle_mul_f64(plain, 1, x, 0, want));
		same_bits(y, want, m->rows, "A x");
		CHECK_OK(tulle_mul_transposed_f64(plan, -2, x, 0, y));
		CHECK_OK(tulle_mul_transposed_f64(plain, -2, x, 0, want));
		same_bits(y, want, m->cols, "A^T x");
		CHECK_OK(tulle_mul_many_f64(plan, VECTORS, TULLE_ROW_MAJOR, 1, x, VECTORS, 0, y, VECTORS));
		CHECK_OK(
		    tulle_mul_many_f64(plain, VECTORS, TULLE_ROW_MAJOR, 1, x, VECTORS, 0, want, VECTORS));
		same_bits(y, want, VECTORS * m->rows, "several vectors");
	}
	tulle_plan_destroy(plain);
	free(y);
	free(want);
}

/* Sixteen values or fewer are stored as they are. The values of a row, and of its neighbours, are of one size: those
 * of a chunk have a scale, and those of the next another. */
static void set_values(matrix *m, int level, uint64_t seed)
{
	kit_random_fill(KIT_UNIFORM, seed, TULLE_F64, m->nnz, m->val);
	for (int64_t i = 0; level > TULLE_LOSSY_F32 && i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
			if (fabs(m->val[k]) < 1e-3)
				m->val[k] = k % 2 ? 0.7 : 0;
			m->val[k] = ldexp(m->val[k], (int)(i / 4 % 5) * (level == TULLE_LOSSY_F16 ? 4 : 24));
		}
}

static void check_level(const matrix *m, const tulle_matrix *a, const kit_oracle *oracle,
                        const double *x, double *y, int level, double *next)
{
	const tulle_plan_options o = {
		.size = sizeof o, .format = "sell", .op = TULLE_BOTH, .stores = 1, .lossy = level
	};
	const double error = m->nnz > 16 ? ldexp(1, -levels[level].fraction - 1) : 0;
	tulle_matrix *back = NULL;
	tulle_csr_view view = { .size = sizeof view };
	tulle_plan *plan = NULL;

	if (!CHECK_OK(tulle_plan_create(a, &o, &plan)))
		return;
	CHECK_THAT(value_error(plan) == error, "value_error is %g, not %g", value_error(plan), error);
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
	check_rows(m, oracle, x, y, error);
	if (CHECK_OK(tulle_matrix_from_plan(plan, &back)) &&
	    CHECK_OK(tulle_matrix_view_csr(back, &view))) {
		check_values_of(m, view.val, error);
		check_rounded(m, plan, back, x);
	}
	tulle_matrix_destroy(back);
	if (CHECK_OK(tulle_plan_update(plan, next)) && CHECK_OK(tulle_matrix_from_plan(plan, &back)) &&
	    CHECK_OK(tulle_matrix_view_csr(back, &view))) {
		matrix other = *m;

		other.val = next;
		check_values_of(&other, view.val, error);
		check_rounded(&other, plan, back, x);
		tulle_matrix_destroy(back);
	}
	tulle_plan_destroy(plan);
}

static void check_shape(tulle_context *context, matrix *m, int level)
{
	const int64_t longest = m->rows > m->cols ? m->rows : m->cols;
	double *x = grab(5 * longest, sizeof *x), *y = grab(m->rows, sizeof *y);
	double *next = grab(m->nnz, sizeof *next);
	tulle_csr_view view = { .size = sizeof view };
	kit_oracle *oracle = NULL;
	tulle_matrix *a;
	tulle_plan *plan;
	arrays arr;

	set_values(m, level, 5);
	memcpy(next, m->val, (size_t)m->nnz * sizeof *next);
	set_values(m, level, 3);
	kit_random_fill(KIT_UNIFORM, 4, TULLE_F64, 5 * longest, x);
	arr = cast(m, pairs[0], TULLE_F64, 0);
	a = borrow(context, m, pairs[0], TULLE_F64, &arr);
	check_about("%s, %s", levels[level].name, m->name);
	if (CHECK_OK(tulle_matrix_view_csr(a, &view)))
		oracle = kit_oracle_create(&view, TULLE_NORMAL, 1, x, 0, NULL);
	if (oracle) {
		check_level(m, a, oracle, x, y, level, next);
		if (CHECK_OK(plan_lossy(a, NULL, level, &plan)))
			CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		check_rows(m, oracle, x, y, value_error(plan));
		tulle_plan_destroy(plan);
	}
	kit_oracle_free(oracle);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	free(x);
	free(y);
	free(next);
}

/* What 16 bits cannot hold beside a larger value of the same rows is named; zeros, infinite values and NaN can be
 * kept beside all. */
static void check_range(tulle_context *context, int level)
{
	const int64_t lengths[] = { 9, 9, 9 };
	matrix m = matrix_new("three rows", 3, 9, lengths);

	for (int out = 0; out <= 1; out++) {
		tulle_matrix *a, *back = NULL;
		tulle_csr_view view = { .size = sizeof view };
		tulle_plan *plan;
		arrays arr;

		for (int64_t k = 0; k < m.nnz; k++) {
			m.col[k] = k % 9;
			m.val[k] = ldexp(1.1 + (double)k / 64, 600);
		}
		m.val[4] = INFINITY;
		m.val[5] = -0.0;
		m.val[6] = NAN;
		m.val[20] = ldexp(-1.7, 600 - levels[level].range - out);
		arr = cast(&m, pairs[0], TULLE_F64, 0);
		a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
		check_about("%s, range, %d", levels[level].name, out);
		if (out) {
			CHECK_STATUS(plan_lossy(a, NULL, level, &plan), TULLE_E_UNSUPPORTED);
			CHECK_WORDS(tulle_last_error(), "row 2 too small");
			CHECK_WORDS(tulle_last_error(), levels[level].name);
		} else if (CHECK_OK(plan_lossy(a, "sell", level, &plan)) &&
		           CHECK_OK(tulle_matrix_from_plan(plan, &back)) &&
		           CHECK_OK(tulle_matrix_view_csr(back, &view))) {
			const double *got = view.val;

			CHECK(isinf(got[4]) && got[5] == 0 && signbit(got[5]) && isnan(got[6]));
			CHECK(fabs(got[20] - m.val[20]) <= value_error(plan) * fabs(m.val[20]));
			tulle_matrix_destroy(back);
			tulle_plan_destroy(plan);
		}
		tulle_matrix_destroy(a);
		arrays_free(&arr);
	}
	matrix_free(&m);
}

/* Numbers of 16 bits are exact there, and so is every power of two of them. */
static void check_exact(tulle_context *context, int level)
{
	const int64_t lengths[] = { 60, 60 };
	matrix m = matrix_new("two rows", 2, 60, lengths);
	arrays arr;
	tulle_matrix *a;
	tulle_plan *plan;

	for (int64_t k = 0; k < m.nnz; k++) {
		m.col[k] = k % 60;
		m.val[k] = ldexp((double)(k + 1), -9);
	}
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
	check_about("%s, exact", levels[level].name);
	if (CHECK_OK(plan_lossy(a, "sell", level, &plan)))
		CHECK_THAT(value_error(plan) == 0, "values of 7 bits are exact");
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
}

/* What f32 cannot hold is named; what it holds exactly has no error. */
static void check_values(tulle_context *context)
{
	static const struct {
		double value;
		int fits;
	} cases[] = { { 1e300, 0 }, { 1e-300, 0 }, { 1e-42, 0 }, { -1e39, 0 }, { 0, 1 }, { 0.1, 1 } };
	const int64_t lengths[] = { 9, 9, 9 };
	matrix m = matrix_new("three rows", 3, 9, lengths);

	for (int64_t k = 0; k < m.nnz; k++)
		m.col[k] = k % 9;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		tulle_plan *plan;
		tulle_matrix *a;
		arrays arr;

		for (int64_t k = 0; k < m.nnz; k++)
			m.val[k] = 1.0 / (double)(3 + k);
		m.val[20] = cases[c].value;
		arr = cast(&m, pairs[0], TULLE_F64, 0);
		a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
		check_about("value %g", cases[c].value);
		if (cases[c].fits) {
			CHECK_OK(plan_lossy(a, NULL, 1, &plan));
			tulle_plan_destroy(plan);
		} else {
			CHECK_STATUS(plan_lossy(a, NULL, 1, &plan), TULLE_E_UNSUPPORTED);
			CHECK_WORDS(tulle_last_error(), "row 2 float");
		}
		tulle_matrix_destroy(a);
		arrays_free(&arr);
	}
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = 0.25 * (double)k;
	{
		arrays arr = cast(&m, pairs[0], TULLE_F64, 0);
		tulle_matrix *a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
		tulle_plan *plan;

		check_about("floats");
		if (CHECK_OK(plan_lossy(a, NULL, 1, &plan)))
			CHECK_THAT(value_error(plan) == 0, "exact floats have an error");
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		arrays_free(&arr);
	}
	matrix_free(&m);
}

/* No format rounds unless it is told to. */
static void check_unasked(tulle_context *context)
{
	const int64_t lengths[] = { 20, 20 };
	matrix m = matrix_new("two rows", 2, 20, lengths);
	const char *format;
	arrays arr;
	tulle_matrix *a;

	for (int64_t k = 0; k < m.nnz; k++) {
		m.col[k] = k % 20;
		m.val[k] = 1.0 / (double)(3 + k);
	}
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
	for (int f = 0; (format = tulle_formats(f)); f++) {
		tulle_plan *plan;
		tulle_status s = plan_lossy(a, format, 0, &plan);

		check_about("%s, unasked", format);
		if (!refused(format, s) && CHECK_OK(s))
			CHECK_THAT(value_error(plan) == 0, "rounded, but nobody asked");
		tulle_plan_destroy(plan);
		for (int level = TULLE_LOSSY_F32; level <= TULLE_LOSSY_BF16; level++) {
			s = plan_lossy(a, format, level, &plan);
			CHECK_THAT(s == TULLE_OK || s == TULLE_E_UNSUPPORTED, "status %d", (int)s);
			tulle_plan_destroy(plan);
		}
	}
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	matrix m;

	for (int i = 0; i < ISAS; i++) {
		tulle_context *context;

		if (!wants_isa(&o, isas[i]))
			continue;
		context = context_for(isas[i], 0, 0);
		for (int shape = 0; shape_at(shape, &m); shape++) {
			for (int level = TULLE_LOSSY_F32; level <= TULLE_LOSSY_BF16; level++)
				check_shape(context, &m, level);
			matrix_free(&m);
		}
		for (int level = TULLE_LOSSY_F16; level <= TULLE_LOSSY_BF16; level++) {
			check_range(context, level);
			check_exact(context, level);
		}
		check_values(context);
		check_unasked(context);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
		check_group("lossy, %s", isas[i]);
	}
	return check_end();
}
