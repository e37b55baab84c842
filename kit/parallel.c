/* parallel.c -- loops on several threads. The kit creates its own threads: it must not depend on the
 * library that it checks, and the command must not load an OpenMP runtime. */
#include "inner.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { CHUNK = 256, SHORT = 1024, MOST_THREADS = 64 };

static atomic_int wanted; /* 0: one thread per CPU that the process may use */

typedef struct {
	kit__item *item;
	const void *self;
	int64_t n;
	_Atomic int64_t next;
} loop;

void kit_set_threads(int threads)
{
	wanted = threads;
}

static int thread_count(void)
{
	cpu_set_t cpus;
	int count = wanted;
	if (count <= 0)
		count = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : CPU_COUNT(&cpus);
	return count < MOST_THREADS ? count : MOST_THREADS;
}

static void *take_chunks(void *arg)
{
	loop *l = arg;
	int64_t i;
	while ((i = atomic_fetch_add(&l->next, CHUNK)) < l->n) {
		const int64_t end = i + CHUNK < l->n ? i + CHUNK : l->n;
		for (; i < end; i++)
			l->item(l->self, i);
	}
	return NULL;
}

void kit__each(int64_t n, kit__item *item, const void *self)
{
	loop l = { .item = item, .self = self, .n = n };
	pthread_t helpers[MOST_THREADS];
	const int most = n < SHORT ? 0 : thread_count() - 1;
	int started = 0;
	while (started < most && !pthread_create(&helpers[started], NULL, take_chunks, &l))
		started++;
	take_chunks(&l);
	while (started > 0)
		pthread_join(helpers[--started], NULL);
}
