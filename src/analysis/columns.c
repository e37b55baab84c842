/* columns.c -- lengths of columns, and the share of nonzeros in the hottest ones. */
#include "analysis/features.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <math.h>

/* A sample of the nonzeros, in two halves: one selects the hot columns, the other counts their
 * nonzeros. With a single sample, every column that is sampled twice by chance would seem hot. */
enum { RUN = 16, EVERY = 16, HALVES = 2, COUNTS = 256 };

typedef struct {
	const tulle__csr *a;
	int64_t runs; /* of RUN nonzeros each, in one half */
	unsigned char *count[HALVES];
} job;

TULLE_INLINE void count_runs(const job *j, int64_t half, tulle_index_type type)
{
	unsigned char *count = j->count[half];

	for (int64_t r = 0; r < j->runs; r++) {
		const int64_t k = tulle__cut(j->a->nnz, HALVES * j->runs, HALVES * r + half);
		const int64_t end = k + RUN < j->a->nnz ? k + RUN : j->a->nnz;

		for (int64_t n = k; n < end; n++) {
			unsigned char *c = &count[tulle__index_at(j->a->col, type, n)];

			*c = (unsigned char)(*c + (*c < COUNTS - 1));
		}
	}
}

static void count_half(const void *arg, int64_t half)
{
	const job *j = arg;

	if (j->a->column_type == TULLE_I32)
		count_runs(j, half, TULLE_I32);
	else
		count_runs(j, half, TULLE_I64);
}

/* For columns with n nonzeros in the first half of the sample: their number, and their nonzeros in
 * the second half. */
typedef struct {
	int64_t columns[COUNTS], hits[COUNTS];
	int64_t squares, most, least; /* of both halves together */
} census;

static void take_census(const job *j, census *out)
{
	*out = (census){ .least = INT64_MAX };
	for (int64_t c = 0; c < j->a->cols; c++) {
		const int first = j->count[0][c], second = j->count[1][c], both = first + second;

		out->columns[first]++;
		out->hits[first] += second;
		out->squares += (int64_t)both * both;
		out->most = both > out->most ? both : out->most;
		out->least = both < out->least ? both : out->least;
	}
}

static void tell_hot(const census *by, tulle__features *f)
{
	double hits = 0, columns = 0, covered = 0; /* covered: in complete blocks, and in the current
	                                              one */
	int block = 0;

	for (int n = 0; n < COUNTS; n++)
		hits += (double)by->hits[n];
	for (int n = COUNTS - 1; n >= 0 && hits > 0; n--) {
		double left = (double)by->columns[n];

		while (left > 0 && block < TULLE__HOT_BLOCKS) {
			const double room = (double)(block + 1) * TULLE__HOT_COLUMNS - columns;
			const double taken = left < room ? left : room;

			covered += (double)by->hits[n] * taken / (double)by->columns[n];
			columns += taken;
			left -= taken;
			if (taken == room)
				f->hot[block++] = covered / hits;
		}
	}
	for (; block < TULLE__HOT_BLOCKS && hits > 0; block++)
		f->hot[block] = covered / hits;
}

tulle_status tulle__analyze_columns(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	job j = { .a = a, .runs = a->nnz / (RUN * EVERY * HALVES) + 1 };
	const double cols = (double)a->cols, sampled = (double)(j.runs * RUN * HALVES);
	const double share = sampled / (double)a->nnz, mean = sampled / cols;
	census c;
	tulle_status s;

	s = tulle__alloc_zero(env, a->cols, HALVES, &j.count[0]);
	if (s != TULLE_OK)
		return s;
	j.count[1] = j.count[0] + a->cols;
	tulle__run_parts(env, count_half, &j, HALVES, j.runs * RUN * HALVES);
	take_census(&j, &c);
	tulle__free(env, j.count[0]);
	tell_hot(&c, f);
	f->column.mean = (double)a->nnz / cols;
	f->column.max = (double)c.most / share;
	f->column.min = (double)c.least / share;
	/* Sampling adds the variance of a Poisson distribution, which equals its mean. */
	f->column.sd = sqrt(fmax(0, (double)c.squares / cols - mean * mean - mean)) / share;
	return TULLE_OK;
}
