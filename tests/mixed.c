/* mixed.c -- matrices of another type than the vectors: f32 times f64, f16 and bf16 times f32 and f64. A product
 * has the bits of the same format with the values widened to the type of the vectors, whose error the other
 * tests prove. */
#include "inner.h"
#include "kit.h"
#include "shapes.h"

#include "core/halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VECTORS = 5 };

/* Types of a matrix and of vectors. */
typedef struct {
	tulle_value_type values, vectors;
} types;

static const types all_types[] = { { TULLE_F32, TULLE_F64 },
	                               { TULLE_F16, TULLE_F32 },
	                               { TULLE_BF16, TULLE_F64 },
	                               { TULLE_F16, TULLE_F64 },
	                               { TULLE_BF16, TULLE_F32 } };

enum { TYPES = sizeof all_types / sizeof *all_types };

/* One matrix in both types: equal values. */
typedef struct {
	matrix *m;
	types t;
	arrays arr[2], next[2]; /* in the narrow and in the wide type; values for an update */
	tulle_matrix *narrow, *wide;
	void *x, *b, *y, *want; /* VECTORS vectors each */
	int64_t longest;
} problem;

static float any_float(uint64_t *state)
{
	return (float)random_unit(state) * (random_below(state, 9) ? 1.0F : 1024.0F);
}

/* Of f16 and bf16 any number below 2^10 that they hold, down to the smallest of f16. */
static double any_value(uint64_t *state, tulle_value_type type)
{
	const int64_t most = type == TULLE_F16 ? 1 << 11 : 1 << 8;
	const double v = (double)(random_below(state, 2 * most) - most);

	return type == TULLE_F32 ? (double)any_float(state)
	                         : ldexp(v, -(int)random_below(state, random_below(state, 9) ? 8 : 25));
}

static void fill(matrix *m, uint64_t *state, tulle_value_type type, int ones)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = ones ? 1 : any_value(state, type);
	matrix_mirror_values(m);
}

/* The arrays of a matrix with values of any type. */
static arrays cast_any(const matrix *m, index_pair pair, tulle_value_type type)
{
	arrays a = cast(m, pair, TULLE_F32, 0);
	uint16_t *half = a.val;

	if (type == TULLE_F64) {
		free(a.val);
		a.val = cast_values(m->val, m->nnz, TULLE_F64);
	} else if (type != TULLE_F32) {
		for (int64_t k = 0; k < m->nnz; k++)
			half[k] = type == TULLE_F16 ? tulle__to_f16(m->val[k]) : tulle__to_bf16(m->val[k]);
	}
	return a;
}

static void open_problem(problem *p, tulle_context *context, matrix *m, index_pair pair, types t,
                         int ones)
{
	uint64_t state = 7;

	*p = (problem){ .m = m, .t = t, .longest = m->rows > m->cols ? m->rows : m->cols };
	fill(m, &state, t.values, 0);
	p->next[0] = cast_any(m, pair, t.values);
	p->next[1] = cast_any(m, pair, t.vectors);
	fill(m, &state, t.values, ones);
	p->arr[0] = cast_any(m, pair, t.values);
	p->arr[1] = cast_any(m, pair, t.vectors);
	p->narrow = borrow(context, m, pair, t.values, &p->arr[0]);
	p->wide = borrow(context, m, pair, t.vectors, &p->arr[1]);
	p->x = grab(VECTORS * p->longest, sizeof(double));
	p->b = grab(VECTORS * p->longest, sizeof(double));
	p->y = grab(VECTORS * p->longest, sizeof(double));
	p->want = grab(VECTORS * p->longest, sizeof(double));
	for (int64_t i = 0; i < VECTORS * p->longest; i++) {
		value_set(t.vectors, p->x, i, random_unit(&state) / 3);
		value_set(t.vectors, p->b, i, random_unit(&state) / 3);
	}
}

static void close_problem(problem *p)
{
	tulle_matrix_destroy(p->narrow);
	tulle_matrix_destroy(p->wide);
	for (int n = 0; n < 2; n++) {
		arrays_free(&p->arr[n]);
		arrays_free(&p->next[n]);
	}
	free(p->x);
	free(p->b);
	free(p->y);
	free(p->want);
}

/* `vectors`: of another type than the matrix; 0: of its own. */
static tulle_plan *plan_of(const tulle_matrix *a, const char *spec, tulle_op op,
                           tulle_value_type vectors)
{
	const tulle_plan_options o = {
		.size = sizeof o, .format = spec, .op = op, .vector_type = vectors
	};
	tulle_plan *plan = NULL;
	const tulle_status s = tulle_plan_create(a, &o, &plan);

	if (!refused(spec, s))
		CHECK_OK(s);
	return plan;
}

