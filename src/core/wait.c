/* wait.c -- a bounded spin on a word, and a semaphore to sleep on.
 *
 * No wake-up is lost: a sleeper sets its flag and then reads the word again, a waker changes the
 * word and then reads the flag. All four operations are sequentially consistent, so at least one of
 * the two threads sees the other. */
#include "core/wait.h"

#include "core/log.h"

#include <pthread.h>

enum { TURNS = 32 }; /* reads of the word per read of the clock, about 1 us */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

static int spin_while(const atomic_ullong *word, unsigned long long value, double seconds)
{
	double end = 0;

	do {
		for (int n = 0; n < TURNS; n++) {
			if (atomic_load(word) != value)
				return 1;
			relax();
		}
		if (end == 0)
			end = tulle__seconds() + seconds;
	} while (tulle__seconds() < end);
	return 0;
}

void tulle__sleeper_init(tulle__sleeper *s)
{
	atomic_store(&s->asleep, 0);
	sem_init(&s->bell, 0, 0);
}

/* sem_wait() is a cancellation point; a caller that is cancelled here would leave its team
 * running. */
static void sleep_until_rung(tulle__sleeper *me)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	while (sem_wait(&me->bell) != 0)
		continue; /* interrupted by a signal */
	pthread_setcancelstate(before, &before);
}

void tulle__wait_while(tulle__sleeper *me, const atomic_ullong *word, unsigned long long value,
                       double seconds)
{
	if (seconds > 0 && spin_while(word, value, seconds))
		return;
	while (atomic_load(word) == value) {
		atomic_store(&me->asleep, 1);
		if (atomic_load(word) != value && atomic_exchange(&me->asleep, 0))
			return; /* no wake-up was posted or will be */
		sleep_until_rung(me);
	}
}

void tulle__wake(tulle__sleeper *s)
{
	if (atomic_load(&s->asleep) && atomic_exchange(&s->asleep, 0))
		sem_post(&s->bell);
}
