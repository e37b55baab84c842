/* shared_loop.h -- loops over parts that one thread runs alone until another thread helps with them.
 *
 * The first thread has a low priority. A thread that only waited for it would be slowed down to that priority,
 * so it helps instead. */
#ifndef TULLE_CORE_SHARED_LOOP_H
#define TULLE_CORE_SHARED_LOOP_H

#include "core/threads.h"

#include <pthread.h>

/* For one thread that runs loops and at most one that helps. */
struct tulle__shared_loop {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	tulle__work *work;
	const void *arg;
	int64_t next, parts; /* next .. parts-1 are not claimed yet */
	int running;         /* parts that are claimed but not done */
	int ended;           /* no other loop follows */
};

void tulle__shared_loop_init(tulle__shared_loop *l);
void tulle__shared_loop_destroy(tulle__shared_loop *l);

/* All parts are done when it returns. Everything before the call happens before every part, every part happens
 * before the return. */
void tulle__shared_loop_run(tulle__shared_loop *l, tulle__work *work, const void *arg,
                            int64_t parts);

/* The last call by the thread that runs loops. */
void tulle__shared_loop_end(tulle__shared_loop *l);

/* Do parts of every loop until that call, or until tulle__seconds() is `until`; INFINITY: no time limit. */
void tulle__shared_loop_help(tulle__shared_loop *l, double until);

#endif
