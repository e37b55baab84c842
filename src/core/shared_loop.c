/* shared_loop.c -- parts are claimed one by one under a lock: they are long, and at most two threads take part. */
#include "core/shared_loop.h"

#include "core/log.h"

#include <math.h>
#include <time.h>

void tulle__shared_loop_init(tulle__shared_loop *l)
{
	pthread_condattr_t by_clock;

	pthread_condattr_init(&by_clock);
	pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC); /* the clock of tulle__seconds() */
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->changed, &by_clock);
	pthread_condattr_destroy(&by_clock);
	l->next = l->parts = 0;
	l->running = l->ended = 0;
}

void tulle__shared_loop_destroy(tulle__shared_loop *l)
{
	pthread_cond_destroy(&l->changed);
	pthread_mutex_destroy(&l->lock);
}

/* Do one unclaimed part. The lock is held before and after, not during the part. */
static void do_part(tulle__shared_loop *l)
{
	const int64_t part = l->next++;

	l->running++;
	pthread_mutex_unlock(&l->lock);
	l->work(l->arg, part);
	pthread_mutex_lock(&l->lock);
	l->running--;
	pthread_cond_signal(&l->changed);
}

/* Both waits are cancellation points; a thread that is cancelled here would end with the lock held. */
static void wait_for_change(tulle__shared_loop *l, double until)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (isinf(until)) {
		pthread_cond_wait(&l->changed, &l->lock);
	} else {
		const struct timespec t = { .tv_sec = (time_t)until,
			                        .tv_nsec = (long)(1e9 * (until - floor(until))) };

		pthread_cond_timedwait(&l->changed, &l->lock, &t);
	}
	pthread_setcancelstate(before, &before);
}

void tulle__shared_loop_run(tulle__shared_loop *l, tulle__work *work, const void *arg,
                            int64_t parts)
{
	pthread_mutex_lock(&l->lock);
	l->work = work;
	l->arg = arg;
	l->next = 0;
	l->parts = parts;
	pthread_cond_signal(&l->changed);
	while (l->next < l->parts)
		do_part(l);
	while (l->running > 0)
		wait_for_change(l, INFINITY);
	pthread_mutex_unlock(&l->lock);
}

void tulle__shared_loop_end(tulle__shared_loop *l)
{
	pthread_mutex_lock(&l->lock);
	l->ended = 1;
	pthread_cond_signal(&l->changed);
	pthread_mutex_unlock(&l->lock);
}

void tulle__shared_loop_help(tulle__shared_loop *l, double until)
{
	pthread_mutex_lock(&l->lock);
	while (!l->ended && tulle__seconds() < until)
		if (l->next < l->parts)
			do_part(l);
		else
			wait_for_change(l, until);
	pthread_mutex_unlock(&l->lock);
}
