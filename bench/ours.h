/* ours.h -- libtulle as contenders of the bench, through its public header only. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "competitor.h"

/* The variant is a format with its tunables, "csr:kernel=vector". */
extern const bench_competitor bench_ours;

/* Seconds that the full check of the arrays takes. A user pays them once for each matrix, whatever
 * the format, and no peer looks at its input: so they are told apart from the conversion. */
double bench_check_seconds(const bench_matrix *a, int threads);

#endif
