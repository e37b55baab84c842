/* columns.c -- how many nonzeros columns have, and how many lie in the hottest ones. */
#include "analysis/features.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <limits.h>
#include <math.h>

/* A sample of the nonzeros, in two halves: one tells which columns are hot, the other how hot they
 * are. One alone would call every column hot on which it happened to fall twice. */
enum { RUN = 16, EVERY = 16, HALVES = 2, COUNTS = 256 };

/* Runs lie too far apart for the hardware to fetch them ahead. */
enum { AHEAD = 16 };

typedef struct {
	const tulle__csr *a;
	int64_t runs; /* of RUN nonzeros each, in one half */
	unsigned char *count[HALVES];
} job;

TULLE_INLINE void count_runs(const job *j, int64_t half, tulle_index_type type)
{
	unsigned char *count = j->count[half];
	const int64_t ahead = AHEAD * RUN * EVERY * HALVES;

	for (int64_t r = 0; r < j->runs; r++) {
		const int64_t k = tulle__cut(j->a->nnz, HALVES * j->runs, HALVES * r + half);
		const int64_t end = k + RUN < j->a->nnz ? k + RUN : j->a->nnz;

		if (k + ahead < j->a->nnz)
			__builtin_prefetch((const char *)j->a->col +
			                   (size_t)(k + ahead) * tulle__index_size(type));
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
	int64_t columns[COUNTS], hits[COUNTS];
} by_count;

typedef struct {
	by_count by;
	int64_t sum, squares; /* of the nonzeros of a column in both halves */
	int min, max;
} tally;

/* Columns side by side are counted apart: most of them have the same few counts, and each count would
 * wait for the one before it to be stored. */
enum { APART = 4, MOST_PARTS = 16, PART = 32768 };

typedef struct {
	const job *of;
	int64_t parts;
	tally *part;
} count_job;

static void tally_part(const void *arg, int64_t part)
{
	const count_job *j = arg;
	const unsigned char *first = j->of->count[0], *second = j->of->count[1];
	const int64_t begin = tulle__cut(j->of->a->cols, j->parts, part),
	              end = tulle__cut(j->of->a->cols, j->parts, part + 1);
	by_count by[APART] = { { .columns = { 0 } } };
	tally t = { .min = INT_MAX };

	for (int64_t c = begin; c < end; c++) {
		by_count *b = &by[(uint64_t)c % APART];

		b->columns[first[c]]++;
		b->hits[first[c]] += second[c];
	}
	for (int64_t c = begin; c < end; c++) {
		const int n = first[c] + second[c];

		t.sum += n;
		t.squares += n * n;
		t.max = n > t.max ? n : t.max;
		t.min = n < t.min ? n : t.min;
	}
	for (int n = 0; n < COUNTS; n++)
		for (int w = 0; w < APART; w++) {
			t.by.columns[n] += by[w].columns[n];
			t.by.hits[n] += by[w].hits[n];
		}
	j->part[part] = t;
}

/* Of all columns. */
static tally tally_all(const job *j, tulle__env *env)
{
	const int64_t parts = j->a->cols / PART < MOST_PARTS ? j->a->cols / PART + 1 : MOST_PARTS;
	tally part[MOST_PARTS], all = { .min = INT_MAX };
	const count_job counting = { j, parts, part };

	tulle__run_parts(env, tally_part, &counting, parts, j->a->cols);
	for (int64_t p = 0; p < parts; p++) {
		all.sum += part[p].sum;
		all.squares += part[p].squares;
		all.max = part[p].max > all.max ? part[p].max : all.max;
		all.min = part[p].min < all.min ? part[p].min : all.min;
		for (int n = 0; n < COUNTS; n++) {
			all.by.columns[n] += part[p].by.columns[n];
			all.by.hits[n] += part[p].by.hits[n];
		}
	}
	return all;
}

static void tell_hot(const by_count *by, double hits, tulle__features *f)
{
	double columns = 0, covered = 0; /* of the blocks that are complete, and of the one at hand */
	int block = 0;

	for (int n = COUNTS - 1; n >= 0; n--) {
		const double all = (double)by->columns[n];
		double left = all;

		while (left > 0 && block < TULLE__HOT_BLOCKS) {
			const double room = (double)(block + 1) * TULLE__HOT_COLUMNS - columns;
			const double taken = left < room ? left : room;

			covered += (double)by->hits[n] * taken / all;
			columns += taken;
			left -= taken;
			if (taken == room)
				f->hot[block++] = covered / hits;
		}
	}
	for (; block < TULLE__HOT_BLOCKS; block++)
		f->hot[block] = covered / hits;
}

static void tell_spread(const tulle__csr *a, const tally *t, double share, tulle__features *f)
{
	const double cols = (double)a->cols, mean = (double)t->sum / cols;

	f->column.mean = (double)a->nnz / cols;
	f->column.max = t->max / share;
	f->column.min = t->min / share;
	/* The sample has a spread of its own, that of a Poisson law: its mean. */
	f->column.sd = sqrt(fmax(0, (double)t->squares / cols - mean * mean - mean)) / share;
}

tulle_status tulle__look_at_columns(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	job j = { .a = a, .runs = a->nnz / (RUN * EVERY * HALVES) + 1 };
	double hits = 0;
	tally all;
	tulle_status s;

	if (a->nnz == 0)
		return TULLE_OK;
	s = tulle__alloc_zero(env, a->cols, HALVES, &j.count[0]);
	if (s != TULLE_OK)
		return s;
	j.count[1] = j.count[0] + a->cols;
	tulle__run_parts(env, count_half, &j, HALVES, j.runs * RUN * HALVES);
	all = tally_all(&j, env);
	for (int n = 0; n < COUNTS; n++)
		hits += (double)all.by.hits[n];
	tell_hot(&all.by, hits, f);
	tell_spread(a, &all, (double)(j.runs * RUN * HALVES) / (double)a->nnz, f);
	tulle__free(env, j.count[0]);
	return TULLE_OK;
}
