/* background.h -- a thread of the library that works for a caller at low priority, one at a time. */
#ifndef TULLE_CORE_BACKGROUND_H
#define TULLE_CORE_BACKGROUND_H

#include "core/shared_loop.h"

#include <pthread.h>
#include <stdatomic.h>

/* All zero before the first start. Its owner makes one call at a time, except that `lost` may be called at
 * any time. */
typedef struct {
	pthread_t thread;
	atomic_int started; /* and not joined yet */
	atomic_uint forks;  /* of the process, when it was started */
	int threads;        /* threads that a call of the owner may use, see core/threads.h */
	atomic_int stop;
	tulle__shared_loop loop;
	void (*work)(void *arg);
	void *arg;
} tulle__background;

/* Run work(arg) on a new thread, for an owner whose calls use `threads` threads. Returns 0 if no
 * thread could be created. The previous thread must have ended. */
int tulle__background_start(tulle__background *b, void (*work)(void *arg), void *arg, int threads);

/* Has the thread ended, or was none started? Does not wait. */
int tulle__background_ended(tulle__background *b);

/* Was the thread started before the fork() that created this process? Then it does not exist
 * here. */
int tulle__background_lost(const tulle__background *b);

/* Do parts of its loops until there are no more, or until tulle__seconds() is `until`. */
void tulle__background_help(tulle__background *b, double until);

/* Wait until the thread has ended, and do parts of its loops meanwhile. In a child of fork(), where it does not
 * exist, do nothing. */
void tulle__background_wait(tulle__background *b);

/* Make the thread end early by letting its allocations fail from now on. Then wait. */
void tulle__background_stop(tulle__background *b);

#endif
