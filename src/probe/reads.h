/* reads.h -- what a team takes to read memory in order and at random, by plain loads.
 *
 * The prices of formats were fitted in these times (analysis/cost.h), so they are the same loops for every
 * instruction set. What the kernels of a set take is in probe.h. */
#ifndef TULLE_PROBE_READS_H
#define TULLE_PROBE_READS_H

#include "core/env.h"

typedef struct {
	tulle__env *env;
	int threads;
	double end; /* tulle__seconds(): no run begins then or later */
} tulle__stopwatch;

/* What is read. Any bytes will do, aligned or not: nothing is computed with them. */
typedef struct {
	const void *block;
	int64_t bytes;
	int apart; /* 1: each thread reads its own piece of the block; 0: every thread reads all of it */
} tulle__extent;

/* All of these return seconds: the least of some runs, if a second one agrees with it. 0: none does, because
 * the machine is busy; the time was over; or part of the team was missing. The first run warms up and does
 * not count, except of cold reads: these divide the extent among the runs, and nothing is read twice. */

/* Per byte that the whole team reads in order; at least `least` bytes per thread and run. */
double tulle__time_reads(const tulle__stopwatch *w, const tulle__extent *e, double least, int runs);
double tulle__time_cold_reads(const tulle__stopwatch *w, const tulle__extent *e, int runs);

/* Per element that one thread reads at random, while the others do, too; `count` of them per run. */
double tulle__time_random_reads(const tulle__stopwatch *w, const tulle__extent *e, int64_t count,
                                int runs);

/* Of a parallel region with nothing to do; with one thread 0. */
double tulle__time_region(const tulle__stopwatch *w, int runs);

#endif
