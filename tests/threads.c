/* threads.c -- one plan gives the same bits at any number of threads, from any number of callers.
 *
 * The team that worked is asked for after each run: a test of threads in which nobody took part
 * would prove nothing. */
#include "support.h"

#include "core/format.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64, LEAST_PARTS = 64, CALLERS = 8 };

static matrix large, level, nodes;

static struct {
	matrix m;   /* large, level or nodes: the first that the format takes */
	arrays arr; /* m and x in the type under test */
	void *x[2];
	long runs;
} shared;

static int64_t rows_of(tulle_op op)
{
	return op == TULLE_NORMAL ? shared.m.rows : shared.m.cols;
}

typedef struct {
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;
} scene;

static scene set_up(const char *isa, int threads, const char *spec, tulle_value_type type,
                    tulle_op op)
{
	scene s = { .context = context_for(isa, threads, -1) };

	s.matrix = borrow(s.context, &shared.m, pairs[0], type, &shared.arr);
	s.plan = s.matrix ? plan_for(s.matrix, spec, op) : NULL;
	return s;
}

static void tear_down(scene *s)
{
	tulle_plan_destroy(s->plan);
	tulle_matrix_destroy(s->matrix);
	CHECK_EQUAL(context_info(s->context).blocks_held, 0);
	tulle_context_destroy(s->context);
}

static void make_arrays(const matrix *m, tulle_value_type type)
{
	shared.m = *m;
	arrays_free(&shared.arr);
	shared.arr = cast(&shared.m, pairs[0], type, 0);
	for (int op = 0; op < 2; op++) {
		const int64_t cols = rows_of(!op);

		free(shared.x[op]);
		shared.x[op] = grab(cols, value_size(type));
		for (int64_t j = 0; j < cols; j++)
			value_set(type, shared.x[op], j, 1.0 / (double)(3 + j % 1009));
	}
}

/* ---- thread counts ---- */

/* y, moved from a cache line by `run` elements so that each run has another alignment. */
static void run_once(const scene *s, tulle_value_type type, tulle_op op, int run, int threads,
                     const void *want, unsigned char *room)
{
	unsigned char *y = room + (64 - (uintptr_t)room % 64) + (size_t)(run % 8) * value_size(type);

	value_fill(type, y, rows_of(op), -7);
	if (!CHECK_OK(mul(s->plan, type, 1.5, shared.x[op], 0.5, y)))
		return;
	CHECK_EQUAL(context_info(s->context).last_team, threads);
	CHECK_THAT(memcmp(y, want, (size_t)rows_of(op) * value_size(type)) == 0,
	           "run %d with %d threads: other bits than with one", run, threads);
	shared.runs++;
}

/* How much is tried; ThreadSanitizer makes everything ten times slower. */
typedef struct {
	const int *counts; /* threads; ends with 0; NULL: every one from 1 to 64 */
	int runs, callers_runs;
} effort;

static const effort brief = { (const int[]){ 1, 2, MOST_THREADS, 0 }, 1, 2 };
static const effort quick = { (const int[]){ 1, 2, 3, 17, MOST_THREADS, 0 }, 4, 5 };
static const effort full_sample = { (const int[]){ 1, 2, 3, 17, MOST_THREADS, 0 }, 20, 100 };
static const effort full_all = { NULL, 20, 100 };

static int count_at(const effort *e, int n)
{
	if (e->counts)
		return e->counts[n];
	return n < MOST_THREADS ? n + 1 : 0;
}

static int scatters(const char *spec)
{
	return tulle__format_named(spec, strcspn(spec, ":"))->flags & TULLE__SCATTERS;
}

static void check_counts(const char *isa, const char *spec, tulle_value_type type, tulle_op op,
                         const effort *e)
{
	const size_t bytes = (size_t)rows_of(op) * value_size(type);
	void *want = grab((int64_t)bytes, 1);
	unsigned char *room = grab((int64_t)bytes + 256, 1);
	tulle_plan_info info = { .size = sizeof info };

	for (int n = 0, threads; (threads = count_at(e, n)) > 0; n++) {
		scene s = set_up(isa, threads, spec, type, op);

		check_about("%s, %s, %s, op %d", spec, isa, type_name(type), (int)op);
		if (s.plan && threads == 1) {
			CHECK_OK(tulle_plan_describe(s.plan, &info));
			value_fill(type, want, rows_of(op), -7);
			CHECK_OK(mul(s.plan, type, 1.5, shared.x[op], 0.5, want));
		}
		for (int run = 0; s.plan && run < e->runs; run++)
			run_once(&s, type, op, run, threads, want, room);
		tear_down(&s);
	}
	/* A scatter has few parts by design: its private vectors cost memory. */
	if (op == TULLE_NORMAL && !scatters(spec))
		CHECK_THAT(info.parts >= LEAST_PARTS, "only %lld parts", (long long)info.parts);
	free(want);
	free(room);
}

