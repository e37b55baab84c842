/* complex.c -- c64 and c128 in every format that takes them, against the oracle of complex arithmetic.
 *
 * Walks formats x tunables x instruction sets x types x index pairs x shapes x classes of values x ops, and each
 * plan through all calls: one product, b apart, several vectors, both directions, new values, inputs that are NaN and
 * Inf, one thread and two. Every array ends at a guard page. */
#include "complex_problem.h"
#include "inner.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 5, FACTORS = 5, VECTORS = 5 };

/* Real ones, imaginary ones, and some of neither kind; a float holds them all. */
static const kit_complex factors[FACTORS] = {
	{ 1, 0 }, { 0, 0 }, { -0.5, 0 }, { 0, 2 }, { 1.75, -0.625 }
};

static size_t size_of(tulle_value_type type)
{
	return type == TULLE_C64 ? sizeof(tulle_c64) : sizeof(tulle_c128);
}

static int takes(const char *format, tulle_value_type type)
{
	return tulle__format_takes(tulle__format_named(format, strlen(format)), type) == TULLE_OK;
}

/* ---- one plan ---- */

static void check_single(const complex_problem *p, const tulle_plan *plan, tulle_op op,
                         const kit_complex_oracle *o, int turn)
{
	const int side = complex_side(op);
	const size_t bytes = (size_t)complex_rows(p, op) * size_of(p->type);
	const kit_complex alpha = factors[turn % FACTORS], beta = factors[turn / FACTORS % FACTORS];
	void *y = p->y[side].at;
	const void *x = p->x[side].at, *b = p->b[side].at;

	memset(y, 0xff, bytes); /* NaN */
	if (CHECK_OK(complex_mul_add(plan, p->type, alpha, x, beta, b, y)))
		complex_judge(o, "mul_add", alpha, beta, b, y);
	if (beta.re == 0 && beta.im == 0)
		memset(y, 0xff, bytes);
	else
		memcpy(y, b, bytes);
	if (CHECK_OK(complex_mul(plan, p->type, alpha, x, beta, y)))
		complex_judge(o, "mul", alpha, beta, b, y);
}

/* Vector v is i^v x, so that result v is i^v y: turned back, it has the bound of y. */
static void check_many(const complex_problem *p, const tulle_plan *plan, tulle_op op,
                       const kit_complex_oracle *o, int turn)
{
	const int side = complex_side(op);
	const int64_t n = complex_rows(p, op), m = p->m.rows + p->m.cols - n, k = 1 + turn % VECTORS;
	const kit_complex alpha = factors[turn / 2 % FACTORS], zero = { 0, 0 };
	const tulle_order order = turn % 2 ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR;
	fenced x = fence(m * k, size_of(p->type)), y = fence(n * k, size_of(p->type));

	for (int64_t v = 0; v < k; v++)
		for (int64_t i = 0; i < m; i++)
			complex_turn(p->type, x.at, order == TULLE_ROW_MAJOR ? i * k + v : v * m + i,
			             p->x[side].at, i, (int)v);
	memset(y.at, 0xff, (size_t)(n * k) * size_of(p->type));
	if (CHECK_OK(complex_mul_many(plan, p->type, k, order, alpha, x.at,
	                              order == TULLE_ROW_MAJOR ? k : m, zero, y.at,
	                              order == TULLE_ROW_MAJOR ? k : n)))
		for (int64_t v = 0; v < k; v++) {
			for (int64_t i = 0; i < n; i++)
				complex_turn(p->type, p->y[side].at, i, y.at,
				             order == TULLE_ROW_MAJOR ? i * k + v : v * n + i, (int)(4 * k - v));
			complex_judge(o, "mul_many", alpha, zero, NULL, p->y[side].at);
		}
	unfence(&x);
	unfence(&y);
}

static void check_back(const complex_problem *p, const tulle_matrix *a, const tulle_plan *plan)
{
	tulle_matrix *back = NULL;
	tulle__csr was, is;

	if (!CHECK_OK(tulle_matrix_from_plan(plan, &back)))
		return;
	was = inner_csr(a);
	is = inner_csr(back);
	CHECK_EQUAL(is.value_type, p->type);
	CHECK_THAT(inner_same(&was, &is), "the matrix does not come back from the plan");
	tulle_matrix_destroy(back);
}

static const void *one_of(tulle_value_type type)
{
	static const tulle_c64 narrow = { 1, 0 };
	static const tulle_c128 wide = { 1, 0 };

	return type == TULLE_C64 ? (const void *)&narrow : (const void *)&wide;
}

/* Other values, then those from before: i A, whose products are those of A turned once; -A of a Hermitian A, which is
 * Hermitian, too. */
