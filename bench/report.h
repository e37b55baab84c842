/* report.h -- what a person reads: a line for each matrix as it is done, then the summaries. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "measure.h"

/* The heads of the columns. */
void bench_print_head(const bench_contenders *contenders);

/* One matrix: `row` points to its plain row, the contenders' rows follow. */
void bench_print_matrix(const bench_row *row, const bench_contenders *contenders);

/* Means over all matrices, apart for each number of threads and for the tiny ones. */
void bench_print_summaries(const bench_results *results, const bench_contenders *contenders);

/* How many rows are WRONG. */
int bench_count_wrong(const bench_results *results);

#endif
