/* reads.c -- plain loops over memory, timed for a team. */
#include "probe/reads.h"

#include "core/log.h"
#include "core/threads.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* What a plain load reads, and a pair of them. The types are explicit, so that every build uses the
 * same loads. There is no floating-point arithmetic: the caller's values might cause a trap. */
typedef uint64_t pair __attribute__((vector_size(16)));

/* Loads in flight at the same time. */
enum { STREAMS = 8, ELEMENT = sizeof(uint64_t), STEP = STREAMS * sizeof(pair) };

typedef struct {
	const char *block;
	int64_t bytes, piece; /* of a thread's piece; `piece` bytes lie between two of them */
	int64_t amount;       /* number of passes over the piece, or of elements gathered */
	int64_t advance; /* from one run to the next; > 0: nothing is read twice, and all runs count */
	atomic_ullong *sink; /* keeps the compiler from removing the sums */
} loop;

static void keep(const loop *l, uint64_t sum)
{
	atomic_fetch_add_explicit(l->sink, sum, memory_order_relaxed);
}

static void read_part(const void *arg, int64_t part)
{
	const loop *l = arg;
	const char *piece = l->block + part * l->piece;
	pair sum[STREAMS] = { { 0 } };

	for (int64_t time = 0; time < l->amount; time++)
		for (int64_t at = 0; at + STEP <= l->bytes; at += STEP)
			for (int s = 0; s < STREAMS; s++) {
				pair value;

				memcpy(&value, piece + at + s * (int64_t)sizeof value, sizeof value);
				sum[s] += value;
			}
	for (int s = 1; s < STREAMS; s++)
		sum[0] += sum[s];
	keep(l, sum[0][0] + sum[0][1]);
}

static void gather_part(const void *arg, int64_t part)
{
	const loop *l = arg;
	const char *piece = l->block + part * l->piece;
	const uint64_t elements = (uint64_t)l->bytes / ELEMENT;
	uint64_t sum[STREAMS] = { 0 };
	uint32_t at = (uint32_t)part + 1;

	for (int64_t n = 0; n < l->amount; n += STREAMS)
		for (int s = 0; s < STREAMS; s++) {
			uint64_t value;

			at = at * 1664525u + 1013904223u;
			memcpy(&value, piece + (((uint64_t)at * elements) >> 32) * ELEMENT, sizeof value);
			sum[s] += value;
		}
	for (int s = 1; s < STREAMS; s++)
		sum[0] += sum[s];
	keep(l, sum[0]);
}

static void idle_part(const void *arg, int64_t part)
{
	(void)arg;
	(void)part;
}

/* The time is meaningless if another caller used the team, or threads could not be created. */
static int whole_team(const tulle__stopwatch *w)
{
	return atomic_load_explicit(&w->env->last_team, memory_order_relaxed) == w->threads;
}

/* The least of all runs counts if the second least agrees with it. Interrupted runs rarely agree. */
static const double AGREES = 1.5;

static double time_loop(const tulle__stopwatch *w, tulle__work *work, loop l, int runs)
{
	double least = INFINITY, next = INFINITY, begin = tulle__seconds();

	for (int run = 0; run < runs && begin < w->end; run++) {
		double now;

		tulle__run_parts(w->env, work, &l, w->threads, INT64_MAX);
		now = tulle__seconds();
		if ((run > 0 || l.advance > 0) && whole_team(w)) {
			next = fmin(next, fmax(least, now - begin));
			least = fmin(least, now - begin);
		}
		l.block += l.advance;
		begin = now;
	}
	return least < INFINITY && next <= AGREES * least ? least : 0;
}

static loop loop_over(const tulle__stopwatch *w, const tulle__extent *e, atomic_ullong *sink)
{
	const int64_t piece = e->apart ? e->bytes / w->threads : 0;

	return (loop){ .block = e->block,
		           .bytes = e->apart ? piece : e->bytes,
		           .piece = piece,
		           .amount = 1,
		           .sink = sink };
}

double tulle__time_reads(const tulle__stopwatch *w, const tulle__extent *e, double least, int runs)
{
	atomic_ullong sink = 0;
	loop l = loop_over(w, e, &sink);

	l.amount += (int64_t)(least / (double)l.bytes);
	return time_loop(w, read_part, l, runs) /
	       ((double)l.bytes * (double)l.amount * (double)w->threads);
}

double tulle__time_cold_reads(const tulle__stopwatch *w, const tulle__extent *e, int runs)
{
	atomic_ullong sink = 0;
	loop l = loop_over(w, e, &sink);

	l.bytes /= runs;
	l.advance = l.bytes;
	return time_loop(w, read_part, l, runs) / ((double)l.bytes * (double)w->threads);
}

double tulle__time_random_reads(const tulle__stopwatch *w, const tulle__extent *e, int64_t count,
                                int runs)
{
	atomic_ullong sink = 0;
	loop l = loop_over(w, e, &sink);

	l.amount = count;
	return time_loop(w, gather_part, l, runs) / (double)count;
}

double tulle__time_region(const tulle__stopwatch *w, int runs)
{
	return w->threads > 1 ? time_loop(w, idle_part, (loop){ .amount = 0 }, runs) : 0;
}
