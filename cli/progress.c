/* progress.c -- one line on a terminal for work that takes over a second: share, rate, time left.
 *
 * A separate thread prints it, because much of the work (writing, generating, checking) is one call
 * that reports no progress. No escape sequences are used: the line is overwritten with blanks. */
#include "cli.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 78, FIRST_MS = 1000, NEXT_MS = 200 };

static struct {
	int runs, drawn;
	const char *what, *name;
	double amount, start;
	const char *unit;        /* NULL: no rate is shown */
	_Atomic double fraction; /* negative: not reported */
	int stop;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
} bar = { .mutex = PTHREAD_MUTEX_INITIALIZER };

double cli_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw(void)
{
	const double elapsed = cli_now() - bar.start, done = bar.fraction;
	char line[256], rate[32] = "";

	if (done <= 0) {
		snprintf(line, sizeof line, "%s %.40s  %.0f s", bar.what, bar.name, elapsed);
	} else if (done >= 1) { /* work after the counted part also takes time */
		snprintf(line, sizeof line, "%s %.40s  100 %%  finishing, %.0f s", bar.what, bar.name,
		         elapsed);
	} else {
		if (bar.unit)
			snprintf(rate, sizeof rate, "  %.1f %s/s", bar.amount * done / elapsed, bar.unit);
		snprintf(line, sizeof line, "%s %.40s  %3.0f %%%s  ETA %.0f s", bar.what, bar.name,
		         100 * done, rate, elapsed * (1 - done) / done);
	}
	fprintf(stderr, "\r%-*.*s", WIDTH, WIDTH, line);
	fflush(stderr);
	bar.drawn = 1;
}

static void *tick(void *unused)
{
	long wait_ms = FIRST_MS;

	(void)unused;
	pthread_mutex_lock(&bar.mutex);
	while (!bar.stop) {
		struct timespec until;
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += wait_ms % 1000 * 1000000;
		until.tv_sec += wait_ms / 1000 + until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (pthread_cond_timedwait(&bar.wake, &bar.mutex, &until) == ETIMEDOUT && !bar.stop)
			draw();
		wait_ms = NEXT_MS;
	}
	pthread_mutex_unlock(&bar.mutex);
	return NULL;
}

void cli_progress_begin(const cli_common *common, const char *what, const char *name)
{
	pthread_condattr_t clock;

	if (common->quiet || !isatty(STDERR_FILENO))
		return;
	bar.what = what;
	bar.name = name;
	bar.unit = NULL;
	bar.start = cli_now();
	bar.fraction = -1;
	bar.stop = bar.drawn = 0;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&bar.wake, &clock);
	pthread_condattr_destroy(&clock);
	bar.runs = pthread_create(&bar.thread, NULL, tick, NULL) == 0;
}

void cli_progress_rate(double amount, const char *unit)
{
	/* The thread that draws sleeps for a second first, but the compiler does not know. */
	pthread_mutex_lock(&bar.mutex);
	bar.amount = amount;
	bar.unit = unit;
	pthread_mutex_unlock(&bar.mutex);
}

void cli_progress_set(void *unused, double fraction)
{
	(void)unused;
	bar.fraction = fraction;
}

void cli_progress_end(void)
{
	if (!bar.runs)
		return;
	pthread_mutex_lock(&bar.mutex);
	bar.stop = 1;
	pthread_cond_signal(&bar.wake);
	pthread_mutex_unlock(&bar.mutex);
	pthread_join(bar.thread, NULL);
	pthread_cond_destroy(&bar.wake);
	bar.runs = 0;
	if (bar.drawn)
		fprintf(stderr, "\r%*s\r", WIDTH, "");
}
