/* online_stage.c -- hooks in place of the clock, the costs and the threads, and products that are compared. */
#include "online_stage.h"

#include "core/background.h"
#include "core/format.h"
#include "core/halves.h"
#include "heap.h"
#include "planner/candidates.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct hooks hooks;

/* ---- in place of the library's ---- */

double my_seconds(void) __asm__("__wrap_tulle__seconds");
double my_seconds(void)
{
	static _Thread_local double now = 1;

	return now += TICK;
}

void real_estimate_all(tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                       tulle__env *env) __asm__("__real_tulle__estimate_all");
void my_estimate_all(tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                     tulle__env *env) __asm__("__wrap_tulle__estimate_all");
void my_estimate_all(tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                     tulle__env *env)
{
	real_estimate_all(p, request, max_bytes, env);
	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];
		const int sell = strcmp(c->format->name, "sell") == 0;
		const int out = c->rejected_because && strstr(c->rejected_because, "max_bytes");

		c->multiply = n == 0 ? hooks.csr : hooks.multiply;
		c->convert = n == 0 ? 0 : hooks.convert;
		if (!out)
			c->rejected_because = n == 0 || sell ? NULL : "the test wants csr or sell";
	}
}

int my_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
              void *arg) __asm__("__wrap_pthread_create");
int real_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                void *arg) __asm__("__real_pthread_create");
int my_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	const int call = atomic_fetch_add(&hooks.creates, 1) + 1;

	return call == hooks.refused_creation ? EAGAIN : real_create(thread, attr, start, arg);
}

int my_join(pthread_t thread, void **result) __asm__("__wrap_pthread_join");
int real_join(pthread_t thread, void **result) __asm__("__real_pthread_join");
int my_join(pthread_t thread, void **result)
{
	atomic_fetch_add(&hooks.joins, 1);
	if (hooks.opens)
		let_go();
	return real_join(thread, result);
}

/* So waits whoever is about to join a thread that is in no loop. */
int my_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock) __asm__("__wrap_pthread_cond_wait");
int real_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock) __asm__("__real_pthread_cond_wait");
int my_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock)
{
	if (hooks.opens)
		let_go();
	return real_cond_wait(cond, lock);
}

void real_help(tulle__background *b, double until) __asm__("__real_tulle__background_help");
void my_help(tulle__background *b, double until) __asm__("__wrap_tulle__background_help");
void my_help(tulle__background *b, double until)
{
	hooks.helps += isfinite(until);
	real_help(b, until);
}

static int begins(const char *line, const char *with)
{
	return with && strncmp(line, with, strlen(with)) == 0;
}

static void hear(void *user, tulle_log_level level, const char *line)
{
	(void)user;
	(void)level;
	if (begins(line, CONVERTING))
		hooks.niceness = getpriority(PRIO_PROCESS, 0);
	hooks.lines += begins(line, CONVERTED);
	if (begins(line, hooks.refuse)) {
		heap.asked = 0;
		heap.fail_at = hooks.refused;
	}
	if (begins(line, hooks.hold)) {
		sem_post(&hooks.reached);
		while (sem_wait(&hooks.go) != 0)
			continue;
	}
}

void reset_hooks(void)
{
	hooks.hold = hooks.refuse = NULL;
	hooks.opens = 0;
	hooks.creates = hooks.joins = hooks.helps = hooks.refused_creation = hooks.lines = 0;
	hooks.csr = TICK;
	hooks.multiply = TICK / 2;
	hooks.convert = (CONVERTED_AT - .5) * TICK / 2;
	heap.fail_at = 0;
	sem_init(&hooks.reached, 0, 0);
	sem_init(&hooks.go, 0, 0);
}

/* ---- the stage ---- */

/* The bits that a plan of one format gives. */
static double *product_by(const stage *g, const char *format, void *val)
{
	const tulle_plan_options o = {
		.size = sizeof o, .format = format, .op = g->op, .vector_type = g->vectors
	};
	double *y = grab(g->rows, sizeof *y);
	const arrays arr = { g->arr.row_ptr, g->arr.col, val };
	tulle_matrix *a = borrow(g->context, &g->m, pairs[0], g->type, &arr);
	tulle_plan *p = NULL;

	CHECK_OK(tulle_plan_create(a, &o, &p));
	CHECK_OK(mul(p, g->vectors, 1, g->x, 0, y));
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	return y;
}

/* Random values of the matrix's type. */
static void *random_values(const stage *g, uint64_t *state)
{
	void *val = grab(g->m.nnz, value_size(g->type));

	for (int64_t k = 0; k < g->m.nnz; k++) {
		const double value = random_unit(state);

		if (g->type == TULLE_F16)
			((uint16_t *)val)[k] = tulle__to_f16(value);
		else if (g->type == TULLE_BF16)
			((uint16_t *)val)[k] = tulle__to_bf16(value);
		else
			value_set(g->type, val, k, value);
	}
	return val;
}

