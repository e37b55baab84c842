/* timing.h -- samples of several contenders, taken in turn so that noise affects all alike. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include "competitor.h"

/* How samples are taken. One sample = the mean of `repeats` multiplications, after half as many that
 * are not timed. */
typedef struct {
	const char *name, *about;
	int samples; /* 0: as many as fit in the time for one matrix, between MIN and MAX of timing.c */
	int repeats; /* 0: enough to make a sample long enough to be timed */
} bench_protocol;

/* "own", "csr5", "csr2"; NULL past the last. */
const bench_protocol *bench_protocol_at(int n);

/* A prepared contender in; its times out, in seconds for one multiplication. */
typedef struct {
	const bench_competitor *table;
	void *state; /* NULL: takes no part */
	double best, median;
	int failed;    /* multiply() said so */
	int disturbed; /* another process used our cores during nearly every sample */
} bench_runner;

/* Seconds of a monotonic clock. */
double bench_now(void);

/* Takes samples of all runners that have a state, round by round; all use the same x and y. `budget`: seconds for all
 * together, if the protocol does not fix the number of samples; on a busy machine the search for quiet samples may take
 * up to five times as long. A budget of 0 is for checking results only: nothing is marked as disturbed. Returns -1 if
 * memory is exhausted. */
int bench_sample(bench_runner *runners, int count, const double *x, double *y,
                 const bench_protocol *protocol, double budget);

#endif
