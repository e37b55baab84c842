/* entry.c -- tulle_plan_get and tulle_plan_set: every entry of every format that offers them reads as
 * the matrix has it, and a changed one multiplies as in a new plan, bit for bit. */
#include "shapes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* The value of the first entry at row i and column j of the wide copy; 0 when there is none. */
static double first_at(const matrix *m, int64_t i, int64_t j, int64_t *at)
{
	for (*at = m->row_ptr[i]; *at < m->row_ptr[i + 1]; ++*at)
		if (m->col[*at] == j)
			return m->val[*at];
	*at = -1;
	return 0;
}

static void same_product(const tulle_plan *plan, const tulle_plan *fresh, const matrix *m,
                         tulle_value_type type)
{
	void *x = grab(m->cols, value_size(type)), *y = grab(m->rows, value_size(type));
	void *want = grab(m->rows, value_size(type));

	value_fill(type, x, m->cols, 1.25);
	CHECK_OK(mul(plan, type, 1, x, 0, y));
	CHECK_OK(mul(fresh, type, 1, x, 0, want));
	CHECK_THAT(memcmp(y, want, (size_t)m->rows * value_size(type)) == 0,
	           "a changed entry does not multiply as in a new plan");
	free(x);
	free(y);
	free(want);
}

/* Change every seventh entry, then compare with a plan of the changed matrix. */
static void check_set(tulle_context *context, matrix *m, tulle_plan *plan, const char *format,
                      tulle_value_type type)
{
	arrays changed;
	tulle_matrix *b;
	tulle_plan *fresh;

	for (int64_t i = 0; i < m->rows; i++) {
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k += 7) {
			int64_t at;

			first_at(m, i, m->col[k], &at);
			m->val[at] = -0.5 - (double)(k % 97);
			CHECK_OK(tulle_plan_set(plan, i, m->col[k], m->val[at]));
		}
	}
	changed = cast(m, pairs[0], type, 0);
	b = borrow(context, m, pairs[0], type, &changed);
	fresh = plan_for(b, format, TULLE_NORMAL);
	if (fresh)
		same_product(plan, fresh, m, type);
	tulle_plan_destroy(fresh);
	tulle_matrix_destroy(b);
	arrays_free(&changed);
}

static int check_format(tulle_context *context, matrix *m, const char *format,
                        tulle_value_type type)
{
	arrays arr = cast(m, pairs[0], type, 0);
	tulle_matrix *a = borrow(context, m, pairs[0], type, &arr);
	tulle_plan *plan = plan_for(a, format, TULLE_NORMAL);
	double value = 7;
	int offered = 0;

	check_about("%s, %s, %s", format, type_name(type), m->name);
	if (plan && m->rows > 0 && m->cols > 0) {
		offered = tulle_plan_get(plan, 0, 0, &value) == TULLE_OK;
		CHECK_EQUAL(tulle_plan_get(plan, m->rows, 0, &value), TULLE_E_ARGUMENT);
		CHECK_EQUAL(tulle_plan_get(plan, -1, 0, &value), TULLE_E_ARGUMENT);
		CHECK_EQUAL(tulle_plan_set(plan, 0, m->cols, 1), TULLE_E_ARGUMENT);
		CHECK_EQUAL(tulle_plan_set(plan, 0, -1, 1), TULLE_E_ARGUMENT);
		CHECK_EQUAL(tulle_plan_get(plan, 0, 0, NULL), TULLE_E_ARGUMENT);
		if (!offered) {
			CHECK_EQUAL(tulle_plan_get(plan, 0, 0, &value), TULLE_E_UNSUPPORTED);
			CHECK_EQUAL(tulle_plan_set(plan, 0, 0, 1), TULLE_E_UNSUPPORTED);
		}
	}
	for (int64_t i = 0; offered && i < m->rows; i++) {
		for (int64_t j = i % 5; j < m->cols; j += m->cols / 64 + 1) {
			int64_t at;
			const double want = first_at(m, i, j, &at);

			CHECK_OK(tulle_plan_get(plan, i, j, &value));
			CHECK_THAT(value == want, "entry (%lld, %lld) is %g, not %g", (long long)i,
			           (long long)j, value, want);
			if (at < 0)
				CHECK_EQUAL(tulle_plan_set(plan, i, j, 1), TULLE_E_ARGUMENT);
		}
	}
	if (offered)
		check_set(context, m, plan, format, type);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	return offered;
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	CHECK_EQUAL(tulle_plan_get(NULL, 0, 0, &(double){ 0 }), TULLE_E_ARGUMENT);
	CHECK_EQUAL(tulle_plan_set(NULL, 0, 0, 1), TULLE_E_ARGUMENT);
	for (int f = 0; (format = tulle_formats(f)); f++) {
		for (int i = 0; i < ISAS && wants_format(&o, format); i++) {
			tulle_context *context = wants_isa(&o, isas[i]) ? context_for(isas[i], 0, 0) : NULL;
			uint64_t state = 11;
			int offered = 0;

			for (int n = 0; context && n < 40; n++) {
				matrix m = matrix_small(&state, 300);

				matrix_whole_values(&m, &state, 1000);
				offered |= check_format(context, &m, format, n % 2 ? TULLE_F32 : TULLE_F64);
				matrix_free(&m);
			}
			CHECK_THAT(!context || strcmp(format, "csr5") != 0 || offered,
			           "csr5 offers no single entries");
			check_group("%s %s: entries %s", format, isas[i], offered ? "read and set" : "refused");
			tulle_context_destroy(context);
		}
	}
	return walk_end();
}
