/* report.h -- what a person reads: a line for each matrix as it is done. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "measure.h"

/* A line for the matrix whose rows begin at `first`: milliseconds of each contender. Before the first
 * one the heads of the columns. */
void bench_print_matrix(const bench_results *results, int first);

/* How many rows are WRONG; each is reported on stderr. */
int bench_count_wrong(const bench_results *results);

#endif
