/* both.c -- plans for both directions: A x and A^T x from one store or two, in every format. */
#include "both.h"
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

/* ---- generated subjects ---- */

void both_set_up(both_subject *s, const char *spec, const tulle_context_options *context)
{
	tulle_csr_view v;
	int64_t longest;

	check_about("%s", spec);
	if (!CHECK_THAT(kit_generate(spec, &s->m) == 0, "%s", kit_error()))
		exit(check_end());
	v = kit_view(&s->m);
	CHECK_OK(tulle_context_create(context, &s->context));
	CHECK_OK(tulle_matrix_from_csr(s->context, v.rows, v.cols, v.offset_type, v.row_ptr,
	                               v.column_type, v.col, v.value_type, v.val, NULL, &s->a));
	longest = v.rows > v.cols ? v.rows : v.cols;
	s->x = grab(longest, sizeof *s->x);
	s->y = grab(longest, sizeof *s->y);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, longest, s->x);
}

void both_tear_down(both_subject *s)
{
	tulle_matrix_destroy(s->a);
	CHECK_EQUAL(context_info(s->context).blocks_held, 0);
	tulle_context_destroy(s->context);
	kit_free(&s->m);
	free(s->x);
	free(s->y);
}

void both_check(both_subject *s, const tulle_plan *p, const double *val)
{
	for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++) {
		tulle_csr_view v = kit_view(&s->m);
		kit_oracle *oracle;

		v.val = val;
		oracle = kit_oracle_create(&v, (tulle_op)op, 1, s->x, 0, NULL);
		CHECK_OK(op == TULLE_NORMAL ? tulle_mul_f64(p, 1, s->x, 0, s->y)
		                            : tulle_mul_transposed_f64(p, 1, s->x, 0, s->y));
		CHECK_THAT(kit_oracle_check(oracle, s->y).violations == 0, "%s is beyond the bound",
		           op == TULLE_NORMAL ? "A x" : "A^T x");
		kit_oracle_free(oracle);
	}
}

tulle_plan_info both_info(const tulle_plan *p)
{
	tulle_plan_info info = { .size = sizeof info, .format = "", .way = "", .why = "" };

	CHECK_OK(tulle_plan_describe(p, &info));
	return info;
}

/* ---- whole numbers: every sum is exact, in any order ---- */

enum { LIMIT = 8, MOST = 64, OPS = 2 };

typedef struct {
	matrix m;
	double x[MOST], b[MOST];
	double sum[OPS][MOST]; /* A x and A^T x */
} problem;

static void invent(problem *p, uint64_t *state)
{
	p->m = matrix_small(state, MOST);
	matrix_whole_values(&p->m, state, LIMIT);
	memset(p->sum, 0, sizeof p->sum);
	for (int i = 0; i < MOST; i++) {
		p->x[i] = (double)(random_below(state, 2 * LIMIT + 1) - LIMIT);
		p->b[i] = (double)(random_below(state, 2 * LIMIT + 1) - LIMIT);
	}
	for (int64_t i = 0; i < p->m.rows; i++)
		for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++) {
			p->sum[TULLE_NORMAL][i] += p->m.val[k] * p->x[p->m.col[k]];
			p->sum[TULLE_TRANSPOSED][p->m.col[k]] += p->m.val[k] * p->x[i];
		}
}

/* y = 2 A^T x - b / 2, by the function and by the plan for A^T. */
static tulle_status multiply_back(const tulle_plan *plan, tulle_value_type type, int by_plan,
                                  const void *x, const void *b, void *y, int64_t n)
{
	if (by_plan)
		return multiply(tulle_plan_transposed(plan), type, MUL_ADD, 2, x, -0.5, b, y, n);
	memcpy(y, b, (size_t)n * value_size(type));
	return type == TULLE_F64 ? tulle_mul_transposed_f64(plan, 2, x, -0.5, y)
	                         : tulle_mul_transposed_f32(plan, 2, x, -0.5F, y);
}

