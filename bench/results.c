/* results.c -- the rows that the programs measure, and the table that grows while they do. */
#include "results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bench_row *next_row(bench_results *results)
{
	if (results->count == results->room) {
		int room = results->room ? 2 * results->room : 256;
		bench_row *row = realloc(results->row, (size_t)room * sizeof *row);
		if (!row)
			return NULL;
		results->row = row;
		results->room = room;
	}
	return &results->row[results->count++];
}

bench_row *bench_results_add(bench_results *results, const bench_loaded *m, const char *contender,
                             int threads)
{
	bench_row *row = next_row(results);
	if (!row)
		return NULL;
	*row = (bench_row){ .rows = m->a.rows,
		                .cols = m->a.cols,
		                .nnz = m->a.nnz,
		                .longest_row = m->longest,
		                .threads = threads,
		                .vectors = 1,
		                .problems = 1,
		                .group = 1,
		                .class = m->class,
		                .bound = m->bound,
		                .verdict = BENCH_REFUSED };
	snprintf(row->matrix, sizeof row->matrix, "%s", m->name);
	snprintf(row->contender, sizeof row->contender, "%s", contender);
	return row;
}

void bench_row_fill(bench_row *row, const bench_runner *r, double convert, double error,
                    const bench_unit *unit)
{
	double nnz = (double)row->nnz;
	row->seconds_best = r->best;
	row->seconds_median = r->median;
	row->gflops = 2e-9 * nnz * row->vectors / r->best;
	row->gbytes_per_s = 1e-9 * unit->csr_bytes / r->best;
	row->plain_ratio = unit->plain / r->best;
	row->convert_plain = convert / unit->plain;
	row->convert_own = convert / r->best;
	row->bytes_per_nnz = (double)r->table->bytes(r->state) / nnz;
	row->bandwidth_share = unit->read / r->best;
	row->error_over_bound = r->failed ? INFINITY : error;
	row->disturbed = r->disturbed | unit->disturbed;
	row->verdict = row->error_over_bound <= 1 ? BENCH_RIGHT : BENCH_WRONG;
}

/* ---- the table ------------------------------------------------------------------------------- */

enum { NAME_WIDTH = 36, MIN_WIDTH = 8 };

static int width_of(const bench_row *row)
{
	int length = (int)strlen(row->contender);
	return length > MIN_WIDTH ? length : MIN_WIDTH;
}

static void print_head(const bench_results *results)
{
	printf("ms per multiplication, best sample; ?: disturbed, -: refused\n\n%-*s %4s %9s %11s %3s ",
	       NAME_WIDTH, "matrix", "type", "rows", "nnz", "thr");
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
	printf("%-*s %4s %9" PRId64 " %11" PRId64 " %3d ", NAME_WIDTH, row->matrix,
	       row->f32 ? "f32" : "f64", row->rows, row->nnz, row->threads);
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
