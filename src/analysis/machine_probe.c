/* machine_probe.c -- which ranges of memory are timed, how often, and when to stop. */
#include "analysis/machine_probe.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/threads.h"
#include "probe/reads.h"

#include <math.h>
#include <string.h>

enum { LINE = 64 }; /* bytes of a cache line */

typedef struct {
	double seconds;          /* no run begins later than this */
	double least;            /* bytes that a run reads in order, per thread */
	int near_runs, far_runs; /* of a loop over L1 or L2; over L3 or memory */
	int64_t gathers;         /* of a run, except from L3 */
	double third_cache;      /* at most this many times L2 stand for L3 */
} effort;

/* A run takes less than .3 ms, so the last one ends before TULLE__PROBE_SECONDS. Runs over L1 and L2 take
 * 20 us: a helper that wakes late disturbs some of them. */
static const effort brief = { TULLE__PROBE_SECONDS - .5e-3, 1e6, 7, 3, 1 << 14, 3 };
static const effort thorough = { .3, 4e6, 12, 12, 1 << 16, 4 };

/* Bytes of the caller's values that are read in order: of each thread, and of all. */
static const double READ_PER_THREAD = 2e6, READ_MOST = 16e6;

/* Bytes that stand for L3: touching a new page costs more than the loops over it. */
static const double THIRD_MOST = 8e6;

/* The block for timing memory: twice the L3 cache, with an upper limit. */
static const double MEMORY_BLOCK_LEAST = 64e6, MEMORY_BLOCK_MOST = 256e6;

/* Half the size of a level fits in it. A block for L3 must be larger than L2. */
static double extent_of(const tulle__machine *m, int level, const effort *e)
{
	const double third = fmin(e->third_cache * m->cache[TULLE__L2], THIRD_MOST);

	return level < TULLE__L3 ? m->cache[level] / 2 : fmin(m->cache[TULLE__L3] / 2, third);
}

/* Time one level; 0: no time left. All threads read the same block: each private cache has a copy, the
 * shared cache has one. */
static int time_level(const tulle__stopwatch *w, const void *block, int level, const effort *e,
                      tulle__machine *m)
{
	const tulle__extent x = { block, (int64_t)extent_of(m, level, e), 0 };
	const int far = level == TULLE__L3, runs = far ? e->far_runs : e->near_runs;
	const int64_t gathers =
	    far ? x.bytes / LINE : e->gathers; /* with fewer lines, L2 would hold all of them */

	m->read[level] = tulle__time_reads(w, &x, e->least, runs);
	if (!(m->read[level] > 0))
		return 0;
	m->gather[level] = tulle__time_random_reads(w, &x, gathers, runs);
	return m->gather[level] > 0;
}

static int time_caches(const tulle__stopwatch *w, const void *block, const effort *e,
                       tulle__machine *m)
{
	enum { REGIONS = 9 };

	for (int level = 0; level < TULLE__MEMORY; level++)
		if (!time_level(w, block, level, e, m))
			return 0;
	m->gather[TULLE__MEMORY] = tulle__machine_far_gather(m);
	m->region = tulle__time_region(w, REGIONS);
	return m->threads == 1 || m->region > 0;
}

/* Bandwidth of memory. Each thread reads its own piece; otherwise it would find in the shared cache what
 * another thread has read. */
static int time_memory(const tulle__stopwatch *w, const void *block, double bytes, const effort *e,
                       tulle__machine *m)
{
	const tulle__extent cold = { block, (int64_t)bytes, 1 };

	m->read[TULLE__MEMORY] = tulle__time_cold_reads(w, &cold, e->far_runs);
	return m->read[TULLE__MEMORY] > 0;
}

/* ---- an allocated block ---- */

typedef struct {
	char *block;
	int64_t bytes, parts;
} filling;

static void fill_part(const void *arg, int64_t part)
{
	const filling *f = arg;
	const int64_t begin = f->bytes / f->parts * part;
	const int64_t end = part + 1 < f->parts ? begin + f->bytes / f->parts : f->bytes;

	memset(f->block + begin, 0, (size_t)(end - begin));
}