static void check_update(const complex_problem *p, tulle_plan *plan, tulle_op op,
                         const kit_complex_oracle *o)
{
	const int side = complex_side(op), turns = p->m.kind == TULLE_HERMITIAN ? 2 : 1;
	const int back = op == TULLE_CONJUGATE ? turns : 4 - turns; /* (i A)^H = -i A^H */
	const int64_t n = complex_rows(p, op);
	const kit_complex one = { 1, 0 }, zero = { 0, 0 };
	fenced val = fence(p->m.nnz, size_of(p->type));

	for (int64_t k = 0; k < p->m.nnz; k++)
		complex_turn(p->type, val.at, k, p->ones ? one_of(p->type) : p->val.at, p->ones ? 0 : k,
		             turns);
	if (CHECK_OK(tulle_plan_update(plan, val.at)) &&
	    CHECK_OK(complex_mul(plan, p->type, one, p->x[side].at, zero, p->y[side].at))) {
		for (int64_t i = 0; i < n; i++)
			complex_turn(p->type, p->y[side].at, i, p->y[side].at, i, back);
		complex_judge(o, "mul after an update", one, zero, NULL, p->y[side].at);
	}
	CHECK_OK(tulle_plan_update(plan, p->ones ? NULL : p->val.at));
	unfence(&val);
}

/* NaN and Inf in parts of some x: rows that meet them give what they give, the others stay as they are. */
static void check_nonfinite(complex_problem *p, const tulle_plan *plan, tulle_op op, int turn)
{
	static const double odd[] = { INFINITY, -INFINITY, NAN };
	const int side = complex_side(op);
	const tulle_value_type part = p->type == TULLE_C64 ? TULLE_F32 : TULLE_F64;
	const int64_t m = p->m.rows + p->m.cols - complex_rows(p, op);
	const kit_complex alpha = factors[turn % FACTORS], zero = { 0, 0 };
	kit_complex_oracle *o;
	double kept[2];

	if (m == 0 || p->m.nnz > 4096) /* the oracle takes its time */
		return;
	for (int n = 0; n < 2; n++) {
		const int64_t at = (2 * (turn % m) + n) % (2 * m);

		kept[n] = value_at(part, p->x[side].at, at);
		value_set(part, p->x[side].at, at, odd[(turn + n) % 3]);
		o = complex_oracle(p, op);
		if (o && CHECK_OK(complex_mul(plan, p->type, alpha, p->x[side].at, zero, p->y[side].at)))
			complex_judge(o, "mul with Inf or NaN", alpha, zero, NULL, p->y[side].at);
		if (o && p->ones) /* several vectors add x, too */
			check_many(p, plan, op, o, 1 + turn % (VECTORS - 1));
		kit_complex_oracle_free(o);
		value_set(part, p->x[side].at, at, kept[n]);
	}
}

/* Two threads give the bits of one. */
static void check_threads(const complex_problem *p, const char *spec, const char *isa, tulle_op op,
                          const tulle_plan *plan)
{
	const int side = complex_side(op);
	const size_t bytes = (size_t)complex_rows(p, op) * size_of(p->type);
	tulle_context *context = context_for(isa, 2, -1);
	tulle_matrix *a = context ? complex_matrix(p, context) : NULL;
	tulle_plan *two = a ? plan_for(a, spec, op) : NULL;
	void *y = grab((int64_t)bytes + 1, 1);

	if (two && CHECK_OK(complex_mul(plan, p->type, factors[4], p->x[side].at, factors[1], y)) &&
	    CHECK_OK(complex_mul(two, p->type, factors[4], p->x[side].at, factors[1], p->y[side].at)))
		CHECK_THAT(memcmp(y, p->y[side].at, bytes) == 0, "two threads give other bits than one");
	free(y);
	tulle_plan_destroy(two);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
}

/* ---- the walk ---- */

static void check_plan(complex_problem *p, const tulle_matrix *a, const char *spec, const char *isa,
                       tulle_op op, const kit_complex_oracle *o, int turn)
{
	tulle_plan *plan = plan_for(a, spec, op);
	tulle_plan_info info = { .size = sizeof info };

	if (plan && CHECK_OK(tulle_plan_describe(plan, &info))) {
		CHECK_THAT(strcmp(info.isa, complex_set(isa)) == 0, "the plan runs %s", info.isa);
		CHECK_EQUAL(info.value_type, p->type);
		CHECK_EQUAL(info.op, op);
		check_single(p, plan, op, o, turn);
		check_single(p, plan, op, o, turn + 7);
		check_many(p, plan, op, o, turn);
		check_nonfinite(p, plan, op, turn);
		check_update(p, plan, op, o);
		if (p->ones) /* again: they are no values 1 + 0i after an update either */
			check_nonfinite(p, plan, op, turn + 1);
		if (op == TULLE_NORMAL && !p->ones) /* ones come back as values */
			check_back(p, a, plan);
		if (turn % 8 == 0)
			check_threads(p, spec, isa, op, plan);
	}
	tulle_plan_destroy(plan);
}

