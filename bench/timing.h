/* timing.h -- samples of several contenders, taken in turn so that noise hits all alike. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include "competitor.h"

/* How samples are taken. One sample = the mean of `repeats` multiplications, after half as many that
 * are not timed. */
typedef struct {
	const char *name, *about;
	int samples; /* 0: as many as fit in the time for one matrix, between MIN and MAX of timing.c */
	int repeats; /* 0: as many as make a sample long enough to be timed */
} bench_protocol;

/* "own", "csr5", "csr2"; NULL past the last. */
const bench_protocol *bench_protocol_at(int n);

/* A prepared contender in; its times out, in seconds for one multiplication. */
typedef struct {
	const bench_competitor *table;
	void *state; /* NULL: takes no part */
	double best, median;
	int failed;    /* multiply() said so */
	int disturbed; /* during nearly every sample another process took a core from us */
} bench_runner;

/* Seconds of a clock that only goes forward. */
double bench_now(void);

/* Take samples of all runners that have a state, round by round; all multiply the one x into the one y.
 * `budget`: seconds for all together, under a protocol that leaves the number of samples open; on a busy machine up to five times as long is waited for
 * quiet moments. A budget of 0 is for who wants right results only: nothing is called disturbed.
 * Returns -1 when memory is short. */
int bench_sample(bench_runner *runners, int count, const double *x, double *y,
                 const bench_protocol *protocol, double budget);

#endif
