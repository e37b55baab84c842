/* steps.c -- a product with what follows it in one call: the result has the bits of the separate calls, and
 * dot products have the bits that the header promises: those of blocks of rows, whatever the format,
 * the instruction set and the number of threads are. */
#include "heap.h"
#include "kit.h"
#include "shapes.h"
#include "steps_problem.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CALLERS = 3 };

/* ---- shapes ---- */

typedef struct {
	const options *o;
	tulle_context *context;
	const char *isa;
	tulle_value_type type;
} run;

/* r = b - A x against the oracle, by the step alone. */
static void check_oracle(const tulle_plan *plan, const problem *p, const matrix *m,
                         const arrays *arr, index_pair pair, tulle_op op)
{
	const tulle_csr_view view = { .size = sizeof view,
		                          .rows = m->rows,
		                          .cols = m->cols,
		                          .nnz = m->nnz,
		                          .offset_type = pair.offset,
		                          .column_type = pair.column,
		                          .value_type = p->type,
		                          .row_ptr = arr->row_ptr,
		                          .col = arr->col,
		                          .val = arr->val };
	kit_oracle *oracle = kit_oracle_create(&view, op, -1, p->x, 1, p->w);

	if (CHECK_THAT(oracle, "the oracle: %s", kit_error()) &&
	    CHECK_OK(residual(plan, p, p->w, NULL)))
		CHECK_THAT(kit_oracle_check(oracle, p->result).violations == 0, "r is beyond the bound");
	kit_oracle_free(oracle);
}