/* ---- many callers of one plan ---- */

typedef struct {
	const scene *s;
	tulle_value_type type;
	tulle_op op;
	int runs;
	const void *want;
	pthread_barrier_t *start;
} caller;

static void *call(void *arg)
{
	const caller *c = arg;
	const size_t bytes = (size_t)rows_of(c->op) * value_size(c->type);
	void *y = grab((int64_t)bytes, 1);
	int same = 1;

	if (c->start)
		pthread_barrier_wait(c->start);
	for (int run = 0; run < c->runs && same; run++) {
		value_fill(c->type, y, rows_of(c->op), -7);
		same = mul(c->s->plan, c->type, 1.5, shared.x[c->op], 0.5, y) == TULLE_OK &&
		       memcmp(y, c->want, bytes) == 0;
	}
	CHECK_THAT(same, "a caller among %d got other bits", CALLERS);
	free(y);
	return NULL;
}

/* Makes and drops plans of the shared matrix while the others multiply. */
static void *churn(void *arg)
{
	const caller *c = arg;
	void *y = grab(rows_of(c->op), value_size(c->type));

	pthread_barrier_wait(c->start);
	for (int run = 0; run < c->runs; run++) {
		tulle_plan *plan = plan_for(c->s->matrix, "csr", c->op);

		CHECK(plan && mul(plan, c->type, 1, shared.x[c->op], 0, y) == TULLE_OK);
		tulle_plan_destroy(plan);
	}
	free(y);
	return NULL;
}

static void check_callers(const char *isa, const char *spec, tulle_value_type type, tulle_op op,
                          int runs)
{
	void *want = grab(rows_of(op), value_size(type));
	scene s = set_up(isa, 2, spec, type, op);
	pthread_barrier_t start;
	pthread_t threads[CALLERS + 1];
	caller c = { &s, type, op, runs, want, &start };

	check_about("%s, %s, %s, op %d, callers", spec, isa, type_name(type), (int)op);
	value_fill(type, want, rows_of(op), -7);
	if (s.plan && CHECK_OK(mul(s.plan, type, 1.5, shared.x[op], 0.5, want))) {
		pthread_barrier_init(&start, NULL, CALLERS + 1);
		for (int n = 0; n <= CALLERS; n++)
			CHECK_EQUAL(pthread_create(&threads[n], NULL, n < CALLERS ? call : churn, &c), 0);
		for (int n = 0; n <= CALLERS; n++)
			pthread_join(threads[n], NULL);
		pthread_barrier_destroy(&start);

		c.start = NULL;
#pragma omp parallel num_threads(4)
		{
			CHECK_EQUAL(omp_get_num_threads(), 4);
			call(&c);
		}
		CHECK_EQUAL(context_info(s.context).last_team, 1); /* serial inside the caller's region */
	}
	tear_down(&s);
	free(want);
}

/* ---- callers when memory is short ---- */

static atomic_int refuse;

static void *moody_alloc(void *user, size_t bytes, size_t align)
{
	void *block = NULL;

	(void)user;
	if (atomic_load(&refuse))
		return NULL;
	return posix_memalign(&block, align, bytes) == 0 ? block : NULL;
}

static void moody_free(void *user, void *block, size_t bytes)
{
	(void)user;
	(void)bytes;
	free(block);
}

/* Either the right bits, or TULLE_E_MEMORY and y as it was. */
static void *call_hungry(void *arg)
{
	const caller *c = arg;
	const size_t bytes = (size_t)rows_of(c->op) * value_size(c->type);
	void *y = grab((int64_t)bytes, 1), *before = grab((int64_t)bytes, 1);

	value_fill(c->type, before, rows_of(c->op), -7);
	pthread_barrier_wait(c->start);
	for (int run = 0; run < c->runs; run++) {
		tulle_status s;

		memcpy(y, before, bytes);
		s = mul(c->s->plan, c->type, 1.5, shared.x[c->op], 0.5, y);
		CHECK_THAT(s == TULLE_OK || s == TULLE_E_MEMORY, "%s", tulle_status_name(s));
		CHECK_THAT(memcmp(y, s == TULLE_OK ? c->want : before, bytes) == 0,
		           "a hungry caller got %s and other bits", tulle_status_name(s));
	}
	free(y);
	free(before);
	return NULL;
}

