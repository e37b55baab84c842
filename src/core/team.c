/* team.c -- helper threads, the lanes that parts are assigned to, and how a part is claimed.
 *
 * A loop over parts is posted under a new generation. Each lane is one word with the generation and
 * the number of remaining parts, and a part is claimed by a compare-and-swap of that word. Only a
 * thread that has claimed a part may read the loop, and the loop does not end before every claimed
 * part is finished. Late helpers find another generation or no parts, and access nothing else, so no
 * thread waits for them.
 *
 * (A generation has 32 bits. For an ABA error, a helper would have to stop between two instructions
 * for exactly 2^32 loops, and then find the same number of parts in the same lane.) */
#include "core/team.h"

#include "core/log.h"
#include "core/omp.h"
#include "core/wait.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum { CACHE_LINE = 64, LANES = 64 };

/* The stack of a helper: parts need less than 30 KiB, with sanitizers several times as much. Address
 * space may be limited, so it is smaller than the default of 8 MiB. */
enum { STACK = 512 << 10 };

/* Solvers multiply again soon, so helpers spin for this time before they sleep. A caller spins as
 * long before it sleeps to wait for a part of a late helper. */
#define SPIN_SECONDS 50e-6

/* Seconds to wait after a thread could not be created. A failed attempt costs about 20 us. */
#define RETRY_SECONDS .1

/* Number of calls without helpers after helpers were late: doubled each time, and halved again after
 * IN_TIME calls in which they were not late. */
enum { LEAST_ALONE = 2, MOST_ALONE = 64, IN_TIME = 16 };

/* A word that several threads write, in its own cache line: a generation and a count, see pack(). */
typedef struct {
	_Alignas(CACHE_LINE) atomic_ullong word;
} line;

typedef struct {
	_Alignas(CACHE_LINE) tulle__sleeper sleeper;
	unsigned long long seen; /* for a helper: the latest post it has read */
} member;

static struct {
	/* The loop: written before it is posted, read by those who have claimed a part. */
	tulle__work *work;
	const void *arg;
	int64_t parts;
	unsigned fp_mode;
	atomic_int cpu; /* of the caller when it posted the loop */

	/* Written only by the caller that holds the team. */
	double retry_at; /* create no thread before this time; 0: at once */
	int members;     /* existing threads, including the caller; 0 before the first call */
	int size;        /* threads of the current call */
	int late;        /* helpers were late in the current call */
	int alone;       /* remaining calls without helpers */
	int penalty;     /* next value of `alone` if helpers are late again */
	int in_time;     /* calls since they were late, or since the penalty was halved */
	atomic_int cpus; /* CPUs that the team may use */
	atomic_int taken;

	line post;    /* the loop to help with: its generation, and the size of its team */
	line running; /* parts of the loop that are not finished, without a generation */

	/* Parts of a loop are assigned to lanes of contiguous parts. Thread t begins with lane t, so it
	 * processes the same rows in every multiplication, with a warm cache. It takes parts from other
	 * lanes only if its own is empty. */
	line lanes[LANES]; /* parts that are not claimed yet */

	member member[TULLE__MAX_THREADS]; /* 0: the caller */
} team;

static unsigned long long pack(uint32_t generation, uint32_t count)
{
	return (unsigned long long)generation << 32 | count;
}

static uint32_t generation_of(unsigned long long word)
{
	return (uint32_t)(word >> 32);
}

static int count_of(unsigned long long word)
{
	return (int)(uint32_t)word;
}

/* ---- the floating-point mode ---- */

/* Rounding, flush-to-zero and masked exceptions of this thread. */
static unsigned fp_mode(void)
{
#ifdef __SSE__
	return __builtin_ia32_stmxcsr() & ~0x3fU; /* without the sticky exception flags */
#elif defined __aarch64__
	uint64_t mode; /* the sticky exception flags are in another register */

	__asm__ volatile("mrs %0, fpcr" : "=r"(mode));
	return (unsigned)mode;
#else
	return (unsigned)fegetround();
#endif
}

/* A helper inherits the mode that its creator had. All parts use the mode of the caller; otherwise
 * the bits would depend on which thread does a part. */
