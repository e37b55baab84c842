/* reads.h -- the time that a team needs to read memory sequentially and at random, by plain loads.
 *
 * The prices of formats were fitted in units of these times (analysis/cost.h), so every instruction set uses
 * the same loops. probe.h has the times of the kernels of a set. */
#ifndef TULLE_PROBE_READS_H
#define TULLE_PROBE_READS_H

#include "core/env.h"

typedef struct {
	tulle__env *env;
	int threads;
	double end; /* tulle__seconds(): no run begins then or later */
} tulle__stopwatch;

/* The memory that is read. Its contents and alignment do not matter. */
typedef struct {
	const void *block;
	int64_t bytes;
	int apart; /* 1: each thread reads its own piece of the block; 0: every thread reads all of it */
} tulle__extent;

/* All of these return seconds: the least of some runs, if a second one agrees with it. 0: no two runs agree,
 * because the machine is busy; the time limit was reached; or part of the team was missing. The first run is
 * a warm-up and does not count. Exception: cold reads divide the extent among the runs, and nothing is read
 * twice. */

/* Per byte that the whole team reads sequentially; at least `least` bytes per thread and run. */
double tulle__time_reads(const tulle__stopwatch *w, const tulle__extent *e, double least, int runs);
double tulle__time_cold_reads(const tulle__stopwatch *w, const tulle__extent *e, int runs);

/* Per element that one thread reads at random while the others do the same; `count` elements per run. */
double tulle__time_random_reads(const tulle__stopwatch *w, const tulle__extent *e, int64_t count,
                                int runs);

/* The time of an empty parallel region; 0 for one thread. */
double tulle__time_region(const tulle__stopwatch *w, int runs);

#endif
