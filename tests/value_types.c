/* value_types.c -- types that are not public (tests/types/more_types.def) in the csr format: upper,
 * which is stored in another type than it is computed in.
 *
 * Each shape goes through the tunables of csr, index pairs, both directions, factors and one or two
 * threads; briefly, through a quarter of the tunables and one alpha. */
#include "inner.h"
#include "shapes.h"
#include "typed_problem.h"

#include "core/memory.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 5, FACTORS = 4 };

static const tulle__scalar factors[FACTORS] = { { 1, 0 }, { 0, 0 }, { -2, 0 }, { 0.5, 0 } };

/* ---- products ---- */

/* y = alpha A x + beta b by the scalar kernel on `threads` threads. y holds NaN where b is not read. */
static void run_kernel(inner *in, const typed_problem *p, int op, int threads, tulle__scalar alpha,
                       tulle__scalar beta, void *y)
{
	const tulle__kernel *kernel = in->format->kernel(in->data, TULLE__SCALAR, p->type->type);
	tulle__call call = {
		.data = in->data, .x = p->x[op], .b = p->b[op], .y = y, .alpha = alpha, .beta = beta
	};
	tulle__layout layout;
	tulle__phases phases;

	if (!CHECK_THAT(kernel, "no scalar kernel for %s", p->type->name))
		return;
	in->format->describe(in->data, &layout);
	memcpy(phases.work, kernel->phase, sizeof phases.work);
	memcpy(phases.parts, layout.parts, sizeof phases.parts);
	if (!CHECK_OK(tulle__alloc(&in->env, 1, layout.scratch, &call.scratch)))
		return;
	in->env.threads = threads;
	in->env.serial_below = threads > 1 ? -1 : INT64_MAX;
	tulle__run(&in->env, &phases, &call, p->m.nnz + p->m.rows);
	tulle__free(&in->env, call.scratch);
}

static void judge(const kit_oracle *o, const void *y, tulle__scalar alpha, tulle__scalar beta)
{
	const kit_verdict v = kit_oracle_check(o, y);
	double reference = 0, bound = 0;

	if (v.violations > 0)
		kit_oracle_row(o, v.worst_row, &reference, &bound);
	CHECK_THAT(v.violations == 0,
	           "alpha %g, beta %g: %lld rows beyond the bound; row %lld is off from %.17g by %.3g "
	           "times %g",
	           alpha.re, beta.re, (long long)v.violations, (long long)v.worst_row, reference,
	           v.worst, bound);
	CHECK_EQUAL(v.overflowed, 0);
}

/* One converted matrix, one pair of factors: the bits are those of one thread, and right. */
static void check_product(inner *in, const typed_problem *p, int op, const kit_oracle *o,
                          tulle__scalar alpha, tulle__scalar beta)
{
	const size_t size = tulle__element_size(p->type->type);
	const int64_t n = typed_problem_rows(p, op);
	void *y[2];

	for (int threads = 1; threads <= 2; threads++) {
		y[threads - 1] = grab(n, size);
		memset(y[threads - 1], 0xff, (size_t)n * size); /* NaN */
		run_kernel(in, p, op, threads, alpha, beta, y[threads - 1]);
		judge(o, y[threads - 1], alpha, beta);
	}
	CHECK_THAT(n == 0 || memcmp(y[0], y[1], (size_t)n * size) == 0,
	           "two threads give other bits than one");
	free(y[0]);
	free(y[1]);
}

/* to_csr gives back the very values. */
static void check_back(inner *in, const tulle__csr *a)
{
	tulle__csr back;

	if (!CHECK_OK(in->format->check(in->data, &in->env)) ||
	    !CHECK_OK(in->format->to_csr(in->data, &in->env, &back)))
		return;
	CHECK_EQUAL(back.value_type, a->value_type);
	CHECK_EQUAL(back.val != NULL, a->val != NULL);
	if (a->val && back.val)
		CHECK(memcmp(back.val, a->val, (size_t)a->nnz * tulle__value_size(a->value_type)) == 0);
	tulle__csr_release(&in->env, &back);
}

/* ---- the walk ---- */

/* The n-th way to compute op(A) x by csr: as the spec says; from A^T, which is built; by scattering. */
static int convert(inner *in, const char *spec, int op, const tulle__csr *a, int way,
                   tulle__csr *transposed, tulle__csr_order *order, tulle__env *env)
{
	*transposed = (tulle__csr){ 0 };
	*order = (tulle__csr_order){ 0 };
	if (op == TULLE_NORMAL)
		return inner_convert(in, spec, TULLE__SCALAR, a);
	if (way == 0)
		return inner_convert_op(in, spec, TULLE_TRANSPOSED, TULLE__SCALAR, a);
	return CHECK_OK(tulle__csr_transpose(env, a, transposed, order)) &&
	       inner_convert(in, spec, TULLE__SCALAR, transposed);
}

static void check_spec(const typed_problem *p, const char *spec, const tulle__csr *a, int op,
                       int way, kit_oracle *const *oracle, int beta)
{
	tulle__csr transposed;
	tulle__csr_order order;
	tulle__env env;
	inner in;

	inner_env(&env, TULLE__SCALAR);
	if (convert(&in, spec, op, a, way, &transposed, &order, &env)) {
		check_back(&in, transposed.row_ptr ? &transposed : a);
		for (int alpha = 0; alpha < FACTORS; alpha++)
			if (oracle[alpha])
				check_product(&in, p, op, oracle[alpha], factors[alpha], factors[beta]);
		inner_release(&in);
	}
	tulle__csr_release(&env, &transposed);
	tulle__free(&env, order.source);
}

