/* machine.c -- caches from the operating system, speeds assumed or timed. */
#include "analysis/machine.h"

#include "core/gather.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
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

static double size_of(int name, double otherwise)
{
	const long bytes = sysconf(name);

	return bytes > 0 ? (double)bytes : otherwise;
}

static void brand(char text[49])
{
	memset(text, 0, 49);
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
	char text[49];
	uint64_t hash;

	brand(text);
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
	m->measured = 0;
}

void tulle__machine_assume(tulle__env *env, tulle__machine *out)
{
	*out = (tulle__machine){ .threads = tulle__threads(env), .isa = tulle__kernel_isa(env) };
	out->cache[TULLE__L1] = size_of(_SC_LEVEL1_DCACHE_SIZE, reference_cache[TULLE__L1]);
	out->cache[TULLE__L2] = size_of(_SC_LEVEL2_CACHE_SIZE, reference_cache[TULLE__L2]);
	out->cache[TULLE__L3] = size_of(_SC_LEVEL3_CACHE_SIZE, reference_cache[TULLE__L3]);
	assume_speeds(out);
}

void tulle__machine_fixed(tulle__machine *out)
{
	*out = (tulle__machine){ .threads = 2, .isa = TULLE__AVX512 };
	memcpy(out->cache, reference_cache, sizeof out->cache);
	assume_speeds(out);
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

/* ---- timed ---- */

/* A part reads its own piece of the block, in order or at random. */
typedef struct {
	const double *block;
	int64_t elements, parts; /* of all parts together */
	int64_t times;           /* that each part is read */
	int random;
	double *sink; /* one for each part: what is summed up is not left out */
} reading;

enum { STREAMS = 8, GATHERS = 1 << 16 };

static void read_part(const void *arg, int64_t part)
{
	const reading *r = arg;
	const int64_t each = r->elements / r->parts;
	const double *block = r->block + part * each;
	double sum[STREAMS] = { 0 };
	uint32_t at = (uint32_t)part + 1;

	if (r->random)
		for (int64_t n = 0; n < GATHERS; n += STREAMS)
			for (int s = 0; s < STREAMS; s++) {
				at = at * 1664525u + 1013904223u;
				sum[s] += block[((uint64_t)at * (uint64_t)each) >> 32];
			}
	else
		for (int64_t time = 0; time < r->times; time++)
			for (int64_t n = 0; n + STREAMS <= each; n += STREAMS)
				for (int s = 0; s < STREAMS; s++)
					sum[s] += block[n + s];
	for (int s = 1; s < STREAMS; s++)
		sum[0] += sum[s];
	r->sink[part] = sum[0];
}

/* The best of a few; the first one brings the data where it shall be read from. */
static double time_reading(tulle__env *env, const reading *r)
{
	enum { ROUNDS = 5 };
	double best = INFINITY;

	for (int round = 0; round < ROUNDS; round++) {
		const double begin = tulle__seconds();
		double seconds;

		tulle__run_parts(env, read_part, r, r->parts, INT64_MAX);
		seconds = tulle__seconds() - begin;
		best = round > 0 && seconds < best ? seconds : best;
	}
	return best;
}

tulle_status tulle__machine_measure(tulle__env *env, tulle__machine *m)
{
	/* Half of a level is surely in it; what memory is, is judged by four times the level before it,
	 * but no more than is bearable. */
	const double most = 64e6, LEAST_BYTES = 16e6, l2 = m->threads * m->cache[TULLE__L2];
	const double bytes[TULLE__LEVELS] = { m->threads * m->cache[TULLE__L1] / 2, l2 / 2,
		                                  fmin(fmin(m->cache[TULLE__L3] / 2, 4 * l2), most),
		                                  fmin(2 * m->cache[TULLE__L3], most) };
	reading r = { .parts = m->threads };
	double *block;
	tulle_status s = tulle__alloc_zero(env, (int64_t)bytes[TULLE__MEMORY], 1, &block);

	if (s == TULLE_OK)
		s = tulle__alloc(env, r.parts, sizeof *r.sink, &r.sink);
	for (int level = 0; level < TULLE__LEVELS && s == TULLE_OK; level++) {
		r.block = block;
		r.elements = (int64_t)bytes[level] / (int64_t)sizeof *block;
		r.random = 0;
		r.times = 1 + (int64_t)(LEAST_BYTES / bytes[level]);
		m->read[level] = time_reading(env, &r) / (bytes[level] * (double)r.times);
		r.random = 1;
		m->gather[level] = time_reading(env, &r) / GATHERS;
	}
	m->measured = s == TULLE_OK;
	tulle__free(env, r.sink);
	tulle__free(env, block);
	if (s == TULLE_OK)
		tulle__log(env, TULLE_LOG_INFO,
		           "machine: reads %.1f GB/s from L2, %.1f from L3, %.1f from memory; gathers in "
		           "%.2f, %.2f, %.2f ns",
		           1e-9 / m->read[TULLE__L2], 1e-9 / m->read[TULLE__L3],
		           1e-9 / m->read[TULLE__MEMORY], 1e9 * m->gather[TULLE__L2],
		           1e9 * m->gather[TULLE__L3], 1e9 * m->gather[TULLE__MEMORY]);
	return s;
}
