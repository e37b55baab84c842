/* background.h -- a thread of the library that works for a caller at low priority, one at a time. */
#ifndef TULLE_CORE_BACKGROUND_H
#define TULLE_CORE_BACKGROUND_H

#include "core/shared_loop.h"

#include <pthread.h>
#include <stdatomic.h>

/* All zero before the first start. Its owner makes one call at a time; `lost` may be called at any time. */
typedef struct {
	pthread_t thread;
	atomic_int started; /* and not joined so far */
	atomic_uint forks;  /* of the process, when it was started */
	int threads;        /* that a call of the owner may use, see core/threads.h */
	atomic_int stop;
	tulle__shared_loop loop;
	void (*work)(void *arg);
	void *arg;
} tulle__background;

/* Run work(arg) on a thread of its own, for an owner whose calls use so many threads. 0 when no thread
 * could be created. The one before must have ended. */
int tulle__background_start(tulle__background *b, void (*work)(void *arg), void *arg, int threads);

/* Has the thread ended, or was none started? Does not wait. */
int tulle__background_ended(tulle__background *b);

/* Was the thread started before a fork() that made this process? Then nobody works here. */
int tulle__background_lost(const tulle__background *b);

/* Do parts of its loops until it has no more, or until tulle__seconds() is `until`. */
void tulle__background_help(tulle__background *b, double until);

/* Wait until the thread has ended, and do parts of its loops meanwhile; in a child of fork(), where it does not
 * exist, do nothing. */
void tulle__background_wait(tulle__background *b);

/* Let the thread end early: its allocations fail from now on. Then wait. */
void tulle__background_stop(tulle__background *b);

#endif
