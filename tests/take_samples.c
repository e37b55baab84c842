/* take_samples.c -- which times are believed: disturbed samples of several kinds, with a clock of our own. */
#include "check.h"
#include "core/busy.h"
#include "core/log.h"
#include "core/samples.h"

#include <math.h>
#include <stddef.h>

/* ---- a machine whose disturbances are known ---- */

static struct {
	double now, stolen;
	long preemptions;
	int overloaded;
} machine;

double my_seconds(void) __asm__("__wrap_tulle__seconds");
long my_preemptions(void) __asm__("__wrap_tulle__preemptions");
int my_overloaded(void) __asm__("__wrap_tulle__overloaded");
double my_stolen_seconds(void) __asm__("__wrap_tulle__stolen_seconds");

double my_seconds(void)
{
	return machine.now;
}

long my_preemptions(void)
{
	return machine.preemptions;
}

int my_overloaded(void)
{
	return machine.overloaded;
}

double my_stolen_seconds(void)
{
	return machine.stolen;
}

/* One sample after the other: how many times as long as an undisturbed one it takes, and what the system
 * and the work itself say of it. */
typedef struct {
	double slow;
	long preempted;
	int incomplete;
	double stolen; /* share */
} event;

typedef struct {
	const event *script; /* the last one goes on for ever */
	int events;
	double quiet; /* seconds */
	int at;
} story;

static int work(void *arg)
{
	story *s = arg;
	const event *e = &s->script[s->at < s->events ? s->at : s->events - 1];

	s->at++;
	machine.now += e->slow * s->quiet;
	machine.preemptions += e->preempted;
	machine.stolen += e->stolen * e->slow * s->quiet;
	return e->incomplete;
}

static tulle__timing run(const event *script, int events, double quiet, tulle__sampling how)
{
	story s = { script, events, quiet, 0 };
	tulle__timing t;

	tulle__take_samples(work, &s, &how, &t);
	CHECK_EQUAL(t.samples, s.at);
	CHECK(t.disturbed <= t.samples && t.spread >= 1);
	return t;
}

#define TOLD(...) \
	(const event[]){ __VA_ARGS__ }, (int)(sizeof((event[]){ __VA_ARGS__ }) / sizeof(event))

static const double QUIET = 1e-3;
static const tulle__sampling ENOUGH = { .threads = 2, .bytes = 1e6, .seconds = 1 };

static void check_trusted(const char *what, tulle__timing t, double quiet)
{
	CHECK_THAT(!t.doubt, "%s: not trusted: %s", what, t.doubt);
	CHECK_THAT(fabs(t.seconds - quiet) <= 1e-9 * quiet, "%s: %g s, not %g", what, t.seconds, quiet);
}

static void check_doubted(const char *what, tulle__timing t)
{
	CHECK_THAT(t.doubt != NULL, "%s: %g s is trusted", what, t.seconds);
}

/* ---- the clock alone ---- */

static void test_clock(void)
{
	tulle__timing t = run(TOLD({ .slow = 1 }), QUIET, ENOUGH);

	check_trusted("steady", t, QUIET);
	CHECK_EQUAL(t.samples, 3); /* no more than are needed */
	check_trusted("cold caches first", run(TOLD({ .slow = 9 }, { .slow = 1 }), QUIET, ENOUGH),
	              QUIET);
	check_trusted("one spike",
	              run(TOLD({ .slow = 1 }, { .slow = 300 }, { .slow = 1 }), QUIET, ENOUGH), QUIET);
	check_trusted("every second one slow",
	              run(TOLD({ .slow = 1 }, { .slow = 3 }, { .slow = 1 }, { .slow = 3 },
	                       { .slow = 1 }, { .slow = 3 }),
	                  QUIET, ENOUGH),
	              QUIET);
	check_trusted(
	    "slow, then quiet",
	    run(TOLD({ .slow = 30 }, { .slow = 40 }, { .slow = 35.5 }, { .slow = 1 }), QUIET, ENOUGH),
	    QUIET);
	check_doubted(
	    "all slow after the first",
	    run(TOLD({ .slow = 1 }, { .slow = 2 }, { .slow = 2.2 }, { .slow = 2.1 }), QUIET, ENOUGH));
	check_doubted("ever slower",
	              run(TOLD({ .slow = 1 }, { .slow = 2 }, { .slow = 4 }, { .slow = 8 },
	                       { .slow = 16 }, { .slow = 32 }),
	                  QUIET, (tulle__sampling){ .threads = 2, .seconds = 30 * QUIET }));
	check_doubted("no time at all", run(TOLD({ .slow = 0 }), QUIET, ENOUGH));
	check_doubted("faster than any cache",
	              run(TOLD({ .slow = 1 }), QUIET,
	                  (tulle__sampling){ .threads = 2, .bytes = 1e12, .seconds = 1 }));
	t = run(TOLD({ .slow = 1 }, { .slow = 1.1 }, { .slow = 1.5 }, { .slow = 1.19 }), QUIET, ENOUGH);
	CHECK_THAT(fabs(t.spread - 1.19) < 1e-6, "spread %g", t.spread);
	check_group("by the clock");
}

