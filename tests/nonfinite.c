/* nonfinite.c -- Inf and NaN go where a plain loop over the stored entries sends them, nowhere else.
 *
 * A format that multiplies padding, or fills a block with zeros, makes 0 * Inf = NaN in rows that
 * never touch the column. */
#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, OPS = 2 };

/* 1 where a row of op(A) holds column j, which carries a non-finite number. */
static void touched(const matrix *m, int op, int64_t j, char *out)
{
	memset(out, 0, MOST);
	for (int64_t i = 0; i < m->rows; i++) {
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
			if (op == TULLE_NORMAL && m->col[k] == j)
				out[i] = 1;
			if (op == TULLE_TRANSPOSED && i == j)
				out[m->col[k]] = 1;
		}
	}
}

static void compare(const void *y, tulle_value_type type, int64_t rows, const char *expected,
                    const char *what)
{
	int64_t wrong = -1;

	for (int64_t i = 0; i < rows && wrong < 0; i++)
		if ((isfinite(value_at(type, y, i)) == 0) != (expected[i] != 0))
			wrong = i;
	CHECK_THAT(wrong < 0, "%s: y[%" PRId64 "] = %g", what, wrong,
	           value_at(type, y, wrong < 0 ? 0 : wrong));
}

/* Each non-finite number at each place of x; y holds NaN on entry every time. */
static void check_vector(const matrix *m, const tulle_plan *plan, tulle_value_type type, int op)
{
	static const double numbers[] = { INFINITY, -INFINITY, NAN };
	static const char *const names[] = { "x holds Inf", "x holds -Inf", "x holds NaN" };
	const int64_t rows = op == TULLE_NORMAL ? m->rows : m->cols;
	const int64_t cols = m->rows + m->cols - rows;
	double x[MOST], y[MOST] = { 0 }; /* room for either type */
	char expected[MOST] = { 0 };

	value_fill(type, x, cols, 0.75);
	value_fill(type, y, rows, NAN);
	if (CHECK_OK(mul(plan, type, 1, x, 0, y)))
		compare(y, type, rows, expected, "beta = 0 and NaN in y");
	for (int64_t j = 0; j < cols; j++) {
		touched(m, op, j, expected);
		for (int n = 0; n < 3; n++) {
			value_set(type, x, j, numbers[n]);
			value_fill(type, y, rows, NAN);
			if (CHECK_OK(mul(plan, type, 1, x, 0, y)))
				compare(y, type, rows, expected, names[n]);
		}
		value_set(type, x, j, 0.75);
	}
}

/* The place where entry k, of row i, is mirrored; k itself where it is not. */
static int64_t mirrored(const matrix *m, int64_t i, int64_t k)
{
	int64_t other;

	if (m->kind == TULLE_GENERAL)
		return k;
	other = m->row_ptr[m->col[k]];
	while (m->col[other] != i)
		other++;
	return other;
}

/* One entry of A is not finite, or it and its mirror image: their rows alone may be. */
static void check_entry(const matrix *m, tulle_context *context, const char *spec,
                        tulle_value_type type, int op, uint64_t *state)
{
	const int64_t rows = op == TULLE_NORMAL ? m->rows : m->cols;
	const int64_t at = random_below(state, m->nnz);
	const double number = random_below(state, 2) ? INFINITY : (double)NAN;
	double x[MOST], y[MOST] = { 0 };
	char expected[MOST] = { 0 };
	arrays arr = cast(m, pairs[0], type, 0);
	tulle_matrix *a = borrow(context, m, pairs[0], type, &arr);
	tulle_plan *plan;

	for (int64_t i = 0; i < m->rows; i++)
		if (m->row_ptr[i] <= at && at < m->row_ptr[i + 1]) {
			const int64_t j = m->col[at], other = mirrored(m, i, at);

			value_set(type, arr.val, other, m->kind == TULLE_SKEW ? -number : number);
			expected[op == TULLE_NORMAL ? i : j] = 1;
			if (other != at)
				expected[i] = expected[j] = 1;
		}
	value_set(type, arr.val, at, number);
	plan = a ? plan_for(a, spec, (tulle_op)op) : NULL;
	value_fill(type, x, m->rows + m->cols - rows, 0.75);
	value_fill(type, y, rows, NAN);
	if (plan && CHECK_OK(mul(plan, type, 1, x, 0, y)))
		compare(y, type, rows, expected, "A holds Inf or NaN");
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
}

static void check_matrix(const matrix *m, tulle_context *context, const char *spec,
                         tulle_value_type type, int turn, uint64_t *state)
{
	const index_pair pair = pairs[turn % PAIRS];
	arrays arr = cast(m, pair, type, 0);
	tulle_matrix *a = borrow(context, m, pair, type, &arr);

	for (int op = 0; a && op < OPS; op++) {
		tulle_plan *plan = plan_for(a, spec, (tulle_op)op);

		check_about("%s, %s, %s, op %d, matrix %d (%" PRId64 " x %" PRId64 ")", spec,
		            type_name(type), pair.name, op, turn, m->rows, m->cols);
		if (plan)
			check_vector(m, plan, type, op);
		tulle_plan_destroy(plan);
		if (m->nnz > 0)
			check_entry(m, context, spec, type, op, state);
	}
	tulle_matrix_destroy(a);
	arrays_free(&arr);
}

/* Half of the matrices hold stored zeros, which do multiply: 0 * Inf is NaN in a plain loop too. */
static void check_format(const options *o, const char *format, const char *isa, int matrices)
{
	tulle_context *context = context_for(isa, 1, 0);
	uint64_t state = 3;
	char *spec;

	for (int n = 0; context && n < matrices; n++) {
		matrix m = matrix_small(&state, MOST);
		const tulle_value_type type = n / 2 % 2 ? TULLE_F32 : TULLE_F64;

		matrix_whole_values(&m, &state, 9);
		for (int64_t k = 0; n % 2 && k < m.nnz; k += 3)
			m.val[k] = 0;
		matrix_mirror_values(&m);
		for (int s = 0; (spec = format_spec(format, s)); s++) {
			/* The quick tier gives each matrix to one of the specs, the full one to all. */
			if (o->full || s == 0 || n % 3 == s % 3)
				check_matrix(&m, context, spec, type, n, &state);
			free(spec);
		}
		matrix_free(&m);
	}
	tulle_context_destroy(context);
	check_group("%s %s: %d matrices", format, isa, matrices);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++)
		for (int i = 0; i < ISAS; i++)
			if (wants_format(&o, format) && wants_isa(&o, isas[i]))
				check_format(&o, format, isas[i], o.brief ? 400 : 2000);
	return walk_end();
}
