/* ordered.c -- reproducible = 2: every row is the sum that one fused multiply-add after the other,
 * in stored order, makes; the same bits on every instruction set that has the instruction.
 *
 * A format may refuse the request. Those that take it are held to it with each of their tunables. */
#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double fused(tulle_value_type type, double a, double b, double c)
{
	return type == TULLE_F64 ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
}

static double product(tulle_value_type type, double a, double b)
{
	return type == TULLE_F64 ? a * b : (double)((float)a * (float)b);
}

/* The definition, word for word. */
static void by_hand(const matrix *m, tulle_value_type type, double alpha, const void *x,
                    double beta, const void *b, void *y)
{
	for (int64_t i = 0; i < m->rows; i++) {
		double sum = 0;

		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			sum = fused(type, m->val[k], value_at(type, x, m->col[k]), sum);
		value_set(type, y, i, fused(type, beta, value_at(type, b, i), product(type, alpha, sum)));
	}
}

static void invent(matrix *m, tulle_value_type type, void *x, void *b)
{
	uint64_t state = 17;

	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = (double)(float)random_unit(&state);
	for (int64_t j = 0; j < m->cols; j++)
		value_set(type, x, j, random_unit(&state));
	for (int64_t i = 0; i < m->rows; i++)
		value_set(type, b, i, random_unit(&state));
}

/* Does the format take the request? Then its bits must be `wanted`. */
static int check_spec(const tulle_matrix *a, const matrix *m, const char *spec,
                      tulle_value_type type, const void *x, const void *b, const void *wanted)
{
	const tulle_plan_options o = { .size = sizeof o, .format = spec, .reproducible = 2 };
	tulle_plan *plan = NULL;
	void *y = grab(m->rows, value_size(type));
	const tulle_status s = tulle_plan_create(a, &o, &plan);

	if (s != TULLE_E_UNSUPPORTED && CHECK_OK(s) &&
	    CHECK_OK(multiply(plan, type, MUL_ADD, -0.7, x, 1.3, b, y, m->rows))) {
		int64_t wrong = -1, shown;

		for (int64_t i = 0; i < m->rows && wrong < 0; i++)
			if (value_at(type, y, i) != value_at(type, wanted, i))
				wrong = i;
		shown = wrong < 0 ? 0 : wrong;
		CHECK_THAT(wrong < 0, "y[%" PRId64 "] = %.17g, not %.17g as in stored order", shown,
		           value_at(type, y, shown), value_at(type, wanted, shown));
	}
	tulle_plan_destroy(plan);
	free(y);
	return s != TULLE_E_UNSUPPORTED;
}

static int check_format(const options *o, const char *format, tulle_value_type type, matrix m)
{
	void *x = grab(m.cols, value_size(type)), *b = grab(m.rows, value_size(type));
	void *wanted = grab(m.rows, value_size(type));
	arrays arr;
	char *spec;
	int taken = 0;

	invent(&m, type, x, b);
	by_hand(&m, type, type == TULLE_F64 ? -0.7 : (double)-0.7f, x,
	        type == TULLE_F64 ? 1.3 : (double)1.3f, b, wanted);
	arr = cast(&m, pairs[0], type, 0);
	for (int i = 0; i < ISAS; i++) {
		tulle_context *context =
		    wants_isa(o, isas[i]) && isa_available(isas[i]) ? context_for(isas[i], 2, 0) : NULL;
		tulle_matrix *a = context ? borrow(context, &m, pairs[0], type, &arr) : NULL;

		for (int n = 0; a && (spec = format_spec(format, n)); n++) {
			check_about("%s, %s, %s, %s", spec, isas[i], type_name(type), m.name);
			if (check_spec(a, &m, spec, type, x, b, wanted)) {
				CHECK_THAT(tulle__isa_fused((tulle__isa)i),
				           "these kernels have no fused multiply-add");
				taken++;
			}
			free(spec);
		}
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
	}
	check_group("%s %s %s: %d plans summed rows in stored order", format, type_name(type), m.name,
	            taken);
	arrays_free(&arr);
	free(wanted);
	free(b);
	free(x);
	matrix_free(&m);
	return taken;
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;
	int taken = 0;

	for (int f = 0; (format = tulle_formats(f)); f++)
		for (int t = TULLE_F32; wants_format(&o, format) && t <= TULLE_F64; t++)
			if (wants_type(&o, (tulle_value_type)t))
				taken += check_format(&o, format, (tulle_value_type)t, matrix_large(23)) +
				         check_format(&o, format, (tulle_value_type)t, matrix_level(23));
	check_about("all formats");
	if (fused_available())
		CHECK_THAT(o.format || taken > 0, "no format sums rows in stored order");
	return check_end();
}