static void set_fp_mode(unsigned mode)
{
	if (fp_mode() == mode)
		return;
#ifdef __SSE__
	__builtin_ia32_ldmxcsr(mode);
#elif defined __aarch64__
	__asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode) : "memory");
#else
	fesetround((int)mode);
#endif
}

/* ---- parts ---- */

static int lanes_for(int size)
{
	return size < LANES ? size : LANES;
}

static int64_t lane_begin(int l, int lanes)
{
	return team.parts * l / lanes;
}

static void deal(uint32_t generation, int lanes)
{
	for (int l = 0; l < lanes; l++) {
		const int64_t parts = lane_begin(l + 1, lanes) - lane_begin(l, lanes);

		atomic_store_explicit(&team.lanes[l].word, pack(generation, (uint32_t)parts),
		                      memory_order_relaxed); /* the post publishes it */
	}
}

/* Claim the next part of a lane for the calling thread; -1: none is left. */
static int64_t claim(int l, int lanes, uint32_t generation)
{
	atomic_ullong *word = &team.lanes[l].word;
	unsigned long long left = atomic_load_explicit(word, memory_order_relaxed);

	while (generation_of(left) == generation && count_of(left) > 0)
		if (atomic_compare_exchange_weak_explicit(word, &left, left - 1, memory_order_relaxed,
		                                          memory_order_relaxed))
			return lane_begin(l + 1, lanes) - count_of(left);
	return -1;
}

/* Finished parts are subtracted once per lane, not once per part, and before the next lane is tried:
 * the caller may be waiting for these parts. */
static void take_parts(int first, unsigned long long post)
{
	const uint32_t generation = generation_of(post);
	const int lanes = lanes_for(count_of(post));

	for (int n = 0; n < lanes; n++) {
		const int l = (first + n) % lanes;
		unsigned long long done = 0;

		for (int64_t part; (part = claim(l, lanes, generation)) >= 0; done++) {
			set_fp_mode(team.fp_mode);
			team.work(team.arg, part);
		}
		if (done > 0 && atomic_fetch_sub(&team.running.word, done) == done)
			tulle__wake(&team.member[0].sleeper);
	}
}

/* ---- members ---- */

/* With more threads than CPUs, a spinning thread may occupy the CPU of the thread it waits for. */
static double spin_seconds(int size)
{
	return size <= atomic_load_explicit(&team.cpus, memory_order_relaxed) ? SPIN_SECONDS : 0;
}

/* On a busy machine a helper may be woken on the caller's CPU: spinning would stop the caller. */
static int on_callers_cpu(void)
{
	return sched_getcpu() == atomic_load_explicit(&team.cpu, memory_order_relaxed);
}

/* Helpers wake each other in a tree, so that the caller wakes only a few. */
static void wake_next(int number, int size)
{
	for (int n = 2 * number + 1; n <= 2 * number + 2 && n < size; n++)
		tulle__wake(&team.member[n].sleeper);
}

static void *help(void *arg)
{
	member *me = arg;
	const int number = (int)(me - team.member);
	double seconds = 0;

	for (;;) {
		int size;

		tulle__wait_while(&me->sleeper, &team.post.word, me->seen, seconds);
		me->seen = atomic_load(&team.post.word);
		size = count_of(me->seen);
		seconds = 0;
		if (number < size) {
			wake_next(number, size);
			take_parts(number, me->seen);
			if (!on_callers_cpu())
				seconds = spin_seconds(size);
		}
	}
	return NULL;
}

/* Returns 0 if thread `number` runs. The requested stack may be too small for the thread-local
 * variables of the program (EINVAL): then the default size is used. */
static int create(int number)
{
	member *m = &team.member[number];
	pthread_attr_t attr;
	pthread_t thread;
	int failed;

	tulle__sleeper_init(&m->sleeper);
	m->seen = atomic_load(&team.post.word);
	if (pthread_attr_init(&attr) != 0)
		return 1;
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	tulle__omp_place(number, &attr);
	failed = pthread_attr_setstacksize(&attr, STACK);
	if (!failed)
		failed = pthread_create(&thread, &attr, help, m);
	pthread_attr_destroy(&attr);
	if (failed == EINVAL && (failed = pthread_create(&thread, NULL, help, m)) == 0)
		pthread_detach(thread);
	return failed;
}

