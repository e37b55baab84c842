/* report.c -- what a person reads: a line for each matrix as it is done, then the summaries. */
#include "report.h"
#include "best.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 36, MIN_WIDTH = 6 };

static int width_of(const bench_contender *c)
{
	int length = (int)strlen(c->name);
	return 2 + (length > MIN_WIDTH ? length : MIN_WIDTH);
}

/* ---- a line for each matrix ------------------------------------------------------------------ */

void bench_print_head(const bench_contenders *contenders)
{
	printf("%-*s %9s %11s %3s %10s ", NAME_WIDTH, "matrix", "rows", "nnz", "thr", "plain ms");
	for (int n = 0; n < contenders->count; n++)
		printf("%*s ", -1 + width_of(&contenders->item[n]), contenders->item[n].name);
	printf("\n");
}

static void print_ratio(const bench_row *row, int width)
{
	switch (row->verdict) {
	case BENCH_RIGHT:
		printf("%*.2f%c", width - 1, row->plain_ratio, row->disturbed ? '?' : ' ');
		break;
	case BENCH_WRONG: printf("%*s ", width - 1, "WRONG"); break;
	case BENCH_REFUSED: printf("%*s ", width - 1, "-"); break;
	}
}

void bench_print_matrix(const bench_row *row, const bench_contenders *contenders)
{
	printf("%-*s %9" PRId64 " %11" PRId64 " %3d ", NAME_WIDTH, row->matrix, row->rows, row->nnz,
	       row->threads);
	if (row->verdict == BENCH_RIGHT)
		printf("%10.4f%c", 1e3 * row->seconds_best, row->disturbed ? '?' : ' ');
	else
		printf("%10s ", "WRONG");
	for (int n = 0; n < contenders->count; n++)
		print_ratio(row + 1 + n, width_of(&contenders->item[n]));
	printf("\n");
	fflush(stdout);
}

/* ---- summaries ------------------------------------------------------------------------------- */

/* The matrices of one summary: rows of `results` at the starts given, stride apart. */
typedef struct {
	const bench_row **first; /* the plain row of each matrix */
	int count;
	int contenders; /* rows that follow each plain row */
} group;

static int counts(const bench_row *row)
{
	return row->verdict == BENCH_RIGHT && !row->disturbed;
}

/* A row that is right and was timed in peace, against such a plain one, or NULL. n = 0 is plain. */
static const bench_row *right(const group *g, int matrix, int n)
{
	const bench_row *row = g->first[matrix] + n;
	return counts(row) && counts(g->first[matrix]) ? row : NULL;
}

/* Is contender n the fastest of all on this matrix? */
static int wins(const group *g, int matrix, int n)
{
	double ratio = g->first[matrix][n].plain_ratio;
	for (int other = 0; other <= g->contenders; other++) {
		const bench_row *row = right(g, matrix, other);
		if (row && row->plain_ratio > ratio)
			return 0;
	}
	return 1;
}

typedef struct {
	int count, won;
	double log_sum, inverse_sum, weighted_sum, nnz, share_sum;
	const bench_row *worst;
} sums;

static sums sum_up(const group *g, int n)
{
	sums s = { 0 };
	for (int m = 0; m < g->count; m++) {
		const bench_row *row = right(g, m, n);
		if (!row)
			continue;
		s.count++;
		s.won += wins(g, m, n);
		s.log_sum += log(row->plain_ratio);
		s.inverse_sum += 1 / row->plain_ratio;
		s.weighted_sum += row->plain_ratio * (double)row->nnz;
		s.nnz += (double)row->nnz;
		s.share_sum += row->bandwidth_share;
		if (!s.worst || row->plain_ratio < s.worst->plain_ratio)
			s.worst = row;
	}
	return s;
}

static void print_means(const group *g, int n)
{
	sums s = sum_up(g, n);
	printf("%-*s %4d", NAME_WIDTH, g->first[0][n].contender, s.count);
	if (!s.count) {
		printf("\n");
		return;
	}
	double count = s.count;
	printf(" %8.3f %9.3f %9.3f %4.0f%% %7.2f", exp(s.log_sum / count), count / s.inverse_sum,
	       s.weighted_sum / s.nnz, 100 * s.won / count, s.share_sum / count);
	printf(" %7.2f on %s\n", s.worst->plain_ratio, s.worst->matrix);
}

/* Median and largest of one figure of contender n, `offset` being its place in a row. */
static void print_spread(const group *g, int n, size_t offset, double unit, double *value)
{
	int count = 0;
	for (int m = 0; m < g->count; m++) {
		const bench_row *row = right(g, m, n);
		if (row)
			value[count++] = unit * *(const double *)((const char *)row + offset);
	}
	double middle = bench_median(value, count);
	printf(" %9.2f %9.2f", middle, value[count - 1]);
}

