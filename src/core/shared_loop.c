/* shared_loop.c -- parts are claimed one by one under a lock: they are long, and there are two threads at most. */
#include "core/shared_loop.h"

void tulle__shared_loop_init(tulle__shared_loop *l)
{
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->changed, NULL);
	l->next = l->parts = 0;
	l->running = l->ended = 0;
}

void tulle__shared_loop_destroy(tulle__shared_loop *l)
{
	pthread_cond_destroy(&l->changed);
	pthread_mutex_destroy(&l->lock);
}

/* Parts that nobody has claimed. The lock is held before and after, not during a part. */
static void do_parts(tulle__shared_loop *l)
{
	while (l->next < l->parts) {
		const int64_t part = l->next++;

		l->running++;
		pthread_mutex_unlock(&l->lock);
		l->work(l->arg, part);
		pthread_mutex_lock(&l->lock);
		l->running--;
	}
	pthread_cond_signal(&l->changed);
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
	do_parts(l);
	while (l->running > 0)
		pthread_cond_wait(&l->changed, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

void tulle__shared_loop_end(tulle__shared_loop *l)
{
	pthread_mutex_lock(&l->lock);
	l->ended = 1;
	pthread_cond_signal(&l->changed);
	pthread_mutex_unlock(&l->lock);
}

void tulle__shared_loop_help(tulle__shared_loop *l)
{
	pthread_mutex_lock(&l->lock);
	while (!l->ended)
		if (l->next < l->parts)
			do_parts(l);
		else
			pthread_cond_wait(&l->changed, &l->lock);
	pthread_mutex_unlock(&l->lock);
}