static void check_numbers(const problem *p, const tulle_plan *plan, tulle_value_type type)
{
	double x[MOST], b[MOST], y[MOST]; /* room for either type */

	for (int i = 0; i < MOST; i++) {
		value_set(type, x, i, p->x[i]);
		value_set(type, b, i, p->b[i]);
	}
	for (int way = 0; way < 3; way++) {
		const tulle_op op = way == 0 ? TULLE_NORMAL : TULLE_TRANSPOSED;
		const int64_t n = way == 0 ? p->m.rows : p->m.cols;
		int64_t wrong = 0;

		if (!CHECK_OK(way == 0 ? multiply(plan, type, MUL, 2, x, -0.5, b, y, n)
		                       : multiply_back(plan, type, way - 1, x, b, y, n)))
			continue;
		for (int64_t i = 0; i < n; i++)
			wrong += value_at(type, y, i) != 2 * p->sum[op][i] - 0.5 * p->b[i];
		CHECK_THAT(wrong == 0, "%d elements of %s are wrong", (int)wrong, way ? "A^T x" : "A x");
	}
}

/* May the format have refused to be made with so many stores? */
static int refused_stores(const char *spec, int stores, tulle_status status)
{
	if (status == TULLE_E_UNSUPPORTED && stores == 1 &&
	    (strstr(tulle_last_error(), "stores = 1") || strstr(tulle_last_error(), "is skew")))
		return 1;
	if (status == TULLE_E_UNSUPPORTED && stores == 2 && strstr(tulle_last_error(), "stores = 2"))
		return 1;
	return spec ? refused(spec, status) : 0;
}

static int made[3]; /* plans with one store and with two */

static void check_stores(const problem *p, const tulle_matrix *a, const char *spec,
                         tulle_value_type type, int stores)
{
	const tulle_plan_options o = {
		.size = sizeof o, .op = TULLE_BOTH, .format = spec, .stores = stores
	};
	tulle_plan *plan;
	const tulle_status s = tulle_plan_create(a, &o, &plan);

	if (refused_stores(spec, stores, s))
		return;
	if (!CHECK_OK(s))
		return;
	CHECK_EQUAL(both_info(plan).op, TULLE_BOTH);
	CHECK_THAT(stores == 0 || both_info(plan).stores == stores, "it has %d stores",
	           both_info(plan).stores);
	made[both_info(plan).stores]++;
	check_numbers(p, plan, type);
	tulle_plan_destroy(plan);
}

static void check_spec(const options *o, const problem *p, const char *spec, int turn)
{
	const tulle_value_type type = turn / PAIRS % 2 ? TULLE_F32 : TULLE_F64;
	const index_pair pair = pairs[turn % PAIRS];
	arrays arr = cast(&p->m, pair, type, 0);

	for (int i = 0; i < ISAS; i++) {
		tulle_context *context = wants_isa(o, isas[i]) ? context_for(isas[i], 1, 0) : NULL;
		tulle_matrix *a = context ? borrow(context, &p->m, pair, type, &arr) : NULL;

		for (int stores = 0; a && stores <= 2; stores++) {
			check_about("%s, %s, %s, %s, stores %d, matrix %d", spec ? spec : "automatic", isas[i],
			            type_name(type), pair.name, stores, turn);
			check_stores(p, a, spec, type, stores);
		}
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
	}
	arrays_free(&arr);
}

static void check_format(const options *o, const char *format, int matrices)
{
	uint64_t state = 5;
	char *spec;

	for (int n = 0; n < matrices; n++) {
		problem p;

		invent(&p, &state);
		if (!format)
			check_spec(o, &p, NULL, n);
		for (int s = 0; format && (spec = format_spec(format, s)); s++) {
			check_spec(o, &p, spec, n);
			free(spec);
		}
		matrix_free(&p.m);
	}
	check_group("%s: %d matrices of whole numbers", format ? format : "automatic", matrices);
}

/* ---- the planner's formats on larger matrices ---- */

static void test_generated(void)
{
	static const char *const specs[] = { "random:rows=3000,cols=1200,mean=40",
		                                 "stencil27:n=14,values=varying", "stencil27:n=14",
		                                 "rmat:scale=12", "fem:n=12,b=3" };

	for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
		both_subject s;

		both_set_up(&s, specs[n], NULL);
		for (int stores = 0; stores <= 2; stores++) {
			const tulle_plan_options o = {
				.size = sizeof o, .op = TULLE_BOTH, .multiplies = 1e5, .stores = stores
			};
			tulle_plan *p;

			check_about("%s, stores %d", specs[n], stores);
			if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
				continue;
			both_check(&s, p, s.m.val);
			tulle_plan_destroy(p);
		}
		both_tear_down(&s);
	}
	check_group("generated matrices");
}

/* ---- the same bits at any number of threads, also in steps and with several vectors ---- */

enum { TEAMS = 3, VECTORS = 3 };

