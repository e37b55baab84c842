/* team.c -- the team of threads by itself: every part once, phases in order, whoever helps or not.
 *
 * Short loops from several callers at once, with teams of every size: most of the time goes into
 * posting, claiming, waking and falling asleep. ThreadSanitizer watches the order of phases. */
#include "inner.h"

#include "core/threads.h"

#include <dirent.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLERS = 3, MOST_PARTS = 200, MOST_TEAM = 9, TEAM = 4, HUNG_SECONDS = 30 };

static tulle__env env_for(int threads)
{
	tulle__env env;

	inner_env(&env, TULLE__SCALAR);
	env.threads = threads;
	env.serial_below = -1;
	return env;
}

static void pause_for(double seconds)
{
	nanosleep(&(struct timespec){ .tv_nsec = (long)(1e9 * seconds) }, NULL);
}

/* ---- three phases, each of which needs all parts of the one before ---- */

typedef struct {
	int64_t parts;
	int64_t *a, *b, *sums;
} chain;

static void fill(const void *arg, int64_t part)
{
	const chain *c = arg;

	c->a[part] += part + 1;
}

static void shift(const void *arg, int64_t part)
{
	const chain *c = arg;

	c->b[part] += c->a[(part + c->parts / 2) % c->parts];
}

static void add_up(const void *arg, int64_t part)
{
	const chain *c = arg;

	c->sums[part] = 0;
	for (int64_t p = 0; p < c->parts; p++)
		c->sums[part] += c->b[p];
}

static int chain_is_right(tulle__env *env, int64_t parts, int64_t sums)
{
	int64_t room[3][MOST_PARTS];
	const chain c = { parts, room[0], room[1], room[2] };
	const tulle__phases phases = { { fill, shift, add_up }, { parts, parts, sums } };
	int right = 1;

	memset(room, 0, sizeof room);
	tulle__run(env, &phases, &c, 1);
	for (int64_t p = 0; p < parts; p++)
		right &= c.a[p] == p + 1;
	for (int64_t p = 0; p < sums; p++)
		right &= c.sums[p] == parts * (parts + 1) / 2;
	return right;
}

/* ---- callers at once ---- */

typedef struct {
	double seconds;
	uint64_t seed;
	long runs, teams;
} caller;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *call(void *arg)
{
	caller *c = arg;
	const double end = now() + c->seconds;
	int right = 1;

	while (right && now() < end) {
		tulle__env env = env_for(1 + (int)random_below(&c->seed, MOST_TEAM));
		const int64_t parts = 1 + random_below(&c->seed, MOST_PARTS);

		right = chain_is_right(&env, parts, random_below(&c->seed, parts + 1));
		c->runs++;
		c->teams += atomic_load(&env.last_team) > 1;
		if (random_below(&c->seed, 16) == 0)
			pause_for(1e-6 * (double)random_below(&c->seed, 200)); /* helpers fall asleep */
	}
	CHECK_THAT(right, "a phase did not find all of the one before");
	return NULL;
}

static void check_callers(double seconds)
{
	pthread_t threads[CALLERS];
	caller callers[CALLERS];
	long runs = 0, teams = 0;

	for (int n = 0; n < CALLERS; n++) {
		callers[n] = (caller){ .seconds = seconds, .seed = (uint64_t)n + 1 };
		CHECK_EQUAL(pthread_create(&threads[n], NULL, call, &callers[n]), 0);
	}
	for (int n = 0; n < CALLERS; n++) {
		pthread_join(threads[n], NULL);
		runs += callers[n].runs;
		teams += callers[n].teams;
	}
	CHECK(teams > 0);
	check_group("%ld runs of %d callers, %ld by a team", runs, CALLERS, teams);
}

/* ---- helpers that are not woken ---- */

/* In the library's place (--wrap): the caller's wake-ups get lost when `deaf` is set. */
int post(sem_t *bell) __asm__("__wrap_sem_post");
int real_post(sem_t *bell) __asm__("__real_sem_post");