static void same(const problem *p, int64_t elements, const char *what)
{
	CHECK_THAT(memcmp(p->y, p->want, (size_t)elements * value_size(p->t.vectors)) == 0,
	           "%s: not the bits of %s values", what, type_name(p->t.vectors));
}

static tulle_status multiply_many(const tulle_plan *plan, tulle_value_type type, const void *x,
                                  void *y)
{
	return type == TULLE_F32
	           ? tulle_mul_many_f32(plan, VECTORS, TULLE_ROW_MAJOR, 1, x, VECTORS, 0, y, VECTORS)
	           : tulle_mul_many_f64(plan, VECTORS, TULLE_ROW_MAJOR, 1, x, VECTORS, 0, y, VECTORS);
}

static tulle_status multiply_dot(const tulle_plan *plan, tulle_value_type type, const void *x,
                                 void *y, double *dot)
{
	return type == TULLE_F32 ? tulle_mul_dot_f32(plan, x, y, dot, NULL)
	                         : tulle_mul_dot_f64(plan, x, y, dot, NULL);
}

static void check_products(const problem *p, const tulle_plan *mixed, const tulle_plan *wide,
                           tulle_op op)
{
	const int64_t rows = op == TULLE_NORMAL ? p->m->rows : p->m->cols;
	const int64_t cols = op == TULLE_NORMAL ? p->m->cols : p->m->rows;
	const tulle_value_type type = p->t.vectors;
	double dot = 0, want = 0;

	CHECK_OK(multiply(mixed, type, MUL_ADD, -1.5, p->x, 0.25, p->b, p->y, rows));
	CHECK_OK(multiply(wide, type, MUL_ADD, -1.5, p->x, 0.25, p->b, p->want, rows));
	same(p, rows, "one vector");
	memset(p->y, 0, (size_t)(VECTORS * p->longest) * sizeof(double));
	memset(p->want, 0, (size_t)(VECTORS * p->longest) * sizeof(double));
	CHECK_OK(multiply_many(mixed, type, p->x, p->y));
	CHECK_OK(multiply_many(wide, type, p->x, p->want));
	same(p, VECTORS * p->longest, "several vectors");
	if (rows != cols)
		return;
	CHECK_OK(multiply_dot(mixed, type, p->x, p->y, &dot));
	CHECK_OK(multiply_dot(wide, type, p->x, p->want, &want));
	same(p, rows, "a step");
	CHECK_THAT(memcmp(&dot, &want, sizeof dot) == 0, "x.y is %.17g, not %.17g", dot, want);
}

/* The matrix that comes back is the narrow one. */
static void check_back(const problem *p, const tulle_plan *mixed)
{
	tulle_matrix *back = NULL;

	if (CHECK_OK(tulle_matrix_from_plan(mixed, &back))) {
		const tulle__csr got = inner_csr(back), want = inner_csr(p->narrow);

		CHECK_EQUAL(got.value_type, p->t.values);
		CHECK_THAT(inner_same(&got, &want), "the values that come back are others");
	}
	tulle_matrix_destroy(back);
}

static void check_spec(const problem *p, const char *spec, tulle_op op)
{
	tulle_plan *mixed = plan_of(p->narrow, spec, op, p->t.vectors);
	tulle_plan *wide = plan_of(p->wide, spec, op, 0);
	tulle_status s;

	CHECK_EQUAL(mixed != NULL, wide != NULL);
	if (mixed && wide) {
		check_products(p, mixed, wide, op);
		if (op == TULLE_NORMAL)
			check_back(p, mixed);
		s = tulle_plan_update(wide, p->next[1].val);
		CHECK_EQUAL(tulle_plan_update(mixed, p->next[0].val), s);
		if (!refused(spec, s) && CHECK_OK(s))
			check_products(p, mixed, wide, op);
		s = tulle_plan_update(wide, NULL);
		CHECK_EQUAL(tulle_plan_update(mixed, NULL), s);
		if (s == TULLE_OK)
			check_products(p, mixed, wide, op);
	}
	tulle_plan_destroy(mixed);
	tulle_plan_destroy(wide);
}