/* The block is written first: pages that were never written all map to one zero page. */
static tulle_status make_block(tulle__env *env, double bytes, int threads, char **out)
{
	const tulle_status s = tulle__alloc(env, (int64_t)bytes, 1, out);

	if (s == TULLE_OK)
		tulle__run_parts(env, fill_part, &(filling){ *out, (int64_t)bytes, threads }, threads,
		                 INT64_MAX);
	return s;
}

static void report(tulle__env *env, const tulle__machine *m, double seconds)
{
	if (!m->caches_timed) {
		tulle__log(env, TULLE_LOG_INFO,
		           "machine: too busy to be timed in %.2f ms; speeds are assumed", 1e3 * seconds);
		return;
	}
	tulle__log(env, TULLE_LOG_INFO,
	           "machine: reads %.1f GB/s from L2, %.1f from L3, %.1f from memory%s; gathers in "
	           "%.2f, %.2f, %.2f ns; timed in %.2f ms",
	           1e-9 / m->read[TULLE__L2], 1e-9 / m->read[TULLE__L3], 1e-9 / m->read[TULLE__MEMORY],
	           m->memory_timed ? "" : " (assumed)", 1e9 * m->gather[TULLE__L2],
	           1e9 * m->gather[TULLE__L3], 1e9 * m->gather[TULLE__MEMORY], 1e3 * seconds);
}

/* ---- briefly ---- */

/* The values, unless L3 may hold half of them. The first values were written or read first, so they were
 * evicted first. */
static int has_cold_values(const tulle__csr *a, const tulle__machine *m)
{
	const double bytes =
	    a && a->val ? (double)a->nnz * (double)tulle__value_size(a->value_type) : 0;

	return bytes >= fmax(2 * m->cache[TULLE__L3], MEMORY_BLOCK_LEAST);
}

int tulle__machine_worth_probing(const tulle__csr *a, const tulle__machine *m)
{
	return !m->caches_timed || (!m->memory_timed && has_cold_values(a, m));
}

tulle_status tulle__machine_probe(tulle__env *env, const tulle__csr *a, tulle__machine *m)
{
	const double begin = tulle__seconds();
	tulle__stopwatch w = { env, m->threads, begin + brief.seconds };
	tulle__machine timed = *m;

	if (!m->caches_timed) {
		char *block;
		const tulle_status s = make_block(env, extent_of(m, TULLE__L3, &brief), m->threads, &block);

		if (s != TULLE_OK)
			return s;
		timed.caches_timed = time_caches(&w, block, &brief, &timed);
		tulle__free(env, block);
		if (timed.caches_timed)
			*m = timed;
	}
	if (m->caches_timed && !m->memory_timed && has_cold_values(a, m)) {
		const double bytes = fmin(READ_PER_THREAD * m->threads, READ_MOST);

		timed = *m;
		timed.memory_timed = time_memory(&w, a->val, bytes, &brief, &timed);
		if (timed.memory_timed)
			*m = timed;
	}
	report(env, m, tulle__seconds() - begin);
	return TULLE_OK;
}

/* ---- thoroughly ---- */

tulle_status tulle__machine_survey(tulle__env *env, tulle__machine *m)
{
	const double begin = tulle__seconds();
	const double bytes = fmax(MEMORY_BLOCK_LEAST, fmin(2 * m->cache[TULLE__L3], MEMORY_BLOCK_MOST));
	tulle__stopwatch w = { env, m->threads, begin + thorough.seconds };
	tulle__machine timed = *m;
	char *block;
	const tulle_status s = make_block(env, bytes, m->threads, &block);
	const tulle__extent all = { block, (int64_t)bytes, 0 };

	if (s != TULLE_OK)
		return s;
	timed.caches_timed = time_caches(&w, block, &thorough, &timed);
	timed.memory_timed = timed.caches_timed && time_memory(&w, block, bytes, &thorough, &timed);
	timed.gather[TULLE__MEMORY] =
	    tulle__time_random_reads(&w, &all, thorough.gathers, thorough.far_runs);
	tulle__free(env, block);
	if (timed.memory_timed && timed.gather[TULLE__MEMORY] > 0)
		*m = timed;
	report(env, m, tulle__seconds() - begin);
	return TULLE_OK;
}
