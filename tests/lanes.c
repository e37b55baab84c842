/* lanes.c -- a part is run by the same thread every time, whatever it does: what a conversion has
 * touched first then lies near the thread that multiplies.
 *
 * Each part waits until every thread of the team has one, so that nobody is late and nobody takes
 * parts of another: what is seen is the dealing alone. */
#include "support.h"

#include "core/memory.h"
#include "core/threads.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { TEAM = 4, EACH = 6, FINER = 3, PARTS = TEAM * EACH };

typedef struct {
	pthread_barrier_t *all;
	pid_t *who; /* ran part p */
} run;

static void note(const void *arg, int64_t part)
{
	const run *r = arg;

	r->who[part] = gettid();
	pthread_barrier_wait(r->all);
}

static void deal(tulle__env *env, int64_t parts, pid_t *who)
{
	pthread_barrier_t all;
	const run r = { &all, who };

	memset(who, 0, (size_t)parts * sizeof *who);
	pthread_barrier_init(&all, NULL, TEAM);
	tulle__run_parts(env, note, &r, parts, parts);
	pthread_barrier_destroy(&all);
	CHECK_EQUAL(atomic_load(&env->last_team), TEAM);
}

int main(void)
{
	tulle__env env = { .alloc = tulle__default_alloc,
		               .free = tulle__default_free,
		               .memory_limit = SIZE_MAX,
		               .threads = TEAM,
		               .serial_below = -1 };
	pid_t convert[PARTS], multiply[PARTS], finer[FINER * PARTS];

	deal(&env, PARTS, convert);
	deal(&env, FINER * PARTS, finer);
	deal(&env, PARTS, multiply);
	for (int p = 0; p < PARTS; p++) {
		CHECK_THAT(convert[p] == convert[p / EACH * EACH],
		           "part %d is not its neighbours' thread's", p);
		CHECK_THAT(p % EACH != 0 || p == 0 || convert[p] != convert[p - 1],
		           "part %d is the thread's of the lane before", p);
		CHECK_THAT(multiply[p] == convert[p], "part %d changed its thread", p);
		for (int f = 0; f < FINER; f++)
			CHECK_THAT(finer[FINER * p + f] == convert[p], "a finer cut of part %d changed threads",
			           p);
	}
	CHECK_EQUAL(convert[0], getpid()); /* the caller is one of them */
	return check_end();
}
