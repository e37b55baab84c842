/* neighbours.c -- how the columns and values of neighbouring rows are related. */
#include "analysis/features.h"

#include "core/inline.h"
#include "core/split.h"
#include "core/threads.h"

#include <string.h>

enum {
	SHARE = 64, /* one chunk of rows in SHARE is sampled, ... */
	LEAST = 16, /* ... but at least this many */
	MOST = 512,
	BEGINNING = 64, /* sampled entries of a row */
	NEAR = 65536
};

typedef struct {
	int64_t nonzeros, near, strips, stencil;
	int64_t looked, contiguous; /* sampled entries, and those in the column after the previous
	                               one */
	int falls;                  /* columns of some row do not ascend */
} tally;

typedef struct {
	const tulle__csr *a;
	int64_t chunks, samples;
	tally *sample;
} job;

/* Is row i the row before it, shifted to the right by one column? With the same values? */
TULLE_INLINE int shifted(const tulle__csr *a, int64_t i, tulle_index_type type, int *same_values)
{
	const size_t size = tulle__value_size(a->value_type);
	const int64_t k = tulle__csr_offset(a, i), n = tulle__csr_offset(a, i + 1) - k;
	const int64_t before = tulle__csr_offset(a, i - 1);

	if (k - before != n)
		return 0;
	for (int64_t e = 0; e < n; e++)
		if (tulle__index_at(a->col, type, k + e) != tulle__index_at(a->col, type, before + e) + 1)
			return 0;
	if (a->val)
		*same_values &= memcmp((const char *)a->val + (size_t)k * size,
		                       (const char *)a->val + (size_t)before * size, (size_t)n * size) == 0;
	return 1;
}

/* If columns ascend, the first and the last entry give the extent of a row. Only some of the
 * entries between them are sampled. */
TULLE_INLINE void analyze_row(const tulle__csr *a, int64_t i, tulle_index_type type, int64_t *low,
                              int64_t *high, tally *t)
{
	const int64_t k = tulle__csr_offset(a, i), end = tulle__csr_offset(a, i + 1);
	const int64_t looked = end - k < BEGINNING ? end : k + BEGINNING;
	int64_t left = -1;

	if (k == end)
		return;
	for (int64_t e = k; e < looked; e++) {
		const int64_t j = tulle__index_at(a->col, type, e);

		*low = j < *low ? j : *low;
		*high = j > *high ? j : *high;
		t->contiguous += j == left + 1 && left >= 0;
		t->falls |= j <= left;
		left = j;
	}
	t->looked += looked - k;
	left = tulle__index_at(a->col, type, end - 1);
	*high = left > *high ? left : *high;
}

TULLE_INLINE void analyze_chunk(const tulle__csr *a, int64_t first, int64_t end,
                                tulle_index_type type, tally *t)
{
	int64_t low = INT64_MAX, high = 0;
	int strip = end - first == TULLE__LANE_ROWS, same = 1;

	*t = (tally){ .nonzeros = tulle__csr_offset(a, end) - tulle__csr_offset(a, first) };
	for (int64_t i = first; i < end; i++) {
		analyze_row(a, i, type, &low, &high, t);
		strip = strip && (i == first || shifted(a, i, type, &same));
	}
	t->near = high - low < NEAR ? t->nonzeros : 0;
	t->strips = strip ? t->nonzeros : 0;
	t->stencil = strip && same ? t->nonzeros : 0;
}

static void analyze_sample(const void *arg, int64_t sample)
{
	const job *j = arg;
	const int64_t first = TULLE__LANE_ROWS * tulle__cut(j->chunks, j->samples, sample);
	const int64_t last = first + TULLE__LANE_ROWS, end = last < j->a->rows ? last : j->a->rows;

	if (j->a->column_type == TULLE_I32)
		analyze_chunk(j->a, first, end, TULLE_I32, &j->sample[sample]);
	else
		analyze_chunk(j->a, first, end, TULLE_I64, &j->sample[sample]);
}

void tulle__analyze_neighbours(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	tally of_sample[MOST], sum = { 0 };
	job j = { a, (a->rows + TULLE__LANE_ROWS - 1) / TULLE__LANE_ROWS, 0, of_sample };

	j.samples = j.chunks / SHARE < LEAST ? LEAST : j.chunks / SHARE;
	j.samples = j.samples < MOST ? j.samples : MOST;
	j.samples = j.samples < j.chunks ? j.samples : j.chunks;
	tulle__run_parts(env, analyze_sample, &j, j.samples, a->nnz / SHARE);
	for (int64_t s = 0; s < j.samples; s++) {
		const tally *t = &of_sample[s];

		sum.nonzeros += t->nonzeros;
		sum.near += t->near;
		sum.strips += t->strips;
		sum.stencil += t->stencil;
		sum.looked += t->looked;
		sum.contiguous += t->contiguous;
		sum.falls |= t->falls;
	}
	f->sorted = !sum.falls;
	if (sum.nonzeros == 0)
		return;
	f->near = (double)sum.near / (double)sum.nonzeros;
	f->strips = (double)sum.strips / (double)sum.nonzeros;
	f->stencil = (double)sum.stencil / (double)sum.nonzeros;
	f->contiguous = (double)sum.contiguous / (double)sum.looked;
}
