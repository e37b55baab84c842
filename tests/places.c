/* places.c -- with OMP_PROC_BIND helpers have places of their own, not the one of the caller.
 *
 * libgomp binds the first thread of a program when it is loaded, and a new thread inherits what its
 * creator is bound to: a whole team would share one CPU. */
#include "inner.h"

#include "core/threads.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEAM = 2 };

typedef struct {
	pthread_barrier_t *all;
	cpu_set_t *allowed; /* of the thread that ran part p */
} meeting;

static void note(const void *arg, int64_t part)
{
	const meeting *m = arg;

	CHECK_EQUAL(sched_getaffinity(0, sizeof *m->allowed, &m->allowed[part]), 0);
	pthread_barrier_wait(m->all);
}

int main(int argc, char **argv)
{
	pthread_barrier_t all;
	cpu_set_t allowed[TEAM];
	const meeting m = { &all, allowed };
	tulle__env env;

	(void)argc;
	if (!getenv("OMP_PROC_BIND")) { /* which is read when libgomp is loaded */
		setenv("OMP_PROC_BIND", "close", 1);
		execv("/proc/self/exe", argv);
	}
	if (omp_get_num_places() < TEAM)
		return CHECK_SKIP;
	inner_env(&env, TULLE__SCALAR);
	env.threads = TEAM;
	env.serial_below = -1;
	pthread_barrier_init(&all, NULL, TEAM);
	tulle__run_parts(&env, note, &m, TEAM, 1);
	pthread_barrier_destroy(&all);
	CHECK_EQUAL(CPU_COUNT(&allowed[1]), omp_get_place_num_procs(1));
	CHECK_THAT(!CPU_EQUAL(&allowed[0], &allowed[1]), "the helper is bound to the caller's place");
	return check_end();
}
