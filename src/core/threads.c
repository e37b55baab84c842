/* threads.c -- runs phases in order, with the team or, if that does not pay off, on the calling thread
 * alone. */
#include "core/threads.h"

#include "core/omp.h"
#include "core/shared_loop.h"
#include "core/team.h"

/* Nonzero: this thread works alone, for a caller with this many threads. */
static _Thread_local int working_for;
static _Thread_local tulle__shared_loop *open_loop; /* its loops; NULL inside a part */

void tulle__work_alone(int threads, tulle__shared_loop *loop)
{
	working_for = threads;
	open_loop = loop;
}

int tulle__threads(const tulle__env *env)
{
	return env->threads > 0 ? env->threads : working_for > 0 ? working_for : tulle__omp_threads();
}

int tulle__threads_for(const tulle__env *env, int64_t work)
{
	return work < env->serial_below || working_for > 0 || tulle__omp_in_parallel()
	           ? 1
	           : tulle__threads(env);
}

static void run_open(tulle__work *work, const void *arg, int64_t parts)
{
	tulle__shared_loop *loop = open_loop;

	open_loop = NULL;
	tulle__shared_loop_run(loop, work, arg, parts);
	open_loop = loop;
}

static void run_alone(tulle__work *work, const void *arg, int64_t parts)
{
	for (int64_t part = 0; part < parts; part++)
		work(arg, part);
}

static void run_phases(const tulle__phases *phases, const void *arg, int team)
{
	for (int p = 0; p < TULLE__PHASES && phases->work[p]; p++) {
		const int64_t parts = phases->parts[p];

		if (team > 1 && parts > 1 && parts <= TULLE__TEAM_PARTS)
			tulle__team_run(phases->work[p], arg, parts);
		else if (open_loop && parts > 1)
			run_open(phases->work[p], arg, parts);
		else
			run_alone(phases->work[p], arg, parts);
	}
}

static void note_team(tulle__env *env, int team)
{
	/* Written only if it changes: concurrent small calls must not share a dirty cache line. */
	if (atomic_load_explicit(&env->last_team, memory_order_relaxed) != team)
		atomic_store_explicit(&env->last_team, team, memory_order_relaxed);
}

void tulle__run(tulle__env *env, const tulle__phases *phases, const void *arg, int64_t work)
{
	const int threads = tulle__threads_for(env, work);
	const int team = threads > 1 ? tulle__team_take(threads, env->serial_below < 0) : 1;

	run_phases(phases, arg, team);
	if (team > 1)
		tulle__team_leave();
	note_team(env, team);
}

void tulle__run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                      int64_t amount)
{
	const tulle__phases phases = { { work }, { parts } };

	tulle__run(env, &phases, arg, amount);
}
