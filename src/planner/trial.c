/* trial.c -- times one conversion and a few multiplications. */
#include "planner/trial.h"

#include "core/executable.h"
#include "core/log.h"
#include "core/memory.h"
#include "csr/widened.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

tulle_status tulle__vectors_new(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                                tulle__vectors *out)
{
	const int t = tulle__op_transposes(request->op);
	const int64_t rows = t ? a->cols : a->rows, cols = t ? a->rows : a->cols;
	const int64_t k = request->vectors < TULLE__MOST_TRIED ? request->vectors : TULLE__MOST_TRIED;
	const size_t element = tulle__element_size(a->value_type) * (size_t)k;
	tulle_status s = tulle__alloc_zero(env, cols, element, &out->x);

	out->y = NULL;
	out->k = k;
	out->share = (double)k / (double)request->vectors;
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, rows, element, &out->y);
	if (s != TULLE_OK) {
		tulle__vectors_free(env, out);
		return s;
	}
	/* Fill x. Pages that were never written all map to one zero page, which would stay in L1
	 * however long x is. */
	memset(out->x, 0x3f, tulle__bytes(cols, element));
	return TULLE_OK;
}

void tulle__vectors_free(tulle__env *env, tulle__vectors *v)
{
	tulle__free(env, v->x);
	tulle__free(env, v->y);
	v->x = v->y = NULL;
}

/* ---- how the threads share the work ---- */

/* A multiplication that records how many parts the busiest thread does, and when the last thread joined. If a
 * helper gets no CPU, or gets one late, the caller does all or most parts. Its times are then consistent but too
 * long, and only these records show it. It also records whether two threads share a CPU: they divide the parts
 * evenly and block voluntarily, so involuntary context switches do not show it. */
enum { CPUS = 1024, MOST_THREADS = 1 << 16 }; /* CPUs with higher numbers are not distinguished */

typedef struct {
	_Atomic int64_t most;    /* parts that one thread has done */
	_Atomic uint64_t joined; /* threads that have begun */
	_Atomic double last;     /* when the last of them did */
	_Atomic int shared;      /* two of them have used one CPU */
} sharing;

typedef struct {
	tulle__env *env;
	const tulle__executable *of;
	int operation;        /* of `of` */
	const void *call;     /* what its kernels take */
	tulle__phases phases; /* those of the operation, counted */
	int repeats;          /* multiplications per sample */
	uint64_t number;      /* of this multiplication in the process, never 0 */
	sharing *by;          /* its threads */
	/* Per CPU, the last thread that did a part on it: number * MOST_THREADS + its place in `joined`.
	 * The number invalidates entries of earlier multiplications, so the array need not be cleared. */
	_Atomic uint64_t *user;
} counted;

/* The busiest thread may do this many times an even share: cores differ in speed. The last thread may join after
 * this share of the time, or after SOON seconds, about the time to wake it. */
static const double UNEVEN = 1.4, LATE = .15, SOON = 5e-6;

/* At every part: threads also change their CPU in the middle of a multiplication. */
static void note_cpu(const counted *c, uint64_t thread)
{
	const uint64_t mine = c->number * MOST_THREADS + thread % MOST_THREADS;
	const int cpu = sched_getcpu();
	uint64_t before;

	if (cpu < 0 || cpu >= CPUS)
		return;
	before = atomic_load_explicit(&c->user[cpu], memory_order_relaxed);
	if (before == mine)
		return;
	atomic_store_explicit(&c->user[cpu], mine, memory_order_relaxed);
	if (before / MOST_THREADS == c->number)
		atomic_store_explicit(&c->by->shared, 1, memory_order_relaxed);
}

static void do_part(const counted *c, int phase, int64_t part)
{
	static _Thread_local uint64_t latest, thread;
	static _Thread_local int64_t done;
	int64_t most = atomic_load_explicit(&c->by->most, memory_order_relaxed);

	if (latest != c->number) {
		latest = c->number;
		thread = atomic_fetch_add_explicit(&c->by->joined, 1, memory_order_relaxed);
		done = 0;
		atomic_store_explicit(&c->by->last, tulle__seconds(), memory_order_relaxed);
	}
	note_cpu(c, thread);
	done++;
	while (done > most &&
	       !atomic_compare_exchange_weak_explicit(&c->by->most, &most, done, memory_order_relaxed,
	                                              memory_order_relaxed))
		;
	c->of->phases[c->operation].work[phase](c->call, part);
}

static void do_first(const void *arg, int64_t part)
{
	do_part(arg, 0, part);
}

static void do_second(const void *arg, int64_t part)
{
	do_part(arg, 1, part);
}

static void do_third(const void *arg, int64_t part)
{
	do_part(arg, 2, part);
}

static void count_phases(counted *c)
{
	static tulle__work *const count[TULLE__PHASES] = { do_first, do_second, do_third };

	c->phases = c->of->phases[c->operation];
	for (int p = 0; p < TULLE__PHASES && c->phases.work[p]; p++)
		c->phases.work[p] = count[p];
}