static void print_costs(const group *g, int n, double *value)
{
	if (!sum_up(g, n).count)
		return;
	printf("%-*s", NAME_WIDTH, g->first[0][n].contender);
	print_spread(g, n, offsetof(bench_row, convert_plain), 1, value);
	print_spread(g, n, offsetof(bench_row, convert_own), 1, value);
	print_spread(g, n, offsetof(bench_row, bytes_per_nnz), 1, value);
	print_spread(g, n, offsetof(bench_row, memory_over_csr), 100, value);
	printf("\n");
}

/* Contender n against contender `other` on the matrices that both got right. */
static void print_against(const group *g, int n, int other)
{
	double log_sum = 0;
	int count = 0, ahead = 0;
	for (int m = 0; m < g->count; m++) {
		const bench_row *a = right(g, m, n), *b = right(g, m, other);
		if (!a || !b)
			continue;
		count++;
		ahead += a->plain_ratio > b->plain_ratio;
		log_sum += log(a->plain_ratio / b->plain_ratio);
	}
	if (count)
		printf("  %.3fx %s (ahead on %d of %d)\n", exp(log_sum / count),
		       g->first[0][other].contender, ahead, count);
}

static void print_group(const group *g, const char *what, double *value)
{
	printf("\n%d %s, %d thread%s: how many times as fast as plain (by the best sample)\n\n",
	       g->count, what, g->first[0]->threads, g->first[0]->threads == 1 ? "" : "s");
	printf("%-*s %4s %8s %9s %9s %5s %7s %7s\n", NAME_WIDTH, "contender", "n", "geomean",
	       "harmonic", "nnz-wtd", "won", "share", "worst");
	for (int n = 0; n <= g->contenders; n++)
		print_means(g, n);
	printf(
	    "\nWhat they cost: median and maximum of the conversion, in multiplications of plain and "
	    "of their own,\nof the bytes a nonzero, and of the memory held over that of the CSR "
	    "arrays, in %%\n\n");
	printf("%-*s %19s %19s %19s %19s\n", NAME_WIDTH, "contender", "convert/plain", "convert/own",
	       "bytes/nnz", "memory %");
	for (int n = 0; n <= g->contenders; n++)
		print_costs(g, n, value);
	for (int n = 1; n <= g->contenders; n++) {
		if (!g->first[0][n].ours)
			continue;
		printf("\n%s against its peers, geomean:\n", g->first[0][n].contender);
		for (int other = 0; other <= g->contenders; other++)
			if (!g->first[0][other].ours)
				print_against(g, n, other);
	}
}

/* The summary of matrices with this many threads and nnz in lo .. hi-1. */
static void print_class(const bench_results *results, int contenders, int threads, int64_t lo,
                        int64_t hi, const char *what)
{
	int matrices = results->count / (1 + contenders);
	group g = { malloc((size_t)matrices * sizeof(bench_row *)), 0, contenders };
	double *value = malloc((size_t)matrices * sizeof *value);
	if (g.first && value) {
		for (int n = 0; n < results->count; n += 1 + contenders) {
			const bench_row *row = &results->row[n];
			if (row->threads == threads && row->nnz >= lo && row->nnz < hi)
				g.first[g.count++] = row;
		}
		if (g.count)
			print_group(&g, what, value);
	}
	free(g.first);
	free(value);
}

void bench_print_summaries(const bench_results *results, const bench_contenders *contenders)
{
	int stride = 1 + contenders->count;
	for (int n = 0; n < results->count; n += stride) {
		int threads = results->row[n].threads, seen = 0;
		for (int earlier = 0; earlier < n; earlier += stride)
			seen |= results->row[earlier].threads == threads;
		if (seen)
			continue;
		print_class(results, contenders->count, threads, BENCH_TINY_BELOW, INT64_MAX, "matrices");
		print_class(results, contenders->count, threads, 0, BENCH_TINY_BELOW, "tiny matrices");
	}
	int disturbed = 0;
	for (int n = 0; n < results->count; n++)
		disturbed += results->row[n].disturbed;
	if (disturbed)
		printf("\n%d of %d figures are marked ? and not in the summaries: another process took a "
		       "core\nduring nearly every sample.\n",
		       disturbed, results->count);
	if (results->checks)
		printf("\nThe full check of the arrays, once for each matrix and in no figure above: %.2f "
		       "plain multiplications on average.\n",
		       results->check_plain / results->checks);
}

int bench_count_wrong(const bench_results *results)
{
	int wrong = 0;
	for (int n = 0; n < results->count; n++) {
		const bench_row *row = &results->row[n];
		if (row->verdict != BENCH_WRONG)
			continue;
		wrong++;
		fprintf(stderr, "WRONG: %s on %s with %d threads: error/bound %g\n", row->contender,
		        row->matrix, row->threads, row->error_over_bound);
	}
	return wrong;
}