/* Handlers of the program expect to run on its own threads, so helpers block all signals except
 * those that a fault of the thread itself raises. */
void tulle__block_signals(sigset_t *before)
{
	static const int raised[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t n = 0; n < sizeof raised / sizeof *raised; n++)
		sigdelset(&blocked, raised[n]);
	pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static void hire(int threads)
{
	sigset_t before;

	if (team.members == 0) {
		tulle__sleeper_init(&team.member[0].sleeper);
		team.members = 1;
		team.penalty = LEAST_ALONE;
	}
	if (team.retry_at > 0 && tulle__seconds() < team.retry_at)
		return;
	atomic_store_explicit(&team.cpus, tulle__cpus(), memory_order_relaxed);
	tulle__block_signals(&before);
	while (team.members < threads && create(team.members) == 0)
		team.members++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	team.retry_at = team.members < threads ? tulle__seconds() + RETRY_SECONDS : 0;
}

/* ---- the caller ---- */

static void let_go(void)
{
	atomic_store_explicit(&team.taken, 0, memory_order_release);
}

/* The caller must wait for a helper that is preempted inside a part. On a machine that is always busy this
 * happens repeatedly, and the caller is faster alone. */
static void note_in_time(void)
{
	if (team.late) {
		team.alone = team.penalty;
		team.penalty = team.penalty < MOST_ALONE ? 2 * team.penalty : MOST_ALONE;
		team.in_time = 0;
	} else if (team.penalty > LEAST_ALONE && ++team.in_time == IN_TIME) {
		team.penalty /= 2;
		team.in_time = 0;
	}
}

int tulle__team_take(int threads, int always)
{
	if (atomic_load_explicit(&team.taken, memory_order_relaxed) ||
	    atomic_exchange_explicit(&team.taken, 1, memory_order_acquire))
		return 1; /* two teams would compete for the cores */
	if (threads > TULLE__MAX_THREADS)
		threads = TULLE__MAX_THREADS;
	if (team.members < threads)
		hire(threads);
	if (team.members < threads)
		threads = team.members;
	if (!always && team.alone > 0) {
		team.alone--;
		threads = 1;
	}
	team.size = threads;
	team.late = 0;
	if (threads == 1)
		let_go();
	return threads;
}

void tulle__team_leave(void)
{
	note_in_time();
	let_go();
}

/* The caller began at `begin` and has no more parts to do. Alone it would have taken as long as all
 * threads together. Helpers are late if it has waited longer than that. */
static void wait_for_helpers(double begin)
{
	const double own = tulle__seconds() - begin;
	unsigned long long running;

	while ((running = atomic_load(&team.running.word)) > 0)
		tulle__wait_while(&team.member[0].sleeper, &team.running.word, running,
		                  spin_seconds(team.size));
	if (tulle__seconds() - begin > fmax(team.size * own, own + SPIN_SECONDS))
		team.late = 1;
}

void tulle__team_run(tulle__work *work, const void *arg, int64_t parts)
{
	const uint32_t generation = generation_of(atomic_load(&team.post.word)) + 1;
	const unsigned long long post = pack(generation, (uint32_t)team.size);
	const double begin = tulle__seconds();

	team.work = work;
	team.arg = arg;
	team.parts = parts;
	team.fp_mode = fp_mode();
	atomic_store_explicit(&team.cpu, sched_getcpu(), memory_order_relaxed);
	atomic_store_explicit(&team.running.word, (unsigned long long)parts, memory_order_relaxed);
	deal(generation, lanes_for(team.size));
	atomic_store(&team.post.word, post);
	wake_next(0, team.size);
	take_parts(0, post);
	if (atomic_load(&team.running.word) > 0)
		wait_for_helpers(begin);
}

/* ---- fork ---- */

/* A child process has none of the helpers, nor the thread that may have held the team. */
static void after_fork_in_child(void)
{
	team.members = 0;
	team.retry_at = 0;
	team.alone = team.late = 0;
	let_go();
}

static __attribute__((constructor)) void watch_fork(void)
{
	pthread_atfork(NULL, NULL, after_fork_in_child);
}
