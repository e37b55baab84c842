/* machine.c -- caches from the operating system, speeds as on the reference machine. */
#include "analysis/machine.h"

#include "core/gather.h"
#include "core/hash.h"
#include "core/threads.h"

#include <math.h>
#include <string.h>
#include <unistd.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

/* The machine on which the prices of formats were fitted (docs/planner.md): two cores of a Xeon with
 * AVX-512. Seconds a byte that one thread reads, an element that it gathers. */
static const double reference_cache[TULLE__MEMORY] = { 48e3, 2e6, 32e6 };
static const double reference_read[TULLE__LEVELS] = { 1.5e-11, 2.7e-11, 5e-11, 1.1e-10 };
static const double reference_gather[TULLE__LEVELS] = { 1e-9, 1.9e-9, 4e-9, 6e-9 };

/* So many threads, and no more, add to what a socket reads from memory. */
enum { MEMORY_THREADS = 6 };

/* What a cache may be like. Virtual machines and some Arm systems report 0, -1, or nonsense. */
static const double least_cache[TULLE__MEMORY] = { 4e3, 64e3, 256e3 };
static const double most_cache[TULLE__MEMORY] = { 4e6, 256e6, 16e9 };

void tulle__machine_caches(const long reported[TULLE__MEMORY], double cache[TULLE__MEMORY])
{
	for (int level = 0; level < TULLE__MEMORY; level++) {
		const double bytes = (double)reported[level];

		cache[level] = bytes >= least_cache[level] && bytes <= most_cache[level]
		                   ? bytes
		                   : reference_cache[level];
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

static void assume_speeds(tulle__machine *m)
{
	for (int level = 0; level < TULLE__LEVELS; level++) {
		const int add =
		    level == TULLE__MEMORY && m->threads > MEMORY_THREADS ? MEMORY_THREADS : m->threads;

		m->read[level] = reference_read[level] / add;
		m->gather[level] = reference_gather[level];
	}
	m->caches_timed = m->memory_timed = 0;
}

void tulle__machine_assume(tulle__env *env, tulle__machine *out)
{
	const long reported[TULLE__MEMORY] = { sysconf(_SC_LEVEL1_DCACHE_SIZE),
		                                   sysconf(_SC_LEVEL2_CACHE_SIZE),
		                                   sysconf(_SC_LEVEL3_CACHE_SIZE) };

	*out = (tulle__machine){ .threads = tulle__threads(env), .isa = tulle__kernel_isa(env) };
	tulle__machine_caches(reported, out->cache);
	assume_speeds(out);
}

void tulle__machine_fixed(tulle__machine *out)
{
	*out = (tulle__machine){ .threads = 2, .isa = TULLE__AVX512 };
	memcpy(out->cache, reference_cache, sizeof out->cache);
	assume_speeds(out);
}

double tulle__machine_far_gather(const tulle__machine *m)
{
	const double ratio = reference_gather[TULLE__MEMORY] / reference_gather[TULLE__L3];

	return fmax(reference_gather[TULLE__MEMORY], ratio * m->gather[TULLE__L3]);
}

int tulle__machine_timed(const tulle__machine *m, double all)
{
	return m->caches_timed && (m->memory_timed || all <= m->cache[TULLE__L3]);
}

/* What of `all` bytes a cache still has when they come round again. More than it holds pushes out
 * what would have been needed next, so little is left of twice as much. */
static double kept(double cache, double all)
{
	return all <= cache ? 1 : all >= 2 * cache ? 0 : 2 - all / cache;
}

double tulle__read_seconds(const tulle__machine *m, double bytes, double all)
{
	const double l2 = kept(m->threads * m->cache[TULLE__L2], all);
	const double l3 = kept(m->cache[TULLE__L3], all);

	return bytes * (l2 * m->read[TULLE__L2] +
	                (1 - l2) * (l3 * m->read[TULLE__L3] + (1 - l3) * m->read[TULLE__MEMORY]));
}
