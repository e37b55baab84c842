/* columns.c -- how many nonzeros columns have, and how many lie in the hottest ones. */
#include "analysis/features.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <math.h>

/* A sample of the nonzeros, in two halves: one tells which columns are hot, the other how hot they
 * are. One alone would call every column hot on which it happened to fall twice. */
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

/* Columns of which the first half of the sample has n nonzeros: how many, and what the second has. */
typedef struct {
	double columns[COUNTS], hits[COUNTS];
} by_count;

static void tell_hot(const by_count *by, double hits, tulle__features *f)
{
	double columns = 0, covered = 0; /* of the blocks that are complete, and of the one at hand */
	int block = 0;

	for (int n = COUNTS - 1; n >= 0; n--) {
		double left = by->columns[n];

		while (left > 0 && block < TULLE__HOT_BLOCKS) {
			const double room = (double)(block + 1) * TULLE__HOT_COLUMNS - columns;
			const double taken = left < room ? left : room;

			covered += by->hits[n] * taken / by->columns[n];
			columns += taken;
			left -= taken;
			if (taken == room)
				f->hot[block++] = covered / hits;
		}
	}
	for (; block < TULLE__HOT_BLOCKS; block++)
		f->hot[block] = covered / hits;
}

static void tell_spread(const job *j, double share, tulle__features *f)
{
	double squares = 0, sum = 0, max = 0, min = INFINITY;

	for (int64_t c = 0; c < j->a->cols; c++) {
		const double n = j->count[0][c] + j->count[1][c];

		sum += n;
		squares += n * n;
		max = n > max ? n : max;
		min = n < min ? n : min;
	}
	f->column.mean = (double)j->a->nnz / (double)j->a->cols;
	f->column.max = max / share;
	f->column.min = min / share;
	/* The sample has a spread of its own, that of a Poisson law: its mean. */
	sum /= (double)j->a->cols;
	f->column.sd = sqrt(fmax(0, squares / (double)j->a->cols - sum * sum - sum)) / share;
}

tulle_status tulle__look_at_columns(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	job j = { .a = a, .runs = a->nnz / (RUN * EVERY * HALVES) + 1 };
	by_count by = { .columns = { 0 } };
	double hits = 0;
	tulle_status s;

	if (a->nnz == 0)
		return TULLE_OK;
	s = tulle__alloc_zero(env, a->cols, HALVES, &j.count[0]);
	if (s != TULLE_OK)
		return s;
	j.count[1] = j.count[0] + a->cols;
	tulle__run_parts(env, count_half, &j, HALVES, j.runs * RUN * HALVES);
	for (int64_t c = 0; c < a->cols; c++) {
		by.columns[j.count[0][c]]++;
		by.hits[j.count[0][c]] += j.count[1][c];
		hits += j.count[1][c];
	}
	tell_hot(&by, hits, f);
	tell_spread(&j, (double)(j.runs * RUN * HALVES) / (double)a->nnz, f);
	tulle__free(env, j.count[0]);
	return TULLE_OK;
}
