/* samples.c -- takes samples until three undisturbed ones agree. */
#include "core/samples.h"

#include "core/busy.h"
#include "core/log.h"

#include <math.h>

enum {
	CONFIRMED = 3, /* undisturbed samples that agree, the least among them */
	FEWEST = 5,    /* samples before giving up: the first has cold caches, and another may be
	               disturbed */
	MOST = 64
};

/* Samples agree with the least one up to this factor. */
static const double AGREE = 1.2;

/* Even on an idle machine a thread is sometimes interrupted for some microseconds. If it shares its CPU
 * with another process, it is preempted every few milliseconds. Seconds between two interruptions of
 * the first kind: */
static const double RARE = .05;

/* No core reads more per second from any cache: 512 bytes per cycle at 4 GHz. */
static const double MOST_BYTES = 2e12;

/* A hypervisor may take this share of the CPU time. It is counted in coarse steps, so an interval of a
 * few steps or less shows nothing. */
static const double MOST_STOLEN = .1;
static const double STEPS = 2;

/* ---- one sample ---- */

void tulle__watch_begin(tulle__watch *w)
{
	w->preemptions = tulle__preemptions();
	w->begin = tulle__seconds();
}

static double elapsed(const tulle__watch *w, int threads, int *preempted)
{
	const double seconds = tulle__seconds() - w->begin;
	const double rare = floor(seconds / RARE * threads);

	*preempted = (double)(tulle__preemptions() - w->preemptions) > rare;
	return seconds;
}

/* A helper that never got a CPU was not preempted either: the system must report whether threads are
 * waiting. */
double tulle__watch_end(const tulle__watch *w, int threads, int *disturbed)
{
	const double seconds = elapsed(w, threads, disturbed);

	*disturbed = *disturbed || tulle__overloaded();
	return seconds;
}

/* ---- many ---- */

typedef struct {
	double undisturbed[MOST]; /* in ascending order */
	int count;                /* of them */
	double least;             /* of all samples */
} collection;

static void insert(collection *c, double seconds)
{
	int at = c->count++;

	for (; at > 0 && c->undisturbed[at - 1] > seconds; at--)
		c->undisturbed[at] = c->undisturbed[at - 1];
	c->undisturbed[at] = seconds;
}

static int confirmed(const collection *c)
{
	return c->count >= CONFIRMED && c->undisturbed[CONFIRMED - 1] <= AGREE * c->undisturbed[0];
}

static void sample(tulle__sampled *work, void *arg, int threads, collection *c, tulle__timing *out)
{
	tulle__watch w;
	int failed, preempted;
	double seconds;

	tulle__watch_begin(&w);
	failed = work(arg);
	seconds = elapsed(&w, threads, &preempted);
	c->least = fmin(c->least, seconds);
	out->samples++;
	if (failed || preempted)
		out->disturbed++;
	else
		insert(c, seconds);
}

static const char *doubt_of(const collection *c, const tulle__sampling *how, const tulle__timing *t,
                            double stolen, double elapsed)
{
	if (stolen > STEPS * TULLE__STEAL_STEP && stolen > MOST_STOLEN * elapsed * how->threads)
		return "the hypervisor gave the processors to others";
	if (!confirmed(c))
		return t->disturbed > 0 ? "other processes used the processors"
		                        : "the samples differ too much";
	if (!(t->seconds > 0) || how->bytes > MOST_BYTES * how->threads * t->seconds)
		return "it would be faster than any cache";
	return NULL;
}

void tulle__take_samples(tulle__sampled *work, void *arg, const tulle__sampling *how,
                         tulle__timing *out)
{
	const double begin = tulle__seconds();
	const int sees_steal = how->seconds > STEPS * TULLE__STEAL_STEP;
	double stolen = sees_steal ? tulle__stolen_seconds() : 0, seconds;
	collection c = { .least = INFINITY };

	*out = (tulle__timing){ .spread = 1 };
	do {
		sample(work, arg, how->threads, &c, out);
		seconds = tulle__seconds() - begin;
	} while (!confirmed(&c) && out->samples < MOST &&
	         (out->samples < FEWEST || seconds < how->seconds));
	stolen = sees_steal ? tulle__stolen_seconds() - stolen : 0;
	out->seconds = c.count > 0 ? c.undisturbed[0] : c.least;
	if (c.count > 0 && c.undisturbed[0] > 0)
		out->spread = c.undisturbed[c.count / 2] / c.undisturbed[0];
	out->doubt = doubt_of(&c, how, out, stolen, seconds);
}