/* ---- what the system says ---- */

/* Beside a process that shares its CPU every sample takes twice as long, and they agree. */
static void test_preempted(void)
{
	static const tulle__sampling long_enough = { .threads = 2, .bytes = 1e6, .seconds = 60 };

	check_doubted("shared CPU", run(TOLD({ .slow = 2, .preempted = 1 }), QUIET, ENOUGH));
	check_doubted("shared CPU, long work",
	              run(TOLD({ .slow = 2, .preempted = 30 }), .1, long_enough));
	check_trusted("the odd interruption of long work",
	              run(TOLD({ .slow = 1, .preempted = 3 }), .1, long_enough), .1);
	check_trusted("quiet moments",
	              run(TOLD({ .slow = 2, .preempted = 1 }, { .slow = 2, .preempted = 1 },
	                       { .slow = 2, .preempted = 1 }, { .slow = 1 }),
	                  QUIET, ENOUGH),
	              QUIET);
	check_group("preempted");
}

static void test_helpers(void)
{
	check_doubted("no helper", run(TOLD({ .slow = 2, .incomplete = 1 }), QUIET, ENOUGH));
	check_trusted("no helper at first",
	              run(TOLD({ .slow = 2, .incomplete = 1 }, { .slow = 2, .incomplete = 1 },
	                       { .slow = 2, .incomplete = 1 }, { .slow = 1 }),
	                  QUIET, ENOUGH),
	              QUIET);
	check_group("helpers missing");
}

static void test_stolen(void)
{
	check_doubted("stolen by the hypervisor", run(TOLD({ .slow = 2, .stolen = 1 }), .02, ENOUGH));
	check_trusted("a little stolen", run(TOLD({ .slow = 1, .stolen = .05 }), .02, ENOUGH), .02);
	check_group("stolen");
}

/* ---- the budget ---- */

static void test_budget(void)
{
	tulle__sampling how = ENOUGH;

	how.seconds = 19.5 * QUIET;
	CHECK_EQUAL(run(TOLD({ .slow = 1, .preempted = 1 }), QUIET, how).samples, 20);
	how.seconds = 0;
	CHECK_EQUAL(run(TOLD({ .slow = 1, .preempted = 1 }), QUIET, how).samples, 5);
	how.seconds = 1e9;
	CHECK_EQUAL(run(TOLD({ .slow = 1, .preempted = 1 }), QUIET, how).samples, 64);
	check_group("budget");
}

/* ---- work that is done once ---- */

static void check_watch(const char *what, double seconds, long preempted, int overloaded, int want)
{
	tulle__watch w;
	int disturbed;

	tulle__watch_begin(&w);
	machine.now += seconds;
	machine.preemptions += preempted;
	machine.overloaded = overloaded;
	CHECK_THAT(fabs(tulle__watch_end(&w, 2, &disturbed) - seconds) < 1e-9, "%s", what);
	CHECK_THAT(disturbed == want, "%s: disturbed %d", what, disturbed);
	machine.overloaded = 0;
}

static void test_watch(void)
{
	check_watch("quiet", .01, 0, 0, 0);
	check_watch("preempted", .01, 1, 0, 1);
	check_watch("long, and rarely preempted", 1, 40, 0, 0);
	check_watch("long, and often preempted", 1, 41, 0, 1);
	check_watch("someone waits for a CPU", .01, 0, 1, 1);
	check_group("once");
}

int main(void)
{
	test_clock();
	test_preempted();
	test_helpers();
	test_stolen();
	test_budget();
	test_watch();
	return check_end();
}