static atomic_int deaf;

int post(sem_t *bell)
{
	return atomic_load(&deaf) && gettid() == getpid() ? 0 : real_post(bell);
}

static void check_nobody_comes(void)
{
	tulle__env env = env_for(TEAM);

	CHECK(chain_is_right(&env, MOST_PARTS, MOST_PARTS));
	pause_for(.05);
	atomic_store(&deaf, 1);
	for (int n = 0; n < 100; n++)
		CHECK(chain_is_right(&env, MOST_PARTS, MOST_PARTS));
	CHECK_EQUAL(atomic_load(&env.last_team), TEAM);
	atomic_store(&deaf, 0);
	check_group("100 runs in which no helper is woken");
}

/* ---- helpers that have nothing to do ---- */

/* Threads of the process that run or want to run, this one not counted. */
static int awake(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	int count = 0;

	while (CHECK(tasks) && (task = readdir(tasks))) {
		char path[300], state = 'S';
		FILE *file;

		if (atoi(task->d_name) == 0 || atoi(task->d_name) == gettid())
			continue;
		snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
		file = fopen(path, "r");
		if (file) {
			CHECK_EQUAL(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
			fclose(file);
		}
		count += state == 'R';
	}
	closedir(tasks);
	return count;
}

/* On a busy machine it may take a while until a helper gets to see that its time is over. */
static void check_helpers_sleep(void)
{
	tulle__env env = env_for(2);
	int turns = 0;

	for (int n = 0; n < 100; n++)
		CHECK(chain_is_right(&env, MOST_PARTS, MOST_PARTS));
	while (awake() > 0 && turns < 300) {
		pause_for(.01);
		turns++;
	}
	CHECK_THAT(turns < 300, "helpers without work are awake after 3 s");
	check_group("helpers sleep when there is nothing to do");
}

/* ---- rounding ---- */

typedef struct {
	pthread_barrier_t *all;
	double *third; /* 1/3 as the thread of part p computes it */
} division;

static void divide(const void *arg, int64_t part)
{
	const division *d = arg;
	volatile double three = 3;

	d->third[part] = 1 / three;
	pthread_barrier_wait(d->all);
}

/* Helpers compute in the caller's mode, not in the one that they were created in. */
static void check_rounding(void)
{
	static const int modes[] = { FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST };
	tulle__env env = env_for(TEAM);
	pthread_barrier_t all;
	double third[TEAM];
	const division d = { &all, third };

	pthread_barrier_init(&all, NULL, TEAM);
	for (int m = 0; m < 4; m++) {
		volatile double three = 3;

		fesetround(modes[m]);
		tulle__run_parts(&env, divide, &d, TEAM, 1);
		for (int p = 0; p < TEAM; p++)
			CHECK_THAT(third[p] == 1 / three, "part %d in another rounding mode than %d", p, m);
	}
	pthread_barrier_destroy(&all);
	check_group("four rounding modes");
}

/* ---- helpers that are late ---- */

/* In the library's place (--wrap): while `staged` is set, time passes only when a late helper says so. */
double seconds_now(void) __asm__("__wrap_tulle__seconds");
double real_seconds(void) __asm__("__real_tulle__seconds");

static atomic_int staged, looks; /* looks: of the caller at the clock, since its loop began */
static atomic_int stage_seconds;

double seconds_now(void)
{
	if (!atomic_load(&staged))
		return real_seconds();
	if (gettid() == getpid())
		atomic_fetch_add(&looks, 1);
	return (double)atomic_load(&stage_seconds);
}

typedef struct {
	pthread_barrier_t *both;
	int late;
} meeting;

/* A late helper ends one second after the caller has, which looks at the clock when it begins and then. */
static void finish_or_be_late(const void *arg, int64_t part)
{
	const meeting *m = arg;

	(void)part;
	pthread_barrier_wait(m->both);
	if (!m->late || gettid() == getpid())
		return;
	while (atomic_load(&looks) < 2)
		pause_for(1e-5);
	atomic_fetch_add(&stage_seconds, 1);
}

static void do_nothing(const void *arg, int64_t part)
{
	(void)arg;
	(void)part;
}

static void meet(tulle__env *env, int late)
{
	pthread_barrier_t both;

	pthread_barrier_init(&both, NULL, 2);
	atomic_store(&looks, 0);
	env->serial_below = -1;
	tulle__run_parts(env, finish_or_be_late, &(meeting){ &both, late }, 2, 1);
	env->serial_below = 0;
	pthread_barrier_destroy(&both);
}

/* Calls that the caller does alone from now on. */
static int calls_alone(tulle__env *env)
{
	int calls = 0;

	do
		tulle__run_parts(env, do_nothing, NULL, 2, 1);
	while (atomic_load(&env->last_team) == 1 && ++calls < 1000);
	return calls;
}

static void check_late_helpers(void)
{
	static const int expected[] = { 2, 4, 8, 16, 32, 64, 64 };
	enum { ENOUGH = 5 * 16 }; /* calls in time, until the number is the least again */
	tulle__env env = env_for(2);

	atomic_store(&staged, 1);
	for (int n = 0; n < ENOUGH; n++)
		meet(&env, 0); /* whatever was before */
	calls_alone(&env);
	for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
		int calls;

		meet(&env, 1);
		calls = calls_alone(&env);
		CHECK_THAT(calls == expected[n], "alone for %d calls instead of %d after helpers were late",
		           calls, expected[n]);
	}
	for (int n = 0; n < ENOUGH; n++)
		meet(&env, 0);
	meet(&env, 1);
	CHECK_EQUAL(calls_alone(&env), expected[0]);
	atomic_store(&staged, 0);
	check_group("helpers that are late");
}

