/* timing.c -- samples of several contenders, taken in turn so that noise affects all alike. */
#include "timing.h"

#include "tasks.h"

#include <stdlib.h>
#include <time.h>

#define SAMPLE_SECONDS 2e-3 /* a clock read costs 30 ns and an interrupt some 10 us */

/* A call of this duration reads more bytes than the caches hold, so warming up has no effect. */
#define LONG_CALL 2e-2

enum {
	MIN_SAMPLES = 7,
	MAX_SAMPLES = 41,
	QUIET_SAMPLES = 3, /* needed for the least and the median time of a contender */
};

/* On a busy machine, the time limit for quiet samples is this multiple of the budget. */
#define PATIENCE 5.0
#define PAUSE_NS 50000000L

/* On an idle machine, system tasks make threads wait for less than this share of the time. */
#define QUIET_SHARE 0.02

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

/* How often a runner must multiply to fill a sample; leaves a first estimate in best. */
static int repeats_for(bench_runner *r, const double *x, double *y)
{
	int repeats = 1;
	for (;;) {
		run(r, x, y, 1);
		double seconds = run(r, x, y, repeats);
		r->best = seconds;
		if (seconds * repeats >= SAMPLE_SECONDS / 4)
			return 1 + (int)(SAMPLE_SECONDS / seconds);
		repeats *= 8;
	}
}

typedef struct {
	double seconds;
	int quiet; /* no other process used the cores meanwhile */
} sample;

static sample take(bench_runner *r, const double *x, double *y, int repeats)
{
	bench_settle();
	/* Warms up for half a sample, because threads that have slept start late, on a busy host by a
	 * millisecond. */
	if (r->best < LONG_CALL)
		run(r, x, y, 1 + repeats / 2);
	double before = bench_waited();
	double seconds = run(r, x, y, repeats);
	return (sample){ seconds, bench_waited() - before <= QUIET_SHARE * seconds * repeats };
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

static int needed(int count)
{
	return count < QUIET_SAMPLES ? count : QUIET_SAMPLES;
}

/* Best and median of the quiet samples, or of all where there are too few quiet ones. */
static void conclude(bench_runner *r, sample *own, int count)
{
	int quiet = count_quiet(own, count);
	r->disturbed = quiet < needed(count);
	for (int n = 0; r->disturbed && n < count; n++)
		own[n].quiet = 1;
	qsort(own, (size_t)count, sizeof *own, by_worth);
	count = count_quiet(own, count);
	r->best = own[0].seconds;
	r->median = (own[(count - 1) / 2].seconds + own[count / 2].seconds) / 2;
}

/* Rounds that the budget allows, from the cost of the first. */
static int rounds_for(double round_seconds, double budget)
{
	double n = budget / round_seconds;
	return n < MIN_SAMPLES ? MIN_SAMPLES : n > MAX_SAMPLES ? MAX_SAMPLES : (int)n;
}

/* Everything about one call of bench_sample(). */
typedef struct {
	bench_runner **runners;
	const double *x;
	double *y;
	int count, most; /* contenders; room for samples of each */
	int *repeats;
	sample *samples;
} session;

/* Takes samples of all contenders in turn; returns the number of rounds. */
static int take_rounds(session *s, int adapt, double budget)
{
	int rounds = s->most;
	for (int round = 0; round < rounds; round++) {
		double start = bench_now();
		for (int n = 0; n < s->count; n++) {
			/* The order changes, so that no contender always follows the slowest. */
			int c = (n + round) % s->count;
			s->samples[c * s->most + round] = take(s->runners[c], s->x, s->y, s->repeats[c]);
		}
		if (!round && adapt)
			rounds = rounds_for(bench_now() - start, budget);
	}
	return rounds;
}

/* Repeats one disturbed sample of each contender that lacks quiet ones; 0 if none does. */
static int retake(session *s, int rounds)
{
	int lacking = 0;
	for (int c = 0; c < s->count; c++) {
		sample *own = s->samples + c * s->most;
		if (count_quiet(own, rounds) >= needed(rounds))
			continue;
		lacking = 1;
		int n = 0;
		while (n < rounds && own[n].quiet)
			n++;
		own[n] = take(s->runners[c], s->x, s->y, s->repeats[c]);
	}
	return lacking;
}

static void sample_all(session *s, const bench_protocol *protocol, double budget)
{
	for (int c = 0; c < s->count; c++)
		s->repeats[c] =
		    protocol->repeats ? protocol->repeats : repeats_for(s->runners[c], s->x, s->y);
	int rounds = take_rounds(s, !protocol->samples, budget);
	double start = bench_now();
	while (bench_now() - start < PATIENCE * budget && retake(s, rounds))
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	for (int c = 0; c < s->count; c++) {
		conclude(s->runners[c], s->samples + c * s->most, rounds);
		s->runners[c]->disturbed &= budget > 0;
	}
}

int bench_sample(bench_runner *runners, int count, const double *x, double *y,
                 const bench_protocol *protocol, double budget)
{
	size_t room = (size_t)count + 1; /* never 0 */
	int most = protocol->samples ? protocol->samples : MAX_SAMPLES;
	session s = { .runners = malloc(room * sizeof(bench_runner *)),
		          .x = x,
		          .y = y,
		          .most = most,
		          .repeats = malloc(room * sizeof(int)),
		          .samples = calloc(room * (size_t)most, sizeof(sample)) };
	int status = s.runners && s.repeats && s.samples ? 0 : -1;
	for (int n = 0; n < count && !status; n++)
		if (runners[n].state)
			s.runners[s.count++] = &runners[n];
	if (!status)
		sample_all(&s, protocol, budget);
	free(s.runners);
	free(s.repeats);
	free(s.samples);
	return status;
}