static void check_hungry(const char *spec, tulle_op op, int runs)
{
	const tulle_value_type type = TULLE_F64;
	void *want = grab(rows_of(op), value_size(type));
	scene s = { .context = NULL };
	pthread_barrier_t start;
	pthread_t threads[CALLERS];
	caller c = { &s, type, op, runs, want, &start };

	check_about("%s, op %d, callers without memory", spec, (int)op);
	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .alloc = moody_alloc,
	                                                        .free = moody_free },
	                              &s.context));
	s.matrix = borrow(s.context, &shared.m, pairs[0], type, &shared.arr);
	s.plan = s.matrix ? plan_for(s.matrix, spec, op) : NULL;
	value_fill(type, want, rows_of(op), -7);
	if (s.plan && CHECK_OK(mul(s.plan, type, 1.5, shared.x[op], 0.5, want))) {
		atomic_store(&refuse, 1);
		pthread_barrier_init(&start, NULL, CALLERS);
		for (int n = 0; n < CALLERS; n++)
			CHECK_EQUAL(pthread_create(&threads[n], NULL, call_hungry, &c), 0);
		for (int n = 0; n < CALLERS; n++)
			pthread_join(threads[n], NULL);
		pthread_barrier_destroy(&start);
		atomic_store(&refuse, 0);
	}
	tear_down(&s);
	free(want);
}

/* Does the format refuse the matrix of the arrays, as too uneven or not of its kind? */
static int refuses(const char *isa, const char *spec, tulle_value_type type)
{
	scene s = { .context = context_for(isa, 1, 0) };
	int yes;

	s.matrix = borrow(s.context, &shared.m, pairs[0], type, &shared.arr);
	s.plan = s.matrix ? plan_unless_padded(s.matrix, spec, TULLE_NORMAL) : NULL;
	yes = s.plan == NULL;
	tear_down(&s);
	return yes;
}

/* All 64 counts for a format's own choice; a sample for each of its tunables. */
static const effort *effort_for(const options *o, const char *spec)
{
	if (o->full)
		return strchr(spec, ':') ? &full_sample : &full_all;
	return o->brief ? &brief : &quick;
}

static void check_spec(const options *o, const char *isa, const char *spec, int n,
                       tulle_value_type type)
{
	const effort *e = effort_for(o, spec);

	shared.runs = 0;
	make_arrays(&large, type);
	if (refuses(isa, spec, type))
		make_arrays(&level, type);
	if (refuses(isa, spec, type))
		make_arrays(&nodes, type);
	for (int op = 0; op < 2; op++) {
		/* Briefly: tunables meet one of the two, by turns. */
		if (o->brief && n > 0 && op != n % 2)
			continue;
		check_counts(isa, spec, type, (tulle_op)op, e);
		check_callers(isa, spec, type, (tulle_op)op, e->callers_runs);
		if (type == TULLE_F64)
			check_hungry(spec, (tulle_op)op, e->callers_runs);
	}
	check_group("%s %s %s: %ld runs with 1 .. %d threads, %d callers", spec, isa, type_name(type),
	            shared.runs, MOST_THREADS, CALLERS);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;
	char *spec;

	large = matrix_large(1);
	level = matrix_level(1);
	nodes = matrix_nodes(1);
	for (int t = TULLE_F32; t <= TULLE_F64; t++) {
		if (!wants_type(&o, (tulle_value_type)t))
			continue;
		for (int i = 0; i < ISAS; i++)
			for (int f = 0; wants_isa(&o, isas[i]) && (format = tulle_formats(f)); f++)
				for (int n = 0; wants_format(&o, format) && (spec = format_spec(format, n)); n++) {
					check_spec(&o, isas[i], spec, n, (tulle_value_type)t);
					free(spec);
				}
	}
	matrix_free(&large);
	matrix_free(&level);
	matrix_free(&nodes);
	arrays_free(&shared.arr);
	free(shared.x[0]);
	free(shared.x[1]);
	return walk_end();
}