/* A^T x beside A x, from one store and from two. */
static void check_both(const problem *p, const char *format)
{
	for (int stores = 1; stores <= 2; stores++) {
		tulle_plan_options o = {
			.size = sizeof o, .format = format, .op = TULLE_BOTH, .stores = stores
		};
		tulle_plan *mixed = NULL, *wide = NULL;
		const tulle_status s = tulle_plan_create(p->wide, &o, &wide);

		o.vector_type = p->t.vectors;
		CHECK_EQUAL(tulle_plan_create(p->narrow, &o, &mixed), s);
		if (mixed && wide) {
			check_products(p, mixed, wide, TULLE_NORMAL);
			check_products(p, tulle_plan_transposed(mixed), tulle_plan_transposed(wide),
			               TULLE_TRANSPOSED);
		}
		tulle_plan_destroy(mixed);
		tulle_plan_destroy(wide);
	}
}

static void check_shape(const options *o, tulle_context *context, matrix *m, types t, int shape)
{
	const char *format;
	char *spec;
	problem p;

	open_problem(&p, context, m, pairs[shape % PAIRS], t, shape % 4 == 3);
	for (int f = 0; (format = tulle_formats(f)); f++) {
		if (!wants_format(o, format))
			continue;
		for (int n = 0; (spec = format_spec(format, n)); n++) {
			check_about("%s, %s times %s, %s", spec, type_name(t.values), type_name(t.vectors),
			            m->name);
			for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED && wants_shape(o, n, shape); op++)
				check_spec(&p, spec, (tulle_op)op);
			free(spec);
		}
		check_about("%s, both, %s times %s, %s", format, type_name(t.values), type_name(t.vectors),
		            m->name);
		if (shape % 3 == 0 && (strcmp(format, "csr") == 0 || strcmp(format, "sell") == 0))
			check_both(&p, format);
	}
	close_problem(&p);
}

/* ---- what a plan says, and what it refuses ---- */

static tulle_plan_info info_of(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info, .stored_values = "", .note = "" };

	CHECK_OK(tulle_plan_describe(plan, &info));
	return info;
}