static int check_shape(const void *arg, const char *spec, int n, matrix *m, int shape)
{
	const run *r = arg;
	const tulle_op op = shape % 3 == 2 ? TULLE_TRANSPOSED : TULLE_NORMAL;
	const index_pair pair = pairs[shape % PAIRS];
	uint64_t state = (uint64_t)shape;
	tulle_matrix *a;
	tulle_plan *plan;
	arrays arr;

	if (!wants_shape(r->o, n, shape))
		return 0;
	if (shape % 2)
		matrix_whole_values(m, &state, 4);
	for (int64_t k = 0; k < m->nnz && shape % 2 == 0; k++)
		m->val[k] = (float)random_unit(&state);
	matrix_mirror_values(m);
	arr = cast(m, pair, r->type, 0);
	a = borrow(r->context, m, pair, r->type, &arr);
	check_about("%s, %s, %s, op %d, %s", spec, r->isa, type_name(r->type), (int)op, m->name);
	plan = a ? plan_for(a, spec, op) : NULL;
	if (plan) {
		problem p;

		problem_new(&p, r->type, m, op, shape % 2);
		check_steps(plan, &p);
		check_oracle(plan, &p, m, &arr, pair, op);
		problem_free(&p);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	return plan != NULL;
}

static void check_shapes(const options *o, const char *format)
{
	for (int i = 0; i < ISAS; i++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++) {
			run r = { o, NULL, isas[i], (tulle_value_type)t };

			if (!wants_isa(o, isas[i]) || !wants_type(o, r.type))
				continue;
			r.context = context_for(isas[i], 2, -1);
			check_group("%s %s %s: %d plans", format, isas[i], type_name(r.type),
			            each_shape(format, check_shape, &r));
			CHECK_EQUAL(context_info(r.context).blocks_held, 0);
			tulle_context_destroy(r.context);
		}
}

/* ---- threads ---- */

typedef struct {
	const tulle_plan *plan;
	const matrix *m;
	tulle_value_type type;
	const problem *one; /* what one thread got */
} caller;

static void *call(void *arg)
{
	const caller *c = arg;
	problem p;

	problem_new(&p, c->type, c->m, TULLE_NORMAL, 0);
	check_steps(c->plan, &p);
	CHECK_THAT(memcmp(p.dots, c->one->dots, sizeof p.dots) == 0, "other dots than by one thread");
	CHECK_THAT(memcmp(p.result, c->one->result, (size_t)p.rows * value_size(p.type)) == 0,
	           "other bits than by one thread");
	problem_free(&p);
	return NULL;
}

static void check_threads(const options *o, const char *format, const matrix *m,
                          tulle_value_type type)
{
	static const int counts[] = { 1, 2, 3, 17, 64 };
	arrays arr = cast(m, pairs[0], type, 0);
	problem one;

	problem_new(&one, type, m, TULLE_NORMAL, 0);
	for (int n = 0; n < 5; n += o->brief ? 2 : 1) {
		tulle_context *context = context_for(o->isa, counts[n], -1);
		tulle_matrix *a = borrow(context, m, pairs[0], type, &arr);
		tulle_plan *plan = a ? plan_unless_padded(a, format, TULLE_NORMAL) : NULL;
		caller c = { plan, m, type, &one };
		pthread_t thread[CALLERS];

		check_about("%s, %s, %s, %d threads", format, type_name(type), m->name, counts[n]);
		if (plan && n == 0)
			check_steps(plan, &one);
		if (plan) {
			call(&c);
			CHECK_EQUAL(context_info(context).last_team, counts[n]);
			for (int t = 0; t < CALLERS; t++)
				CHECK_EQUAL(pthread_create(&thread[t], NULL, call, &c), 0);
			for (int t = 0; t < CALLERS; t++)
				pthread_join(thread[t], NULL);
		}
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
	}
	problem_free(&one);
	arrays_free(&arr);
}

static void check_all_threads(const options *o, const char *format)
{
	matrix m[] = { matrix_large(3), matrix_grid(190), matrix_nodes(5) };

	for (int n = 0; n < 3; n++) {
		for (int t = TULLE_F32; t <= TULLE_F64; t++)
			if (wants_type(o, (tulle_value_type)t) && (t == TULLE_F64 || !o->brief))
				check_threads(o, format, &m[n], (tulle_value_type)t);
		matrix_free(&m[n]);
	}
	check_group("%s: 1 to 64 threads, %d callers", format, CALLERS);
}

/* ---- Inf and NaN ---- */

/* A diagonal matrix: what stands in x[i] is in y[i] and nowhere else. */
static void check_nonfinite(const char *format)
{
	enum { N = 700, AT = 300 };
	static const double odd[] = { (double)INFINITY, (double)NAN };
	int64_t lengths[N];
	matrix m;

	for (int i = 0; i < N; i++)
		lengths[i] = 1;
	m = matrix_new("diagonal", N, N, lengths);
	for (int i = 0; i < N; i++) {
		m.col[i] = i;
		m.val[i] = i == AT + 1 ? 0 : 2;
	}
	arrays arr = cast(&m, pairs[0], TULLE_F64, 0);
	tulle_matrix *a = borrow(NULL, &m, pairs[0], TULLE_F64, &arr);
	tulle_plan *plan = plan_for(a, format, TULLE_NORMAL);

	check_about("%s, Inf and NaN", format);
	for (int n = 0; plan && n < 2; n++) {
		double x[N], y[N], xy = 0, yy = 0;

		for (int i = 0; i < N; i++) {
			x[i] = i == AT ? odd[n] : 1;
			y[i] = (double)NAN;
		}
		CHECK_OK(tulle_step_f64(plan, 1, x, 0, 0, NULL, y, &xy, &yy));
		for (int i = 0; i < N; i++)
			CHECK_THAT(i == AT ? !isfinite(y[i]) : y[i] == m.val[i], "y[%d] = %g", i, y[i]);
		CHECK_THAT(n == 0 ? isinf(xy) && isinf(yy) : isnan(xy) && isnan(yy), "xy %g, yy %g", xy,
		           yy);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
}

/* ---- memory ---- */

static void check_memory(const char *format)
{
	matrix m = matrix_nodes(7);
	arrays arr = cast(&m, pairs[0], TULLE_F64, 0);
	tulle_context *context = NULL;
	problem p;
	double yy;
	long asked;

	heap.fail_at = 0;
	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .alloc = heap_alloc,
	                                                        .free = heap_free,
	                                                        .user = &heap },
	                              &context));
	tulle_matrix *a = borrow(context, &m, pairs[0], TULLE_F64, &arr);
	tulle_plan *plan = plan_for(a, format, TULLE_NORMAL);

	check_about("%s, memory", format);
	problem_new(&p, TULLE_F64, &m, TULLE_NORMAL, 0);
	if (plan && CHECK_OK(residual(plan, &p, p.w, &yy))) {
		asked = atomic_load(&heap.asked);
		for (int n = 0; n < 10; n++)
			check_steps(plan, &p);
		CHECK_THAT(atomic_load(&heap.asked) == asked, "%ld allocations by one caller",
		           atomic_load(&heap.asked) - asked);
	}
	problem_free(&p);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	arrays_free(&arr);
	matrix_free(&m);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++) {
		if (!wants_format(&o, format))
			continue;
		check_shapes(&o, format);
		check_all_threads(&o, format);
		check_nonfinite(format);
		check_memory(format);
		check_group("%s: Inf, NaN, memory", format);
	}
	return walk_end();
}