/* One plan for both directions, with one stored matrix if the format can, and with two; before an update and after
 * it. */
static void check_both(const complex_problem *p, const tulle_matrix *a, const char *spec,
                       tulle_op op, kit_complex_oracle *const *oracle, int stores)
{
	const tulle_plan_options wanted = {
		.size = sizeof wanted, .op = op, .format = spec, .stores = stores
	};
	const int backward = op == TULLE_BOTH ? 1 : 2; /* of complex_ops */
	tulle_plan *plan = NULL;

	const tulle_status s = tulle_plan_create(a, &wanted, &plan);

	if (refused(spec, s) || !CHECK_OK(s))
		return;
	for (int n = 0; n < 4; n++) {
		const int side = n % 2;
		const kit_complex_oracle *o = oracle[side ? backward : 0];
		const kit_complex alpha = factors[4], beta = factors[3];
		const size_t bytes =
		    (size_t)complex_rows(p, complex_ops[side ? backward : 0]) * size_of(p->type);

		memcpy(p->y[side].at, p->b[side].at, bytes);
		if (CHECK_OK((side ? complex_mul_transposed : complex_mul)(
		        plan, p->type, alpha, p->x[side].at, beta, p->y[side].at)))
			complex_judge(o, side ? "mul_transposed" : "mul of both", alpha, beta, p->b[side].at,
			              p->y[side].at);
		if (n == 1)
			CHECK_OK(tulle_plan_update(plan, p->ones ? NULL : p->val.at));
	}
	tulle_plan_destroy(plan);
}

static int is_large(const matrix *m)
{
	return m->rows + m->cols + m->nnz >= 6000;
}

/* A^H is built, as A^T is in most formats: in the brief form, the large shapes do without it. */
static void check_shape(const options *o, tulle_context *context, const char *spec, const char *isa,
                        tulle_value_type type, matrix m, int shape, int n)
{
	const int turn = shape + 3 * n;
	complex_problem p = complex_problem_new(m, type, pairs[turn % PAIRS], shape % 7 == 6,
	                                        (kit_values)(turn % CLASSES), (uint64_t)shape);
	tulle_matrix *a = complex_matrix(&p, context);
	const int ops = o->brief && is_large(&m) ? 2 : COMPLEX_OPS;
	kit_complex_oracle *oracle[COMPLEX_OPS] = { NULL };

	check_about("%s, %s, %s, %s, %s", spec, isa, tulle__type_of(type)->name, p.pair.name, p.m.name);
	for (int op = 0; op < ops; op++)
		oracle[op] = complex_oracle(&p, complex_ops[op]);
	for (int op = 0; a && op < ops; op++)
		if (oracle[op])
			check_plan(&p, a, spec, isa, complex_ops[op], oracle[op], turn);
	if (a && oracle[0] && oracle[1] && (!o->brief || shape % 4 == 0))
		check_both(&p, a, spec, TULLE_BOTH, oracle, n == 0 && strcmp(spec, "csr") == 0 ? 1 : 0);
	if (a && oracle[0] && oracle[2] && (!o->brief || shape % 4 == 0))
		check_both(&p, a, spec, TULLE_BOTH_CONJUGATE, oracle, 0);
	for (int op = 0; op < COMPLEX_OPS; op++)
		kit_complex_oracle_free(oracle[op]);
	tulle_matrix_destroy(a);
	complex_problem_free(&p);
}

static void check_format(const options *o, tulle_context *context, int f, const char *isa,
                         tulle_value_type type)
{
	const char *format = tulle_formats(f);
	char *spec;
	matrix m;

	for (int n = 0; (spec = format_spec(format, n)); n++) {
		for (int shape = 0; shape_at(shape, &m); shape++) {
			/* The oracle is slow. In the brief form each type has half of the shapes and one in six of the large
			 * ones, others for each format; those with the format's default parameters only. */
			const int turn = shape + (int)type + 2 * f;

			if (wants_shape(o, n, shape) &&
			    (!o->brief || (is_large(&m) ? n == 0 && turn % 6 == 0 : turn % 2 == 0)))
				check_shape(o, context, spec, isa, type, m, shape, n);
			else
				matrix_free(&m);
		}
		check_group("%s %s %s", spec, isa, tulle__type_of(type)->name);
		free(spec);
	}
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	for (int i = 0; i < ISAS; i++) {
		tulle_context *context =
		    wants_isa(&o, isas[i]) && strcmp(isas[i], complex_set(isas[i])) == 0
		        ? context_for(isas[i], 1, 0)
		        : NULL;

		for (int f = 0; context && (format = tulle_formats(f)); f++)
			for (int t = TULLE_C64; t <= TULLE_C128; t++)
				if (wants_format(&o, format) && takes(format, (tulle_value_type)t))
					check_format(&o, context, f, isas[i], (tulle_value_type)t);
		tulle_context_destroy(context);
	}
	return walk_end();
}