typedef struct {
	char *y;
	double yy;
} result;

/* A^T x, its norm from a step, and A^T X. */
static result products(const tulle_plan *plan, tulle_value_type type, const void *x, int64_t rows,
                       int64_t cols)
{
	const int stores = both_info(plan).stores;
	const tulle_plan *t = tulle_plan_transposed(plan);
	const size_t bytes = (size_t)cols * value_size(type);
	result r = { grab((2 + VECTORS) * cols, value_size(type)), 0 };
	const void *at = r.y;
	void *step = r.y + bytes, *many = r.y + 2 * bytes;

	CHECK_OK(mul(t, type, 1, x, 0, r.y));
	if (type == TULLE_F64) {
		CHECK_OK(tulle_mul_dot_f64(t, x, step, NULL, &r.yy));
		CHECK_OK(tulle_mul_many_f64(t, VECTORS, TULLE_COLUMN_MAJOR, 1, x, rows, 0, many, cols));
	} else {
		CHECK_OK(tulle_mul_dot_f32(t, x, step, NULL, &r.yy));
		CHECK_OK(tulle_mul_many_f32(t, VECTORS, TULLE_COLUMN_MAJOR, 1, x, rows, 0, many, cols));
	}
	CHECK_THAT(!memcmp(at, step, bytes), "a step has other bits than a product");
	CHECK_THAT(stores == 2 || !memcmp(at, many, bytes), /* csr has a kernel for several vectors */
	           "the first of several vectors has other bits");
	return r;
}

static void check_bits(const matrix *m, const char *spec, tulle_value_type type, int stores)
{
	const tulle_plan_options o = {
		.size = sizeof o, .op = TULLE_BOTH, .format = spec, .stores = stores, .multiplies = 1e5
	};
	arrays arr = cast(m, pairs[0], type, 0);
	void *x = grab(VECTORS * m->rows, value_size(type));
	result first = { NULL, 0 };

	kit_random_fill(KIT_UNIFORM, 3, type, VECTORS * m->rows, x);
	for (int team = 1; team <= TEAMS; team++) {
		tulle_context *context = context_for(NULL, team, -1);
		tulle_matrix *a = borrow(context, m, pairs[0], type, &arr);
		tulle_plan *plan = NULL;
		tulle_status s = tulle_plan_create(a, &o, &plan);

		check_about("%s, %s, stores %d, %d threads", spec, type_name(type), stores, team);
		if (s == TULLE_OK) {
			result r = products(plan, type, x, m->rows, m->cols);

			if (first.y)
				CHECK_THAT(
				    !memcmp(first.y, r.y, (size_t)((2 + VECTORS) * m->cols) * value_size(type)) &&
				        first.yy == r.yy,
				    "other bits with more threads");
			else
				first = r;
			if (first.y != r.y)
				free(r.y);
		} else {
			CHECK_THAT(s == TULLE_E_UNSUPPORTED, "%s", tulle_last_error());
		}
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
	}
	free(first.y);
	free(x);
	arrays_free(&arr);
}

static void test_bits(const options *o)
{
	matrix subjects[] = { matrix_large(7), matrix_level(8), matrix_grid(150) };
	const char *format;

	for (size_t n = 0; n < sizeof subjects / sizeof *subjects; n++) {
		uint64_t state = 11;

		for (int64_t k = 0; k < subjects[n].nnz; k++)
			subjects[n].val[k] = (double)(float)random_unit(&state);
		for (int f = 0; (format = tulle_formats(f)); f++)
			for (int mix = 0; wants_format(o, format) && mix < 4; mix++)
				check_bits(&subjects[n], format, mix % 2 ? TULLE_F32 : TULLE_F64, 1 + mix / 2);
		matrix_free(&subjects[n]);
	}
	check_group("the same bits at any number of threads");
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const int matrices = o.full ? 600 : o.brief ? 24 : 120;
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++)
		if (wants_format(&o, format))
			check_format(&o, format, matrices);
	test_bits(&o);
	if (o.format)
		return check_end();
	check_format(&o, NULL, matrices);
	CHECK_THAT(made[1] > 0 && made[2] > 0, "%d plans with one store, %d with two", made[1],
	           made[2]);
	test_generated();
	test_updates();
	test_separation();
	test_created_symmetric();
	test_failing_updates();
	test_failing_creation();
	test_memory();
	test_choice();
	test_words();
	test_misuse();
	return walk_end();
}
