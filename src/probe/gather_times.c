/* gather_times.c -- times the kernels of instruction sets, and finds the set of a vector width that gathers
 * fastest. */
#include "probe/probe.h"

#include "core/gather.h"
#include "core/kernel_table.h"
#include "core/log.h"

#include <math.h>
#include <pthread.h>

TULLE__KERNEL_TABLE_F64(kernels, probe);

double tulle__probe_time(tulle__isa isa, int kernel, const tulle__probe_work *work, int rounds,
                         double end)
{
	tulle__work *run = kernels[isa][kernel].phase[0];
	double best = INFINITY, begin = tulle__seconds();

	for (int round = 0; round <= rounds && begin < end; round++) {
		double now;

		run(work, 0);
		now = tulle__seconds();
		if (round > 0 && now - begin < best)
			best = now - begin;
		begin = now;
	}
	return best < INFINITY ? best / (double)work->count : 0;
}

void tulle__probe_columns(int32_t *col, int64_t count, int64_t columns, uint32_t seed)
{
	for (int64_t k = 0; k < count; k++) {
		seed = seed * 1664525u + 1013904223u;
		col[k] = (int32_t)(((uint64_t)seed * (uint64_t)columns) >> 32);
	}
}

/* ---- the choice ---- */

/* 4 KiB of x and 1 KiB of columns: together they fit in any L1 cache. */
enum { ELEMENTS = 512, COUNT = 256, ROUNDS = 2 };

/* A sample takes about a microsecond, so that the last one ends before 50. */
static const double LONGEST = 40e-6;

static int width(tulle__isa isa)
{
	return tulle__kernel_lanes(isa, 1);
}

void tulle__time_gathers(tulle__isa isa, tulle__gather_times *out)
{
	double x[ELEMENTS] = { 0 }, sum, end;
	int32_t col[COUNT];
	const tulle__probe_work work = { x, col, COUNT, &sum };
	tulle__isa set[TULLE__ISAS];
	int count = 0;

	*out = (tulle__gather_times){ .fastest = isa };
	for (tulle__isa n = 0; n < TULLE__ISAS; n++)
		if (kernels[n] && width(n) == width(isa) && tulle__isa_available(n))
			set[count++] = n;
	if (count < 2)
		return;
	tulle__probe_columns(col, COUNT, ELEMENTS, 1);
	end = tulle__seconds() + LONGEST;
	/* The sets are timed in turn, until the time limit: wide vectors are several times slower for some 20 us
	 * after their first use, and the least time of each set must be taken after that. */
	while (tulle__seconds() < end)
		for (int n = 0; n < count; n++) {
			double *best = &out->seconds[set[n]];
			const double seconds =
			    tulle__probe_time(set[n], TULLE__PROBE_GATHER, &work, ROUNDS, end);

			if (seconds > 0 && (*best == 0 || seconds < *best))
				*best = seconds;
		}
	for (int n = 0; n < count; n++) {
		if (out->seconds[set[n]] == 0) { /* no result unless all were timed */
			*out = (tulle__gather_times){ .fastest = isa };
			return;
		}
		if (out->seconds[set[n]] < out->seconds[out->fastest])
			out->fastest = set[n];
	}
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is known */

/* A thread of the library may hold the lock during fork() (core/background.h): the child must find it free. */
static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static __attribute__((constructor)) void watch_fork(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

tulle__gather_times tulle__known_gathers(tulle__isa isa)
{
	enum { UNIT = 16, WIDTHS = 64 / UNIT + 1 };
	static tulle__gather_times known[WIDTHS];
	static int is_known[WIDTHS];
	const int n = width(isa) / UNIT;
	tulle__gather_times times;

	pthread_mutex_lock(&lock);
	if (!is_known[n])
		tulle__time_gathers(isa, &known[n]);
	is_known[n] = 1;
	times = known[n];
	pthread_mutex_unlock(&lock);
	if (times.seconds[isa] == 0)
		times.fastest = isa;
	return times;
}

/* Loads are chosen unless the instruction is clearly faster. Wisdom for one way cannot be used by the other,
 * so the choice should not change between processes. */
static const double CLEARLY = 1.5;

void tulle__settle_gathers(const tulle__env *env)
{
	const tulle__isa loads = tulle__isa_loads(env->isa);
	tulle__gather_times times;

	if (loads == env->isa || env->gather != TULLE__GATHER_UNKNOWN ||
	    tulle__gather_of_model() != TULLE__GATHER_UNKNOWN)
		return;
	times = tulle__known_gathers(env->isa);
	if (times.seconds[env->isa] > 0)
		tulle__gather_settle(CLEARLY * times.seconds[env->isa] < times.seconds[loads]
		                         ? TULLE__GATHER_INSTRUCTION
		                         : TULLE__GATHER_LOADS);
}