/* ---- cancellation ---- */

typedef struct {
	pthread_barrier_t *both;
	pthread_t caller;
	atomic_int *finished;
} late;

static void finish_late(const void *arg, int64_t part)
{
	const late *l = arg;

	(void)part;
	pthread_barrier_wait(l->both);
	if (!pthread_equal(pthread_self(), l->caller))
		pause_for(.1);
	atomic_fetch_add(l->finished, 1);
}

static void *wait_for_helper(void *finished)
{
	pthread_barrier_t both;
	const late l = { &both, pthread_self(), finished };
	tulle__env env = env_for(2);

	pthread_barrier_init(&both, NULL, 2);
	tulle__run_parts(&env, finish_late, &l, 2, 1);
	atomic_fetch_add(l.finished, 1);
	pthread_testcancel();
	return NULL;
}

/* A thread that is cancelled while it waits for a helper ends when the loop is over, not before. */
static void check_cancelled(void)
{
	atomic_int finished = 0;
	pthread_t thread;
	void *result;

	CHECK_EQUAL(pthread_create(&thread, NULL, wait_for_helper, &finished), 0);
	while (atomic_load(&finished) < 1)
		pause_for(.001);
	pause_for(.01);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	CHECK(result == PTHREAD_CANCELED);
	CHECK_EQUAL(atomic_load(&finished), 3);
	check_group("a caller that is cancelled");
}

static void hung(int signal_number)
{
	static const char words[] = "FAILED: it hung\n";

	(void)signal_number;
	_exit(write(STDOUT_FILENO, words, sizeof words - 1) < 0 ? 2 : 1);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	signal(SIGALRM, hung);
	alarm(HUNG_SECONDS);
	check_callers(o.full ? 10 : o.brief ? 1 : 3);
	check_helpers_sleep();
	check_rounding();
	check_late_helpers();
	check_cancelled();
	check_nobody_comes(); /* the last: helpers sleep for ever after it */
	return check_end();
}
