/* best.c -- the best of our formats on each matrix, beside MKL and the best of all peers. */
#include "best.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int bench_next_threads(const bench_results *results, int threads)
{
	int next = INT_MAX;
	for (int n = 0; n < results->count; n++)
		if (results->row[n].threads > threads && results->row[n].threads < next)
			next = results->row[n].threads;
	return next < INT_MAX ? next : 0;
}

int bench_beats(const bench_row *row, const bench_row *best)
{
	if (!best || row->planned != best->planned)
		return !best || best->planned;
	return row->plain_ratio > best->plain_ratio;
}

static bench_best best_of(const bench_row *plain, int contenders)
{
	bench_best b = { .plain = plain, .sure = 1 };
	for (const bench_row *row = plain; row <= plain + contenders; row++) {
		b.sure &= !row->disturbed;
		if (row->verdict != BENCH_RIGHT)
			continue;
		const bench_row **best = row->ours ? &b.ours : &b.peer;
		if (bench_beats(row, *best))
			*best = row;
		if (!strcmp(row->contender, "mkl-opt"))
			b.mkl = row;
	}
	return b;
}

int bench_find_best(const bench_results *results, int contenders, int threads, bench_bests *out)
{
	*out = (bench_bests){ .threads = threads };
	out->item = malloc((size_t)(results->count + 1) * sizeof *out->item);
	if (!out->item)
		return -1;
	for (int n = 0; n < results->count; n += 1 + contenders) {
		const bench_row *plain = &results->row[n];
		if (plain->threads == threads && plain->nnz >= BENCH_TINY_BELOW)
			out->item[out->count++] = best_of(plain, contenders);
	}
	return 0;
}

double bench_over(const bench_row *ours, const bench_row *other)
{
	return ours && other ? ours->plain_ratio / other->plain_ratio : NAN;
}

/* A geometric mean; what is not a number is left out. */
typedef struct {
	double log_sum;
	int count;
} mean;

static void add(mean *m, double value)
{
	if (!(value > 0))
		return;
	m->log_sum += log(value);
	m->count++;
}

static double mean_of(const mean *m)
{
	return m->count ? exp(m->log_sum / m->count) : NAN;
}

bench_gain bench_gain_of(const bench_bests *bests, const bench_class *class)
{
	mean plain = { 0 }, mkl = { 0 }, peer = { 0 };
	for (int n = 0; n < bests->count; n++) {
		const bench_best *b = &bests->item[n];
		if (!b->sure || !b->ours || (class && b->plain->class != class))
			continue;
		add(&plain, bench_over(b->ours, b->plain));
		add(&mkl, bench_over(b->ours, b->mkl));
		add(&peer, bench_over(b->ours, b->peer));
	}
	return (bench_gain){ plain.count, mean_of(&plain), mean_of(&mkl), mean_of(&peer) };
}

int bench_streams(const bench_row *row)
{
	const double vectors = (double)sizeof(double) * (double)(row->rows + row->cols);
	return row->bytes_per_nnz * (double)row->nnz > 2 * vectors;
}

bench_shares bench_shares_of(const bench_bests *bests)
{
	mean stored = { 0 }, moved = { 0 }, streams = { 0 };
	for (int n = 0; n < bests->count; n++) {
		const bench_row *row = bests->item[n].ours;
		if (!row || !row->bound || !(row->stored_share > 0))
			continue;
		add(&stored, row->stored_share);
		add(&moved, row->moved_share);
		if (bench_streams(row))
			add(&streams, row->stored_share);
	}
	return (bench_shares){ stored.count, streams.count, mean_of(&stored), mean_of(&moved),
		                   mean_of(&streams) };
}

/* The row whose conversion is asked for, NULL when it does not count. */
static const bench_row *row_of(const bench_best *b, const char *contender, int contenders)
{
	if (!b->sure)
		return NULL;
	if (!contender)
		return b->ours;
	for (const bench_row *row = b->plain; row <= b->plain + contenders; row++)
		if (row->verdict == BENCH_RIGHT && !strcmp(row->contender, contender))
			return row;
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	double u = *(const double *)a, v = *(const double *)b;
	return (u > v) - (u < v);
}

double bench_median(double *value, int count)
{
	qsort(value, (size_t)count, sizeof *value, ascending);
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

int bench_cost_of(const bench_bests *bests, const char *contender, int contenders, bench_cost *out)
{
	double *value = malloc((size_t)(bests->count + 1) * sizeof *value);
	*out = (bench_cost){ .most = -1 };
	if (!value)
		return -1;
	for (int n = 0; n < bests->count; n++) {
		const bench_row *row = row_of(&bests->item[n], contender, contenders);
		if (!row)
			continue;
		value[out->matrices++] = row->convert_plain;
		if (row->convert_plain > out->most) {
			out->most = row->convert_plain;
			out->where = row->matrix;
		}
	}
	if (out->matrices)
		out->median = bench_median(value, out->matrices);
	free(value);
	return 0;
}
