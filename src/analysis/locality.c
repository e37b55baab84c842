/* locality.c -- how often the x of a nonzero was evicted from a cache since its last use.
 *
 * Windows of the matrix are run through two models of direct-mapped caches. Half of each real cache
 * is left to the matrix, which streams through it. */
#include "analysis/features.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

enum {
	LINE = 64,
	EVERY = 64,      /* one nonzero in EVERY is sampled ... */
	MOST_WINDOWS = 8 /* ... in at most this many windows */
};

typedef struct {
	int64_t first, second; /* misses */
	int64_t nonzeros;
} tally;

typedef struct {
	const tulle__csr *a;
	int64_t windows, warm, count; /* nonzeros of a window: to fill the caches, to count misses */
	int64_t places[2];            /* lines in each cache; powers of two */
	int line_bits;                /* elements in a line */
	int32_t *lines;               /* both caches of each window */
	tally *tally;
} job;

TULLE_INLINE int misses(int32_t *cache, int64_t places, int64_t line)
{
	int32_t *place = &cache[line & (places - 1)];
	const int missed = *place != (int32_t)line;

	*place = (int32_t)line;
	return missed;
}

TULLE_INLINE void run_window(const job *j, int64_t window, tulle_index_type type)
{
	int32_t *first = j->lines + window * (j->places[0] + j->places[1]);
	int32_t *second = first + j->places[0];
	const int64_t all = j->warm + j->count;
	const int64_t begin = tulle__cut(j->a->nnz - all, j->windows, window);
	tally t = { .nonzeros = j->count };

	for (int64_t n = 0; n < j->places[0] + j->places[1]; n++)
		first[n] = -1;
	for (int64_t k = begin; k < begin + all; k++) {
		const int64_t line = tulle__index_at(j->a->col, type, k) >> j->line_bits;
		const int missed = misses(first, j->places[0], line);

		if (k == begin + j->warm)
			t.first = t.second = 0;
		t.first += missed;
		if (missed)
			t.second += misses(second, j->places[1], line);
	}
	j->tally[window] = t;
}

static void run_part(const void *arg, int64_t window)
{
	const job *j = arg;

	if (j->a->column_type == TULLE_I32)
		run_window(j, window, TULLE_I32);
	else
		run_window(j, window, TULLE_I64);
}

/* The largest power of two of lines that half of a cache holds. */
static int64_t places_of(double bytes)
{
	int64_t places = 1;

	while ((double)(4 * places * LINE) <= bytes)
		places *= 2;
	return places;
}

tulle_status tulle__analyze_locality(const tulle__csr *a, const tulle__machine *machine,
                                     tulle__env *env, tulle__features *f)
{
	tally of_window[MOST_WINDOWS], sum = { 0 };
	job j = { .a = a,
		      .line_bits = __builtin_ctzll(LINE / tulle__element_size(a->value_type)),
		      .tally = of_window };
	tulle_status s;

	if (a->nnz == 0 || f->x_bytes <= machine->cache[TULLE__L1] / 2)
		return TULLE_OK;
	j.places[0] = places_of(machine->cache[TULLE__L1]);
	j.places[1] =
	    f->x_bytes <= machine->cache[TULLE__L2] / 2 ? 1 : places_of(machine->cache[TULLE__L2]);
	j.warm = 4 * (j.places[0] + j.places[1]); /* enough random lines to fill them */
	j.count = j.warm / 2;
	if (j.warm + j.count > a->nnz) {
		j.count = a->nnz / 3;
		j.warm = a->nnz - j.count;
	}
	j.windows = a->nnz / EVERY / (j.warm + j.count) + 1;
	j.windows = j.windows < MOST_WINDOWS ? j.windows : MOST_WINDOWS;
	s = tulle__alloc(env, j.windows * (j.places[0] + j.places[1]), sizeof *j.lines, &j.lines);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, run_part, &j, j.windows, j.windows * (j.warm + j.count));
	for (int64_t w = 0; w < j.windows; w++) {
		sum.first += of_window[w].first;
		sum.second += of_window[w].second;
		sum.nonzeros += of_window[w].nonzeros;
	}
	if (sum.nonzeros > 0) {
		f->misses_l1 = (double)sum.first / (double)sum.nonzeros;
		f->misses_l2 = j.places[1] > 1 ? (double)sum.second / (double)sum.nonzeros : 0;
	}
	tulle__free(env, j.lines);
	return TULLE_OK;
}