static void check_pairs(const options *o, const typed_problem *p, int shape, int op,
                        kit_oracle *const *oracle, int beta)
{
	for (int n = 0; n < PAIRS; n++) {
		const arrays arr = { cast_indices(p->m.row_ptr, p->m.rows + 1, pairs[n].offset, 0),
			                 cast_indices(p->m.col, p->m.nnz, pairs[n].column, 0), NULL };
		const tulle__csr a = { p->m.rows,       p->m.cols,       p->m.nnz,
			                   pairs[n].offset, pairs[n].column, p->type->type,
			                   arr.row_ptr,     arr.col,         p->ones ? NULL : p->val };
		char *spec;

		for (int s = 0; (spec = format_spec("csr", s)); s++) {
			check_about("%s, %s, %s, op %d, %s", spec, p->type->name, pairs[n].name, op, p->m.name);
			for (int way = 0; way <= op && wants_shape(o, s, shape); way++)
				check_spec(p, spec, &a, op, way, oracle, beta);
			free(spec);
		}
		arrays_free(&(arrays){ arr.row_ptr, arr.col, NULL });
	}
}

/* Each shape meets one class of values and one beta, others than the next, with every alpha. One in
 * seven has no values: ones. */
static void check_shape(const options *o, matrix m, tulle_value_type type, int shape)
{
	const int beta = shape % FACTORS;
	typed_problem p =
	    typed_problem_new(m, type, shape % 7 == 6, (kit_values)(shape % CLASSES), (uint64_t)shape);

	for (int op = 0; op < OPS; op++) {
		kit_oracle *oracle[FACTORS] = { NULL };

		for (int alpha = 0; alpha < FACTORS; alpha++)
			if (!o->brief || alpha == shape / FACTORS % FACTORS)
				oracle[alpha] = typed_problem_oracle(&p, op, factors[alpha], factors[beta]);
		check_pairs(o, &p, shape, op, oracle, beta);
		for (int alpha = 0; alpha < FACTORS; alpha++)
			kit_oracle_free(oracle[alpha]);
	}
	typed_problem_free(&p);
}

/* ---- without a matrix ---- */

/* Only csr takes these types, and callers cannot name them. */
static void check_refusals(tulle_value_type type)
{
	const tulle__format *f;
	const int32_t row_ptr[] = { 0, 1 }, col[] = { 0 };
	const double val[] = { 1, 0 };
	tulle_matrix *a = NULL;

	check_about("refusals of %s", tulle__type_of(type)->name);
	for (int n = 0; (f = tulle__format_at(n)); n++) {
		const int any = (f->flags & TULLE__ANY_TYPE) != 0;

		CHECK_EQUAL(any, strcmp(f->name, "csr") == 0);
		CHECK_STATUS(tulle__format_takes(f, type), any ? TULLE_OK : TULLE_E_UNSUPPORTED);
		if (!any)
			CHECK_WORDS(tulle_last_error(), "no kernel for values");
	}
	CHECK_STATUS(
	    tulle_matrix_from_csr(NULL, 1, 1, TULLE_I32, row_ptr, TULLE_I32, col, type, val, NULL, &a),
	    TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "value_type neither");
	check_group("refusals of %s", tulle__type_of(type)->name);
}

/* A number that is no type has no descriptor, and the size of no smaller type: it is not a double. */
static void check_unknown(void)
{
	static const int numbers[] = { -1, 0, TULLE__VALUE_TYPES };

	check_about("unknown types");
	for (int n = 0; n < 3; n++) {
		const tulle_value_type type = (tulle_value_type)numbers[n];

		CHECK(!tulle__type_of(type));
		CHECK_EQUAL(tulle__value_size(type), TULLE__LARGEST_VALUE);
		CHECK_EQUAL(tulle__element_size(type), TULLE__LARGEST_VALUE);
		CHECK_STATUS(tulle__format_takes(tulle__format_at(0), type), TULLE_E_ARGUMENT);
	}
	check_group("unknown types");
}

/* The opposite of a complex number has both signs flipped, its conjugate has one. */
static void check_signs(void)
{
	const tulle__type *type = tulle__type_of(TULLE_C128);
	double _Complex v[] = { 3 - 4 * I, 3 - 4 * I, 3 + 4 * I };
	const tulle_c128 zeros[] = { { 2, 0 }, { 2, 0 }, { 2, -0.0 }, { -2, 0 } };

	check_about("signs");
	CHECK_EQUAL(tulle__value_compare(type, v, 0, 1), TULLE__EQUAL);
	CHECK_EQUAL(tulle__value_compare(type, v, 0, 2), TULLE__CONJUGATE | TULLE__CONJUGATE_ZERO);
	CHECK_EQUAL(tulle__value_compare(type, zeros, 0, 1), TULLE__EQUAL | TULLE__CONJUGATE_ZERO);
	CHECK_EQUAL(tulle__value_compare(type, zeros, 0, 2), TULLE__CONJUGATE);
	CHECK_EQUAL(tulle__value_compare(type, zeros, 0, 3), TULLE__UNRELATED);
	tulle__value_negate(type, v, 1);
	CHECK(v[1] == -3 + 4 * I);
	CHECK_EQUAL(tulle__value_compare(type, v, 0, 1), TULLE__OPPOSITE);
	check_group("signs");
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const tulle_value_type type = (tulle_value_type)UPPER;
	int shapes = 0;
	matrix m;

	check_unknown();
	check_signs();
	check_refusals(type);
	for (; shape_at(shapes, &m); shapes++)
		check_shape(&o, m, type, shapes);
	check_group("%s: %d shapes", tulle__type_of(type)->name, shapes);
	return check_end();
}
