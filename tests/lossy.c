/* lossy.c -- options.lossy: the error of a row is CSR's bound and what rounding each value to f32 may
 * add, as the plan states it; and nothing is rounded that nobody asked to be. */
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

static void check_shape(tulle_context *context, matrix *m)
{
	double *x = grab(m->cols, sizeof *x), *y = grab(m->rows, sizeof *y);
	tulle_csr_view view = { .size = sizeof view };
	kit_oracle *oracle = NULL;
	tulle_matrix *a;
	tulle_plan *plan;
	arrays arr;

	kit_random_fill(KIT_UNIFORM, 3, TULLE_F64, m->nnz, m->val);
	kit_random_fill(KIT_UNIFORM, 4, TULLE_F64, m->cols, x);
	arr = cast(m, pairs[0], TULLE_F64, 0);
	a = borrow(context, m, pairs[0], TULLE_F64, &arr);
	check_about("%s", m->name);
	if (CHECK_OK(tulle_matrix_view_csr(a, &view)))
		oracle = kit_oracle_create(&view, TULLE_NORMAL, 1, x, 0, NULL);
	if (oracle && CHECK_OK(plan_lossy(a, NULL, 1, &plan))) {
		const double error = value_error(plan);

		CHECK_THAT(error == (m->nnz > 16 ? FLT_EPSILON / 2 : 0), "value_error is %g", error);
		CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		check_rows(m, oracle, x, y, error);
		tulle_plan_destroy(plan);
	}
	kit_oracle_free(oracle);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	free(x);
	free(y);
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
		s = plan_lossy(a, format, 1, &plan);
		CHECK_THAT(s == TULLE_OK || s == TULLE_E_UNSUPPORTED, "status %d", (int)s);
		tulle_plan_destroy(plan);
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
			check_shape(context, &m);
			matrix_free(&m);
		}
		check_values(context);
		check_unasked(context);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
		check_group("lossy, %s", isas[i]);
	}
	return check_end();
}
