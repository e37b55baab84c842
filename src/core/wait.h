/* wait.h -- wait for another thread: spin briefly, then sleep.
 *
 * Spinning responds within a cache miss, but occupies a core that another thread may need, possibly
 * the thread that is waited for. Sleeping costs two system calls, one of them in the waker. */
#ifndef TULLE_CORE_WAIT_H
#define TULLE_CORE_WAIT_H

#include <semaphore.h>
#include <stdatomic.h>

/* An object on which one thread at a time may sleep. */
typedef struct {
	atomic_int asleep; /* set by the sleeper; the thread that clears it posts the bell once */
	sem_t bell;
} tulle__sleeper;

void tulle__sleeper_init(tulle__sleeper *s);

/* Return when *word is no longer `value`: spin for `seconds` (0: not at all), then sleep on `me` until
 * tulle__wake() is called after the change. Everything before the change of the word happens before
 * the return. Not a cancellation point. */
void tulle__wait_while(tulle__sleeper *me, const atomic_ullong *word, unsigned long long value,
                       double seconds);

/* Call this after the word was changed by a sequentially consistent operation, or after such a load
 * has seen the change. Makes no system call unless a thread sleeps. Spurious wake-ups are
 * possible. */
void tulle__wake(tulle__sleeper *s);

#endif
