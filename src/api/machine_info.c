/* machine_info.c -- tulle_machine.h: reports the figures of the machine, and times it on request. */
#include "tulle_machine.h"

#include "api/handles.h"
#include "core/gather.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "planner/known_machine.h"
#include "probe/probe.h"

#include <math.h>
#include <pthread.h>

_Static_assert((int)TULLE_MACHINE_LEVELS == (int)TULLE__LEVELS &&
                   (int)TULLE_MACHINE_CACHES == (int)TULLE__MEMORY,
               "the levels of the header are those of the planner");

static char processor[TULLE__PROCESSOR];
static pthread_once_t processor_once = PTHREAD_ONCE_INIT;

static void read_processor(void)
{
	tulle__machine_processor(processor);
}

static const char *isa_why(const tulle__env *env, const tulle__gather_times *times)
{
	if (tulle__isa_loads(env->isa) == env->isa)
		return "no other instruction set of this width is available";
	if (env->gather != TULLE__GATHER_UNKNOWN)
		return "TULLE_GATHER is set";
	if (tulle__gather_of_model() != TULLE__GATHER_UNKNOWN)
		return "known from the processor's model";
	return times->seconds[env->isa] > 0 ? "as timed" : "loads, since gathers were not timed";
}

static void list_sets(tulle__isa like, const tulle__gather_times *times, tulle_machine_info *out)
{
	int count = 0;

	for (tulle__isa isa = 0; isa < TULLE__ISAS && count < TULLE_MACHINE_SETS; isa++)
		if (tulle__isa_available(isa) &&
		    tulle__kernel_lanes(isa, 1) == tulle__kernel_lanes(like, 1)) {
			out->set_gather_seconds[count] = times->seconds[isa];
			out->sets[count++] = tulle__isa_name(isa);
		}
	out->fastest_gather = tulle__isa_name(times->fastest);
}

static tulle_status write_info(const tulle__env *env, const tulle__machine *m,
                               const tulle__gather_times *times, tulle_machine_info *info)
{
	tulle_machine_info known = { .processor = processor,
		                         .threads = m->threads,
		                         .isa = tulle__isa_name(m->isa),
		                         .isa_why = isa_why(env, times),
		                         .caches_timed = m->caches_timed,
		                         .memory_timed = m->memory_timed,
		                         .region_seconds = m->region,
		                         .serial_below = env->serial_below };

	pthread_once(&processor_once, read_processor);
	for (int level = 0; level < TULLE__LEVELS; level++) {
		known.read_bandwidth[level] = 1 / m->read[level];
		known.gather_seconds[level] = m->gather[level];
		if (level < TULLE__MEMORY)
			known.cache_bytes[level] = m->cache[level];
	}
	list_sets(m->isa, times, &known);
	return tulle__write_info("tulle_machine_info", info, &known, sizeof known);
}

tulle_status tulle_machine_describe(tulle_context *context, const char *wisdom,
                                    tulle_machine_info *info)
{
	tulle_status s = tulle__context_of(context, &context);
	tulle__machine m;

	if (s != TULLE_OK)
		return s;
	tulle__settle_gathers(&context->env); /* the stored figures are for one way to gather */
	tulle__know_machine(&context->env, NULL, wisdom, 0, &m);
	return write_info(&context->env, &m, &(tulle__gather_times){ .fastest = m.isa }, info);
}

tulle_status tulle_machine_measure(tulle_context *context, const char *wisdom,
                                   tulle_machine_info *info)
{
	tulle_status s = tulle__context_of(context, &context);
	tulle__gather_times times;
	tulle__machine m;

	if (s == TULLE_OK && !info)
		s = tulle__fail(TULLE_E_ARGUMENT, "info is NULL");
	if (s != TULLE_OK)
		return s;
	tulle__settle_gathers(&context->env);
	times = tulle__known_gathers(context->env.isa);
	tulle__machine_assume(&context->env, &m);
	s = tulle__machine_survey(&context->env, &m);
	if (s != TULLE_OK)
		return s;
	if (m.caches_timed)
		tulle__keep_machine(&context->env, wisdom, &m);
	return write_info(&context->env, &m, &times, info);
}

/* ---- one table ---- */

enum { LEAST_BYTES = 4096, LEAST_GATHERS = 2048, MOST_GATHERS = 1 << 18, LINE = 64, ROUNDS = 16 };

/* For either kernel. A table that takes longer than this for one run is timed once. */
static const double TABLE_SECONDS = 2.5e-3;

/* One gather per cache line of the table, up to a limit: with fewer gathers, a cache would hold all
 * lines that are read after the first run. */
static int64_t gathers_from(size_t bytes)
{
	const int64_t lines = (int64_t)(bytes / LINE);

	return lines < LEAST_GATHERS ? LEAST_GATHERS : lines > MOST_GATHERS ? MOST_GATHERS : lines;
}

static void time_table(tulle__isa isa, const double *x, int32_t *col, size_t bytes,
                       tulle_machine_table *out)
{
	const int64_t elements = (int64_t)(bytes / sizeof *x);
	double sum, seconds[TULLE__PROBE_KERNELS];
	tulle__probe_work work = { x, col, gathers_from(bytes) / TULLE__PROBE_STEP * TULLE__PROBE_STEP,
		                       &sum };

	tulle__probe_columns(col, work.count, elements, 1);
	for (int kernel = 0; kernel < TULLE__PROBE_KERNELS; kernel++) {
		if (kernel == TULLE__PROBE_READ)
			work.count = elements / TULLE__PROBE_STEP * TULLE__PROBE_STEP;
		seconds[kernel] =
		    tulle__probe_time(isa, kernel, &work, ROUNDS, tulle__seconds() + TABLE_SECONDS);
		if (!(seconds[kernel] > 0))
			seconds[kernel] = tulle__probe_time(isa, kernel, &work, 1, INFINITY);
	}
	out->gather_seconds = seconds[TULLE__PROBE_GATHER];
	out->read_bandwidth = sizeof *x / seconds[TULLE__PROBE_READ];
}

tulle_status tulle_machine_time_table(tulle_context *context, const char *isa, size_t bytes,
                                      tulle_machine_table *out)
{
	const size_t most = (size_t)1 << 32;
	tulle_machine_table known = { .size = 0 };
	tulle_status s = tulle__context_of(context, &context);
	tulle__isa set;
	double *x = NULL;
	int32_t *col = NULL;

	if (s != TULLE_OK)
		return s;
	set = context->env.isa;
	if (isa)
		s = tulle__isa_find(isa, &set);
	if (s == TULLE_OK && (bytes < LEAST_BYTES || bytes > most))
		s = tulle__fail(TULLE_E_ARGUMENT, "bytes = %zu is not in %d .. %zu", bytes, LEAST_BYTES,
		                most);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(&context->env, (int64_t)(bytes / sizeof *x), sizeof *x, &x);
	if (s == TULLE_OK)
		s = tulle__alloc(&context->env, gathers_from(bytes), sizeof *col, &col);
	if (s == TULLE_OK) {
		time_table(set, x, col, bytes, &known);
		s = tulle__write_info("tulle_machine_table", out, &known, sizeof known);
	}
	tulle__free(&context->env, col);
	tulle__free(&context->env, x);
	return s;
}
