/* machine.c -- cache sizes from the operating system, speeds of a machine that was measured. */
#include "analysis/machine.h"

#include "core/gather.h"
#include "core/hash.h"
#include "core/threads.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

/* Machines that were measured (docs/machines.md): speeds of one thread, seconds per byte that it reads in
 * order and per element that it reads at random, and sizes of caches in bytes. */
typedef struct {
	double cache[TULLE__MEMORY], read[TULLE__LEVELS], gather[TULLE__LEVELS];
} reference;

/* Two cores of a Sapphire Rapids Xeon. */
static const reference fast_gathers = {
	.cache = { 48e3, 2e6, 32e6 },
	.read = { 1e-11, 1.7e-11, 3.6e-11, 9.2e-11 },
	.gather = { 1.7e-9, 2.3e-9, 3.3e-9, 7.5e-9 },
};

/* Two cores of a Cascade Lake Xeon. */
static const reference slow_gathers = {
	.cache = { 32e3, 1e6, 36e6 },
	.read = { 1.2e-11, 2.3e-11, 4e-11, 6.8e-11 },
	.gather = { 1.5e-9, 1.7e-9, 1.9e-9, 8e-9 },
};

/* The one that is more similar to this machine. */
static const reference *reference_here(void)
{
	return tulle__gather_of_model() == TULLE__GATHER_INSTRUCTION ? &fast_gathers : &slow_gathers;
}

/* More threads than this do not increase the memory bandwidth of a socket. */
enum { MEMORY_THREADS = 6 };

/* Plausible sizes of caches. Virtual machines and some Arm systems report 0, -1, or nonsense. */
static const double least_cache[TULLE__MEMORY] = { 4e3, 64e3, 256e3 };
static const double most_cache[TULLE__MEMORY] = { 4e6, 256e6, 16e9 };

void tulle__machine_caches(const long reported[TULLE__MEMORY], double cache[TULLE__MEMORY])
{
	for (int level = 0; level < TULLE__MEMORY; level++) {
		const double bytes = (double)reported[level];

		cache[level] = bytes >= least_cache[level] && bytes <= most_cache[level]
		                   ? bytes
		                   : fast_gathers.cache[level];
		if (level > 0 && cache[level] < cache[level - 1])
			cache[level] = cache[level - 1];
	}
}

void tulle__machine_processor(char text[TULLE__PROCESSOR])
{
	memset(text, 0, TULLE__PROCESSOR);
#if defined __x86_64__ || defined __i386__
	for (unsigned n = 0; n < 3; n++) {
		unsigned r[4] = { 0 };

		__get_cpuid(0x80000002u + n, &r[0], &r[1], &r[2], &r[3]);
		memcpy(text + n * sizeof r, r, sizeof r);
	}
#endif
}

uint64_t tulle__machine_signature(const tulle__machine *m)
{
	char text[TULLE__PROCESSOR];
	uint64_t hash;

	tulle__machine_processor(text);
	hash = tulle__hash(0, text, strlen(text));
	hash = tulle__hash(hash, m->cache, sizeof m->cache);
	hash = tulle__hash(hash, &m->threads, sizeof m->threads);
	return tulle__hash(hash, &m->isa, sizeof m->isa);
}

static void assume_speeds(tulle__machine *m, const reference *r)
{
	for (int level = 0; level < TULLE__LEVELS; level++) {
		const int add =
		    level == TULLE__MEMORY && m->threads > MEMORY_THREADS ? MEMORY_THREADS : m->threads;

		m->read[level] = r->read[level] / add;
		m->gather[level] = r->gather[level];
	}
	m->caches_timed = m->memory_timed = 0;
}

/* Other virtual machines share the L3 cache. On both machines above, this one was seen to have as much of it as
 * this many L2 caches per thread. */
static const double VIRTUAL_SHARE = 4;

static int ask_virtual(void)
{
#if defined __x86_64__ || defined __i386__
	unsigned r[4] = { 0 };

	return __get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) && r[2] >> 31;
#else
	return 0;
#endif
}

/* Read once: CPUID takes microseconds on a virtual machine. */
static int is_virtual(void)
{
	enum { NOT_ASKED = -1 };
	static atomic_int known = NOT_ASKED;
	int answer = atomic_load_explicit(&known, memory_order_relaxed);

	if (answer == NOT_ASKED) {
		answer = ask_virtual();
		atomic_store_explicit(&known, answer, memory_order_relaxed);
	}
	return answer;
}

void tulle__machine_assume(tulle__env *env, tulle__machine *out)
{
	const long reported[TULLE__MEMORY] = { sysconf(_SC_LEVEL1_DCACHE_SIZE),
		                                   sysconf(_SC_LEVEL2_CACHE_SIZE),
		                                   sysconf(_SC_LEVEL3_CACHE_SIZE) };

	*out = (tulle__machine){ .threads = tulle__threads(env), .isa = tulle__kernel_isa(env) };
	tulle__machine_caches(reported, out->cache);
	if (is_virtual())
		out->cache[TULLE__L3] =
		    fmin(out->cache[TULLE__L3], VIRTUAL_SHARE * out->threads * out->cache[TULLE__L2]);
	assume_speeds(out, reference_here());
}

void tulle__machine_fixed(tulle__machine *out)
{
	*out = (tulle__machine){ .threads = 2, .isa = TULLE__AVX512 };
	memcpy(out->cache, fast_gathers.cache, sizeof out->cache);
	assume_speeds(out, &fast_gathers);
}

double tulle__machine_far_gather(const tulle__machine *m)
{
	const reference *r = reference_here();
	const double ratio = r->gather[TULLE__MEMORY] / r->gather[TULLE__L3];

	return fmax(r->gather[TULLE__MEMORY], ratio * m->gather[TULLE__L3]);
}

int tulle__machine_timed(const tulle__machine *m, double all)
{
	return m->caches_timed && (m->memory_timed || all <= m->cache[TULLE__L3]);
}

/* How much of `all` bytes that are read cyclically is still in a cache. More bytes than it holds
 * evict those that are needed next, so for twice its size little is left. */
static double kept(double cache, double all)
{
	return all <= cache ? 1 : all >= 2 * cache ? 0 : 2 - all / cache;
}

void tulle__read_shares(const tulle__machine *m, double all, double share[TULLE__LEVELS])
{
	const double l2 = kept(m->threads * m->cache[TULLE__L2], all);
	const double l3 = fmax(l2, kept(m->cache[TULLE__L3], all));

	share[TULLE__L1] = 0;
	share[TULLE__L2] = l2;
	share[TULLE__L3] = l3 - l2;
	share[TULLE__MEMORY] = 1 - l3;
}

double tulle__read_seconds(const tulle__machine *m, double bytes, double all)
{
	double share[TULLE__LEVELS], seconds = 0;

	tulle__read_shares(m, all, share);
	for (int level = 0; level < TULLE__LEVELS; level++)
		seconds += bytes * share[level] * m->read[level];
	return seconds;
}
