/* background.c -- starts a thread of low priority, and detects after fork() that it does not
 * exist. */
#include "core/background.h"

#include "core/memory.h"
#include "core/team.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

/* Added to the nice value of the creator: the thread gets about a tenth of a busy CPU and all of an idle
 * one. Not SCHED_IDLE: on a busy machine such a thread may never run, and an allocator lock that it holds
 * would stop the program. */
enum { NICER = 10 };

static atomic_uint forks;

static void after_fork_in_child(void)
{
	atomic_fetch_add(&forks, 1);
}

static __attribute__((constructor)) void watch_fork(void)
{
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* On Linux a nice value belongs to a thread, and 0 means the calling one. Elsewhere it belongs to the process. */
static void lower_priority(void)
{
#ifdef __linux__
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICER);
#endif
}

static void *begin(void *arg)
{
	tulle__background *b = arg;

	lower_priority();
	tulle__work_alone(b->threads, &b->loop);
	tulle__refuse_memory_when(&b->stop);
	b->work(b->arg);
	tulle__shared_loop_end(&b->loop);
	return NULL;
}

int tulle__background_start(tulle__background *b, void (*work)(void *arg), void *arg, int threads)
{
	sigset_t before;

	b->work = work;
	b->arg = arg;
	b->threads = threads;
	atomic_store(&b->forks, atomic_load(&forks));
	tulle__shared_loop_init(&b->loop);
	tulle__block_signals(&before);
	atomic_store(&b->started, pthread_create(&b->thread, NULL, begin, b) == 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!atomic_load(&b->started))
		tulle__shared_loop_destroy(&b->loop);
	return atomic_load(&b->started);
}

int tulle__background_lost(const tulle__background *b)
{
	return atomic_load(&b->started) && atomic_load(&b->forks) != atomic_load(&forks);
}

static void note_joined(tulle__background *b)
{
	tulle__shared_loop_destroy(&b->loop);
	atomic_store(&b->started, 0);
}

/* A lock may be held forever by a thread that does not exist in the child, so it is not touched. */
int tulle__background_ended(tulle__background *b)
{
	if (tulle__background_lost(b))
		atomic_store(&b->started, 0);
	else if (atomic_load(&b->started) && pthread_tryjoin_np(b->thread, NULL) == 0)
		note_joined(b);
	return !atomic_load(&b->started);
}

static int is_running(const tulle__background *b)
{
	return atomic_load(&b->started) && !tulle__background_lost(b);
}

void tulle__background_help(tulle__background *b, double until)
{
	if (is_running(b))
		tulle__shared_loop_help(&b->loop, until);
}

/* pthread_join() is a cancellation point; what the caller then destroys would be left. */
void tulle__background_wait(tulle__background *b)
{
	int before;

	if (!is_running(b))
		return;
	tulle__background_help(b, INFINITY);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_join(b->thread, NULL);
	pthread_setcancelstate(before, &before);
	note_joined(b);
}

void tulle__background_stop(tulle__background *b)
{
	atomic_store(&b->stop, 1);
	tulle__background_wait(b);
}
