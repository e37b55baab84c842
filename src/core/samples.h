/* samples.h -- the time of a piece of work, from samples without disturbances.
 *
 * Other processes can only add time, so the least sample is the estimate. It is trusted if enough other
 * samples confirm it: a single one may come from a state of the caches that does not recur. */
#ifndef TULLE_CORE_SAMPLES_H
#define TULLE_CORE_SAMPLES_H

/* Do the work once. Nonzero: it did not run as intended, so its time is discarded. */
typedef int tulle__sampled(void *arg);

typedef struct {
	int threads;    /* that the work uses */
	double bytes;   /* minimum number that it reads; 0: unknown */
	double seconds; /* to spend; a few samples are taken in any case */
} tulle__sampling;

typedef struct {
	double seconds;    /* the least undisturbed sample; the least of all, if all were disturbed */
	double spread;     /* the middle undisturbed sample over the least: 1 or more */
	int samples;       /* that were taken */
	int disturbed;     /* of these */
	const char *doubt; /* why `seconds` is not trusted, half a sentence; NULL: it is */
} tulle__timing;

/* Sample until the time is confirmed or the seconds are spent. */
void tulle__take_samples(tulle__sampled *work, void *arg, const tulle__sampling *how,
                         tulle__timing *out);

/* Work that is done only once, such as a conversion. */
typedef struct {
	double begin;
	long preemptions;
} tulle__watch;

void tulle__watch_begin(tulle__watch *w);

/* Seconds since it began. *disturbed: other processes used the CPUs for a notable part of it. */
double tulle__watch_end(const tulle__watch *w, int threads, int *disturbed);

#endif
