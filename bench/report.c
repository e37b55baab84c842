/* report.c -- what a person reads: a line for each matrix as it is done. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 36, MIN_WIDTH = 8 };

static int width_of(const bench_row *row)
{
	int length = (int)strlen(row->contender);
	return length > MIN_WIDTH ? length : MIN_WIDTH;
}

static void print_head(const bench_results *results)
{
	printf("ms per multiplication, best sample; ?: disturbed, -: refused\n\n%-*s %9s %11s %3s ",
	       NAME_WIDTH, "matrix", "rows", "nnz", "thr");
	for (const bench_row *row = results->row; row < results->row + results->count; row++)
		printf(" %*s ", width_of(row), row->contender);
	printf("\n");
}

static void print_time(const bench_row *row)
{
	switch (row->verdict) {
	case BENCH_RIGHT:
		printf(" %*.4g%c", width_of(row), 1e3 * row->seconds_best, row->disturbed ? '?' : ' ');
		break;
	case BENCH_WRONG: printf(" %*s ", width_of(row), "WRONG"); break;
	case BENCH_REFUSED: printf(" %*s ", width_of(row), "-"); break;
	}
}

void bench_print_matrix(const bench_results *results, int first)
{
	const bench_row *row = &results->row[first];
	if (first == 0)
		print_head(results);
	printf("%-*s %9" PRId64 " %11" PRId64 " %3d ", NAME_WIDTH, row->matrix, row->rows, row->nnz,
	       row->threads);
	for (; row < results->row + results->count; row++)
		print_time(row);
	printf("\n");
	fflush(stdout);
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