static void check_described(const problem *p)
{
	tulle_plan *csr = plan_of(p->narrow, "csr", TULLE_NORMAL, TULLE_F64);
	tulle_plan *sell = plan_of(p->narrow, "sell", TULLE_NORMAL, TULLE_F64);
	tulle_plan *same_type = NULL;
	tulle_plan_options o = { .size = sizeof o, .vector_type = TULLE_F32 };
	char text[4096];

	if (csr && sell) {
		CHECK_EQUAL(info_of(csr).value_type, TULLE_F32);
		CHECK_EQUAL(info_of(csr).vector_type, TULLE_F64);
		CHECK_EQUAL(info_of(csr).borrows_values, 1);
		CHECK_WORDS(info_of(csr).stored_values, "f32");
		CHECK_WORDS(info_of(sell).stored_values, "f32");
		CHECK_THAT(info_of(csr).extra_bytes < (size_t)p->m->nnz, "the matrix was copied");
		CHECK_THAT(info_of(csr).value_error == 0, "f32 values have an error");
		CHECK_OK(tulle_gather_f64(csr, p->x, p->y));
		CHECK_OK(tulle_scatter_f64(csr, p->y, 0, p->want));
		tulle_plan_explain(csr, text, sizeof text);
		CHECK_WORDS(text, "f32 values, f64 vectors and sums stored as f32, exact");
		CHECK_STATUS(tulle_mul_f32(csr, 1, (const float *)p->x, 0, (float *)p->y), TULLE_E_TYPE);
		CHECK_WORDS(tulle_last_error(), "f64 vectors f32");
		CHECK_STATUS(tulle_plan_save(csr, "mixed.tulle", NULL), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "options.vector_type");
	}
	if (CHECK_OK(tulle_plan_create(p->narrow, &o, &same_type)))
		CHECK_EQUAL(info_of(same_type).vector_type, TULLE_F32);
	tulle_plan_destroy(same_type);
	CHECK_STATUS(tulle_plan_create(p->wide, &o, &same_type), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.vector_type = f32 f64 values");
	o.vector_type = (tulle_value_type)77;
	CHECK_STATUS(tulle_plan_create(p->wide, &o, &same_type), TULLE_E_ARGUMENT);
	tulle_plan_destroy(csr);
	tulle_plan_destroy(sell);
}

/* The matrix may go first, and its copies with the plan. Then tulle chooses, also while it multiplies. */
static void check_chosen(problem *p, tulle_context *context)
{
	const tulle_matrix_options copy = { .size = sizeof copy, .ownership = TULLE_COPY };
	tulle_plan_options o = { .size = sizeof o, .vector_type = TULLE_F64, .multiplies = 1e6 };
	tulle_csr_view view = { .size = sizeof view };
	const matrix *m = p->m;
	kit_oracle *oracle;
	tulle_matrix *a;
	tulle_plan *plan;

	CHECK_OK(tulle_matrix_view_csr(p->wide, &view));
	oracle = kit_oracle_create(&view, TULLE_NORMAL, 1, p->x, 0, NULL);
	for (int online = 0; online <= 1; online++) {
		o.online = online;
		a = NULL;
		plan = NULL;
		CHECK_OK(tulle_matrix_from_csr(context, m->rows, m->cols, pairs[0].offset,
		                               p->arr[0].row_ptr, pairs[0].column, p->arr[0].col, TULLE_F32,
		                               p->arr[0].val, &copy, &a));
		CHECK_OK(tulle_plan_create(a, &o, &plan));
		tulle_matrix_destroy(a);
		if (plan) {
			CHECK_EQUAL(info_of(plan).vector_type, TULLE_F64);
			CHECK_OK(tulle_mul_f64(plan, 1, p->x, 0, p->y));
			CHECK_THAT(kit_oracle_check(oracle, p->y).violations == 0, "beyond the bound");
		}
		tulle_plan_destroy(plan);
	}
	kit_oracle_free(oracle);
}

/* Blocks are expanded, and an update takes the values of the blocks. */
static void check_blocks(tulle_context *context)
{
	enum { ROWS = 3, SIZE = 2, BLOCKS = 4, VALUES = BLOCKS * SIZE * SIZE };
	static const int32_t ptr[] = { 0, 1, 3, 4 }, col[] = { 2, 0, 1, 2 };
	float narrow[VALUES], next[VALUES];
	double wide[VALUES], next_wide[VALUES], x[ROWS * SIZE], y[ROWS * SIZE], want[ROWS * SIZE];
	tulle_matrix *a = NULL, *b = NULL;
	tulle_plan *mixed, *f64;
	uint64_t state = 3;

	for (int k = 0; k < VALUES; k++) {
		wide[k] = (double)(narrow[k] = any_float(&state));
		next_wide[k] = (double)(next[k] = any_float(&state));
	}
	for (int i = 0; i < ROWS * SIZE; i++)
		x[i] = random_unit(&state);
	CHECK_OK(tulle_matrix_from_bsr(context, ROWS, ROWS, SIZE, SIZE, TULLE_ROW_MAJOR, TULLE_I32, ptr,
	                               TULLE_I32, col, TULLE_F32, narrow, NULL, &a));
	CHECK_OK(tulle_matrix_from_bsr(context, ROWS, ROWS, SIZE, SIZE, TULLE_ROW_MAJOR, TULLE_I32, ptr,
	                               TULLE_I32, col, TULLE_F64, wide, NULL, &b));
	mixed = plan_of(a, "bsell", TULLE_NORMAL, TULLE_F64);
	f64 = plan_of(b, "bsell", TULLE_NORMAL, 0);
	for (int turn = 0; mixed && f64 && turn < 2; turn++) {
		CHECK_OK(tulle_mul_f64(mixed, 1, x, 0, y));
		CHECK_OK(tulle_mul_f64(f64, 1, x, 0, want));
		CHECK_THAT(memcmp(y, want, sizeof y) == 0, "blocks: not the bits of f64 values");
		CHECK_OK(tulle_plan_update(mixed, next));
		CHECK_OK(tulle_plan_update(f64, next_wide));
	}
	tulle_plan_destroy(mixed);
	tulle_plan_destroy(f64);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
}

static void check_large(tulle_context *context)
{
	matrix m = matrix_level(5);
	problem p;

	check_about("%s", m.name);
	open_problem(&p, context, &m, pairs[0], all_types[0], 0);
	check_described(&p);
	check_chosen(&p, context);
	close_problem(&p);
	matrix_free(&m);
	check_blocks(context);
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
			for (int t = 0; t < TYPES; t++)
				if (o.brief ? (shape + i) % 2 == 0 && shape / 2 % TYPES == t
				            : t == 0 || shape % (TYPES - 1) == t - 1)
					check_shape(&o, context, &m, all_types[t], shape);
			matrix_free(&m);
		}
		check_large(context);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
		check_group("mixed, %s", isas[i]);
	}
	return walk_end();
}
