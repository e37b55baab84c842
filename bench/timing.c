/* timing.c -- samples of several contenders, taken in turn so that noise hits all alike. */
#include "timing.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define SAMPLE_SECONDS 2e-3 /* a clock read costs 30 ns and an interrupt some 10 us */

enum {
	MIN_SAMPLES = 7,
	MAX_SAMPLES = 41,
	QUIET_SAMPLES = 3, /* that the best and the median of one contender need */
};

static const bench_protocol protocols[] = {
	{ "own", "best of 7 to 41 samples of at least 2 ms", 0, 0 },
	{ "csr5", "best of 10 means of 1000 runs (the CSR5 paper, sec. 5.1)", 10, 1000 },
	{ "csr2", "mean of 10 runs (the CSR2 paper, sec. VI-C)", 1, 10 },
};

const bench_protocol *bench_protocol_at(int n)
{
	return n >= 0 && n < (int)(sizeof protocols / sizeof *protocols) ? &protocols[n] : NULL;
}

double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one multiplication, the mean of `repeats`. */
static double run(bench_runner *r, const double *x, double *y, int repeats)
{
	double start = bench_now();
	for (int n = 0; n < repeats; n++)
		r->failed |= r->table->multiply(r->state, x, y);
	return (bench_now() - start) / repeats;
}

/* How often a runner must multiply to fill a sample. */
static int repeats_for(bench_runner *r, const double *x, double *y)
{
	int repeats = 1;
	for (;;) {
		run(r, x, y, 1);
		double seconds = run(r, x, y, repeats);
		if (seconds * repeats >= SAMPLE_SECONDS / 4)
			return 1 + (int)(SAMPLE_SECONDS / seconds);
		repeats *= 8;
	}
}

/* How often another process took a core away from a thread of ours. A team of two loses whole time
 * slices to it at every barrier where a serial loop loses its share only, so such samples say
 * nothing about the contenders. */
static long preemptions(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw;
}

typedef struct {
	double seconds;
	int quiet; /* no preemption while it was taken */
} sample;

static sample take(bench_runner *r, const double *x, double *y, int repeats)
{
	run(r, x, y, 1);
	long before = preemptions();
	double seconds = run(r, x, y, repeats);
	return (sample){ seconds, preemptions() == before };
}

/* Quiet samples first, then by time. */
static int by_worth(const void *a, const void *b)
{
	const sample *u = a, *v = b;
	if (u->quiet != v->quiet)
		return v->quiet - u->quiet;
	return (u->seconds > v->seconds) - (u->seconds < v->seconds);
}

static int count_quiet(const sample *own, int count)
{
	int quiet = 0;
	for (int n = 0; n < count; n++)
		quiet += own[n].quiet;
	return quiet;
}

/* Best and median of the quiet samples, or of all where there are too few quiet ones. */
static void conclude(bench_runner *r, sample *own, int count)
{
	qsort(own, (size_t)count, sizeof *own, by_worth);
	int quiet = count_quiet(own, count);
	r->disturbed = quiet < QUIET_SAMPLES && quiet < count;
	if (r->disturbed) {
		for (int n = 0; n < count; n++)
			own[n].quiet = 0;
		qsort(own, (size_t)count, sizeof *own, by_worth);
	} else {
		count = quiet;
	}
	r->best = own[0].seconds;
	r->median = (own[(count - 1) / 2].seconds + own[count / 2].seconds) / 2;
}

/* Rounds that the budget allows, from the cost of the first. */
static int rounds_for(double round_seconds, double budget)
{
	double n = budget / round_seconds;
	return n < MIN_SAMPLES ? MIN_SAMPLES : n > MAX_SAMPLES ? MAX_SAMPLES : (int)n;
}

/* Has everybody enough quiet samples after so many rounds? */
static int all_quiet(const sample *samples, int count, int most, int rounds)
{
	for (int c = 0; c < count; c++)
		if (count_quiet(samples + c * most, rounds) < QUIET_SAMPLES)
			return 0;
	return 1;
}

int bench_sample(bench_runner *runners, int count, const double *x, double *y,
                 const bench_protocol *protocol, double budget)
{
	int most = protocol->samples ? protocol->samples : MAX_SAMPLES;
	int *repeats = malloc((size_t)count * sizeof *repeats);
	sample *samples = malloc((size_t)count * (size_t)most * sizeof *samples);
	if (!repeats || !samples) {
		free(repeats);
		free(samples);
		return -1;
	}
	for (int c = 0; c < count; c++)
		repeats[c] = protocol->repeats ? protocol->repeats : repeats_for(&runners[c], x, y);

	int wanted = most, round = 0;
	while (round < most && (round < wanted || !all_quiet(samples, count, most, round))) {
		double start = bench_now();
		for (int n = 0; n < count; n++) {
			/* Nobody is always the one after the slow one. */
			int c = (n + round) % count;
			samples[c * most + round] = take(&runners[c], x, y, repeats[c]);
		}
		if (!round && !protocol->samples)
			wanted = rounds_for(bench_now() - start, budget);
		round++;
	}
	for (int c = 0; c < count; c++)
		conclude(&runners[c], samples + c * most, round);
	free(repeats);
	free(samples);
	return 0;
}
