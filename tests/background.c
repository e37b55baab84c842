/* background.c -- the thread that works for a caller at low priority: whoever waits for it does parts of its loops. */
#include "inner.h"

#include "core/background.h"
#include "core/log.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 60, PATIENCE = 10, PARTS = 40, ROUNDS = 200 };
enum { LONG_PART = 300000000 }; /* nanoseconds */

/* Two loops of the thread; the second one needs all parts of the first. */
typedef struct {
	tulle__env env;
	pthread_t waiter;
	int64_t *first, *second;           /* how often each part was done, and what it found */
	atomic_int *by_waiter, *by_thread; /* parts of the first loop */
	sem_t *begun, *helped;             /* begun NULL: the thread waits for nobody */
} job;

static void wait_a_while(sem_t *sem)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE;
	while (sem_timedwait(sem, &until) != 0 && errno == EINTR)
		continue;
}

/* The thread stays in its first part until the waiter is in the last. That one takes long enough for the thread
 * to begin the second loop too early, if it would. */
static void first_part(const void *arg, int64_t part)
{
	const job *j = arg;

	if (pthread_equal(pthread_self(), j->waiter)) {
		if (atomic_fetch_add(j->by_waiter, 1) + 1 == PARTS - 1 && j->begun) {
			sem_post(j->helped);
			nanosleep(&(struct timespec){ .tv_nsec = LONG_PART }, NULL);
		}
	} else if (atomic_fetch_add(j->by_thread, 1) == 0 && j->begun) {
		sem_post(j->begun);
		wait_a_while(j->helped);
	}
	j->first[part]++;
}

static void second_part(const void *arg, int64_t part)
{
	const job *j = arg;

	j->second[part] += j->first[PARTS - 1 - part];
}

static void two_loops(void *arg)
{
	job *j = arg;

	tulle__run_parts(&j->env, first_part, j, PARTS, INT64_MAX);
	tulle__run_parts(&j->env, second_part, j, PARTS, INT64_MAX);
}

static void check_once(const job *j)
{
	for (int part = 0; part < PARTS; part++) {
		CHECK_EQUAL(j->first[part], 1);
		CHECK_EQUAL(j->second[part], 1);
	}
	CHECK_EQUAL(*j->by_waiter + *j->by_thread, PARTS);
}

/* Nobody waits, somebody waits at any moment, or as soon as the thread is in its first part. Or somebody helps
 * then who has no time, and waits afterwards. */
enum { ALONE, ANY_MOMENT, IN_A_PART, NO_TIME };

static void run_job(int waits)
{
	int64_t first[PARTS] = { 0 }, second[PARTS] = { 0 };
	atomic_int by_waiter = 0, by_thread = 0;
	tulle__background b = { .started = 0 };
	sem_t begun, helped;
	job j = { .waiter = pthread_self(),
		      .first = first,
		      .second = second,
		      .by_waiter = &by_waiter,
		      .by_thread = &by_thread,
		      .begun = waits >= IN_A_PART ? &begun : NULL,
		      .helped = &helped };

	inner_env(&j.env, TULLE__SCALAR);
	sem_init(&begun, 0, 0);
	sem_init(&helped, 0, 0);
	CHECK(tulle__background_start(&b, two_loops, &j, 1));
	if (waits >= IN_A_PART)
		wait_a_while(&begun);
	if (waits == NO_TIME) {
		tulle__background_help(&b, tulle__seconds());
		CHECK_EQUAL(by_waiter, 0);
	}
	while (waits == ALONE && !tulle__background_ended(&b))
		sched_yield();
	tulle__background_wait(&b);
	CHECK(tulle__background_ended(&b));
	check_once(&j);
	if (waits >= IN_A_PART)
		CHECK_EQUAL(by_waiter, PARTS - 1);
	if (waits == ALONE)
		CHECK_EQUAL(by_thread, PARTS);
}

/* ---- cancelled ---- */

typedef struct {
	sem_t begun, go_on;
} serial;

/* Without parts that another thread could do. */
static void serial_job(void *arg)
{
	serial *s = arg;

	sem_post(&s->begun);
	wait_a_while(&s->go_on);
}

static void *help_for_long(void *arg)
{
	tulle__background_help(arg, tulle__seconds() + SECONDS);
	pthread_testcancel();
	return NULL;
}

static void *wait_for_end(void *arg)
{
	tulle__background_wait(arg);
	pthread_testcancel();
	return NULL;
}

/* A thread that is cancelled while it helps or waits ends afterwards, and holds no lock then. */
static void run_cancelled(void *(*body)(void *))
{
	tulle__background b = { .started = 0 };
	serial s;
	pthread_t thread;
	void *result;

	sem_init(&s.begun, 0, 0);
	sem_init(&s.go_on, 0, 0);
	CHECK(tulle__background_start(&b, serial_job, &s, 1));
	wait_a_while(&s.begun);
	CHECK_EQUAL(pthread_create(&thread, NULL, body, &b), 0);
	nanosleep(&(struct timespec){ .tv_nsec = LONG_PART / 10 }, NULL); /* it waits now */
	pthread_cancel(thread);
	sem_post(&s.go_on);
	pthread_join(thread, &result);
	CHECK(result == PTHREAD_CANCELED);
	CHECK_EQUAL(!atomic_load(&b.started), body == wait_for_end);
	tulle__background_wait(&b);
	CHECK(tulle__background_ended(&b));
}

int main(void)
{
	alarm(SECONDS); /* what waits for ever fails */
	run_job(ALONE);
	check_group("nobody waits");
	run_job(IN_A_PART);
	check_group("who waits does the other parts");
	run_job(NO_TIME);
	check_group("help has no time");
	for (int round = 0; round < ROUNDS; round++)
		run_job(ANY_MOMENT);
	check_group("wait at any moment");
	run_cancelled(help_for_long);
	run_cancelled(wait_for_end);
	check_group("whoever waits is cancelled");
	return check_end();
}