static void make_arrays(stage *g)
{
	const size_t size = value_size(g->type);
	uint64_t state = 7;

	g->m = matrix_grid(40);
	g->arr = cast(&g->m, pairs[0], TULLE_F64, 0);
	for (int v = 0; v < ONES; v++)
		g->val[v] = random_values(g, &state);
	memcpy(g->arr.val, g->val[0], (size_t)g->m.nnz * size);
	g->x = grab(g->cols = g->m.cols, sizeof *g->x);
	g->y = grab(g->rows = g->m.rows, sizeof *g->y);
	for (int64_t j = 0; j < g->cols; j++)
		value_set(g->vectors, g->x, j, random_unit(&state));
}

/* g->type and g->vectors are set. */
static void begin(stage *g, tulle_op op, const tulle_plan_options *o)
{
	const tulle_context_options how = { .size = sizeof how,
		                                .threads = 1,
		                                .alloc = heap_alloc,
		                                .free = heap_free,
		                                .log = hear,
		                                .user = &heap };
	tulle_plan_options by = { .size = sizeof by };
	const char *const csr = op == TULLE_NORMAL ? "csr" : "csr:transpose=scatter";

	g->op = op;
	make_arrays(g);
	CHECK_OK(tulle_context_create(&how, &g->context));
	for (int v = 0; v < VALUES; v++) {
		g->want[v][BY_CSR] = product_by(g, csr, g->val[v]);
		g->want[v][BY_SELL] = product_by(g, "sell", g->val[v]);
	}
	g->matrix = borrow(g->context, &g->m, pairs[0], g->type, &g->arr);
	if (o)
		by = *o;
	by.op = op;
	by.online = 1;
	CHECK_OK(tulle_plan_create(g->matrix, &by, &g->plan));
}

void set_up(stage *g, tulle_op op, const tulle_plan_options *o)
{
	*g = (stage){ .type = TULLE_F64, .vectors = TULLE_F64 };
	begin(g, op, o);
}

void set_up_halves(stage *g, tulle_value_type type, tulle_op op, const tulle_plan_options *o)
{
	*g = (stage){ .type = type, .vectors = o->vector_type };
	begin(g, op, o);
}

void tear_down(stage *g)
{
	hooks.opens = 1; /* after a failed check the thread may still be held */
	tulle_plan_destroy(g->plan);
	tulle_matrix_destroy(g->matrix);
	CHECK_EQUAL(context_info(g->context).blocks_held, 0);
	CHECK_EQUAL(context_info(g->context).bytes_held, 0);
	tulle_context_destroy(g->context);
	CHECK_EQUAL(heap.live_blocks, 0);
	arrays_free(&g->arr);
	matrix_free(&g->m);
	free(g->x);
	free(g->y);
	for (int v = 0; v < VALUES; v++) {
		free(g->val[v]);
		free(g->want[v][BY_CSR]);
		free(g->want[v][BY_SELL]);
	}
}

tulle_plan_info info_of(const stage *g)
{
	tulle_plan_info info = { .size = sizeof info };

	CHECK_OK(tulle_plan_describe(g->plan, &info));
	return info;
}

void multiply_by(stage *g, int format)
{
	const size_t bytes = (size_t)g->rows * value_size(g->vectors);

	memset(g->y, 0xff, bytes);
	CHECK_OK(mul(g->plan, g->vectors, 1, g->x, 0, g->y));
	CHECK_THAT(memcmp(g->y, g->want[g->values][format], bytes) == 0,
	           "a product by %s with values %d has other bits", format ? "sell" : "csr", g->values);
}

void multiply_times(stage *g, int times, int format)
{
	for (int n = 0; n < times && check_failures() == 0; n++)
		multiply_by(g, format);
}

void multiply_until_held(stage *g)
{
	while (sem_trywait(&hooks.reached) != 0 && check_failures() == 0)
		multiply_by(g, BY_CSR);
}

void wait_until_held(void)
{
	while (sem_trywait(&hooks.reached) != 0 && check_failures() == 0)
		sched_yield();
}

void let_go(void)
{
	sem_post(&hooks.go);
}

void wait_for_phase(const stage *g, tulle_online_phase phase)
{
	while (info_of(g).online != phase && check_failures() == 0)
		sched_yield();
}

void wait_until_compared(const stage *g)
{
	while (!(info_of(g).online_threshold > 0) && check_failures() == 0)
		sched_yield();
}

void update(stage *g, int values)
{
	CHECK_OK(tulle_plan_update(g->plan, g->val[values]));
	g->values = values;
}
