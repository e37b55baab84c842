/* wait.h -- wait for another thread: spin briefly, then sleep.
 *
 * Spinning answers within a cache miss, but burns a core that somebody else may need, perhaps the very
 * thread that is waited for. Sleeping costs two system calls, one of them the waker's. */
#ifndef TULLE_CORE_WAIT_H
#define TULLE_CORE_WAIT_H

#include <semaphore.h>
#include <stdatomic.h>

/* A place where one thread at a time may sleep. */
typedef struct {
	atomic_int asleep; /* set by the sleeper; the thread that clears it posts the bell once */
	sem_t bell;
} tulle__sleeper;

void tulle__sleeper_init(tulle__sleeper *s);

/* Return when *word is no longer `value`: spin for `seconds` (0: not at all), then sleep in `me` until
 * tulle__wake() is called after the change. Everything before the change of the word happens before
 * the return. No cancellation point. */
void tulle__wait_while(tulle__sleeper *me, const atomic_ullong *word, unsigned long long value,
                       double seconds);

/* To be called after the word was changed by a sequentially consistent operation, or was seen to
 * have changed by a load of that order. No system call unless somebody sleeps. May wake in vain. */
void tulle__wake(tulle__sleeper *s);

#endif