/* Parts of a thread when `threads` of them share each phase evenly. */
static int64_t even_share(const counted *c, int threads)
{
	int64_t share = 0;

	for (int p = 0; p < TULLE__PHASES && c->phases.work[p]; p++)
		share += (c->phases.parts[p] + threads - 1) / threads;
	return share;
}

/* Nonzero: one thread did far more than its share, others joined late or not at all, or two shared a
 * CPU. */
static int multiply_once(counted *c)
{
	static _Atomic uint64_t multiplications;
	sharing by = { .most = 0 };
	const int threads = tulle__threads_for(c->env, c->of->work);
	const double begin = tulle__seconds();
	double late, seconds;

	c->number = atomic_fetch_add(&multiplications, 1) + 1;
	c->by = &by;
	tulle__run(c->env, &c->phases, c, c->of->work);
	late = atomic_load(&by.last) - begin;
	seconds = tulle__seconds() - begin;
	return atomic_load(&by.shared) || (late > LATE * seconds && late > SOON) ||
	       (double)atomic_load(&by.most) > UNEVEN * (double)even_share(c, threads);
}

static int multiply_repeatedly(void *arg)
{
	counted *c = arg;
	int uneven = 0;

	for (int n = 0; n < c->repeats; n++)
		uneven |= multiply_once(c);
	return uneven;
}

/* ---- the trial ---- */

/* Minimum seconds of a sample, so that helpers that start some microseconds late hardly affect it. In a
 * solver, products follow each other and helpers are awake. */
static const double SAMPLE = 1e-4;

/* Minimum number of samples within the budget, unless a single product takes too long. */
enum { SAMPLES_IN_BUDGET = 8, MOST_REPEATS = 16 };

/* Multiplications per sample, estimated from one that does not count: caches are cold and helpers
 * asleep. */
static int repeats_for(counted *c, double budget)
{
	const double begin = tulle__seconds(), sample = fmin(SAMPLE, budget / SAMPLES_IN_BUDGET);
	double fit;

	multiply_once(c);
	fit = sample / (tulle__seconds() - begin);
	return fit < 1 ? 1 : fit < MOST_REPEATS ? (int)fit : MOST_REPEATS;
}

static tulle_status multiply(const tulle__format *format, const tulle__csr *a, const void *data,
                             const tulle__vectors *v, double seconds, tulle__env *env,
                             tulle__timing *out)
{
	tulle__executable run = { .work = a->nnz + a->rows };
	tulle__layout layout;
	tulle__call call = { .data = data, .x = v->x, .b = v->y, .y = v->y, .alpha = tulle__real(1) };
	tulle__call_many many = { .data = data,
		                      .x = v->x,
		                      .y = v->y,
		                      .alpha = tulle__real(1),
		                      .k = v->k,
		                      .ldx = v->k,
		                      .ldy = v->k };
	_Atomic uint64_t user[CPUS];
	counted c = { .env = env, .of = &run, .call = &call, .user = user };
	tulle_status s = tulle__executable_of_format(env, &run, format, data, a->value_type, &layout);
	int together;

	if (s == TULLE_OK) /* one caller needs no pool */
		s = tulle__alloc(env, v->k, layout.scratch, &call.scratch);
	if (s != TULLE_OK)
		return s;
	together = tulle__multiplies_together(format, &run, v->k, tulle__element_size(a->value_type));
	if (together) {
		many.scratch = call.scratch;
		c.call = &many;
		c.operation = tulle__operation_for(v->k, tulle__element_size(a->value_type));
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		atomic_init(&user[cpu], 0);
	count_phases(&c);
	c.repeats = repeats_for(&c, seconds);
	tulle__take_samples(multiply_repeatedly, &c,
	                    &(tulle__sampling){ .threads = tulle__threads(env),
	                                        .bytes = c.repeats * (double)layout.bytes,
	                                        .seconds = seconds },
	                    out);
	out->seconds *= (together ? 1 : (double)v->k) / v->share / c.repeats;
	tulle__free(env, call.scratch);
	return TULLE_OK;
}

tulle_status tulle__try(const tulle__format *format, const tulle__csr *a, const tulle__bsr *blocks,
                        const tulle__request *request, const tulle__vectors *v, double seconds,
                        tulle__env *env, tulle__trial *out)
{
	tulle__request own = *request; /* with the format's own tunables, all automatic */
	tulle__watch watch;
	tulle_status s = tulle__params_parse(format->tunables, "", &own.params);

	*out = (tulle__trial){ .data = NULL };
	tulle__watch_begin(&watch);
	if (s == TULLE_OK)
		s = tulle__format_takes(format, a->value_type);
	if (s == TULLE_OK)
		s = blocks ? format->convert_blocks(blocks, &own, env, &out->data)
		           : tulle__format_convert(format, a, &own, env, &out->data);
	out->convert = tulle__watch_end(&watch, tulle__threads(env), &out->convert_disturbed);
	if (s != TULLE_OK)
		return s;
	s = multiply(format, a, out->data, v, seconds, env, &out->multiply);
	if (s != TULLE_OK) {
		format->release(out->data, env);
		out->data = NULL;
	}
	return s;
}
