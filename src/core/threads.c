/* threads.c -- one OpenMP region: phases, parts, barriers, and the reasons to stay serial. */
#include "core/threads.h"

#include <omp.h>
#include <pthread.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAD_THREADS (!__libc_single_threaded)
#else
#define HAD_THREADS 1
#endif

enum { LANES = 64, CACHE_LINE = 64 };

/* Parts of one phase, dealt to the threads in contiguous lanes: thread t begins with lane t, so it
 * meets the same rows (and its warm cache) in every multiplication, and takes from the others' lanes
 * only when its own is empty. */
typedef struct {
	_Alignas(CACHE_LINE) atomic_llong next;
	int64_t end;
} lane;

/* 1 while some thread of this process has a team at work. A second team would only fight the first
 * for the cores. */
static atomic_int team_at_work;

/* Set in a child whose parent had threads: if some of them were libgomp's, libgomp believes that
 * they are still there and would wait for them for ever. They need not have been ours: the caller's
 * own parallel regions are as deadly, so forks are watched from the moment the library is loaded. */
static atomic_int orphaned, had_threads;

static void before_fork(void)
{
	atomic_store(&had_threads, HAD_THREADS);
}

static void after_fork_in_child(void)
{
	if (atomic_load(&had_threads))
		atomic_store(&orphaned, 1);
	atomic_store(&team_at_work, 0);
}

static __attribute__((constructor)) void watch_fork(void)
{
	pthread_atfork(before_fork, NULL, after_fork_in_child);
}

int tulle__threads(const tulle__env *env)
{
	return env->threads > 0 ? env->threads : omp_get_max_threads();
}

static void run_serial(const tulle__phases *phases, const void *arg)
{
	for (int p = 0; p < TULLE__PHASES && phases->work[p]; p++)
		for (int64_t part = 0; part < phases->parts[p]; part++)
			phases->work[p](arg, part);
}

static void deal(lane *lanes, int count, int64_t parts)
{
	for (int l = 0; l < count; l++) {
		atomic_init(&lanes[l].next, parts * l / count);
		lanes[l].end = parts * (l + 1) / count;
	}
}

static void take(lane *lanes, int count, int first, tulle__work *work, const void *arg)
{
	for (int l = 0; l < count; l++) {
		lane *from = &lanes[(first + l) % count];
		int64_t part;

		while ((part = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed)) < from->end)
			work(arg, part);
	}
}

/* The loop over phases stands inside the region: a barrier costs a fraction of a new region. */
static int run_team(const tulle__phases *phases, const void *arg, int threads)
{
	lane lanes[TULLE__PHASES][LANES];
	const int count = threads < LANES ? threads : LANES;
	int phase_count = 0, team = 1;

	while (phase_count < TULLE__PHASES && phases->work[phase_count]) {
		deal(lanes[phase_count], count, phases->parts[phase_count]);
		phase_count++;
	}
#pragma omp parallel num_threads(threads)
	{
		const int me = omp_get_thread_num();

		if (me == 0)
			team = omp_get_num_threads();
		for (int p = 0; p < phase_count; p++) {
			if (phases->parts[p] == 0)
				continue;
			if (p > 0) {
#pragma omp barrier
			}
			take(lanes[p], count, me, phases->work[p], arg);
		}
	}
	return team;
}

static void note_team(tulle__env *env, int team)
{
	/* Written only when it changes: concurrent small calls must not share a dirty cache line. */
	if (atomic_load_explicit(&env->last_team, memory_order_relaxed) != team)
		atomic_store_explicit(&env->last_team, team, memory_order_relaxed);
}

void tulle__run(tulle__env *env, const tulle__phases *phases, const void *arg, int64_t work)
{
	int threads, team = 1;

	if (work < env->serial_below || (threads = tulle__threads(env)) == 1 || omp_in_parallel() ||
	    atomic_load_explicit(&orphaned, memory_order_relaxed) ||
	    atomic_exchange_explicit(&team_at_work, 1, memory_order_acquire)) {
		run_serial(phases, arg);
	} else {
		team = run_team(phases, arg, threads);
		atomic_store_explicit(&team_at_work, 0, memory_order_release);
	}
	note_team(env, team);
}

void tulle__run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                      int64_t amount)
{
	const tulle__phases phases = { { work }, { parts } };

	tulle__run(env, &phases, arg, amount);
}
