/* ours.h -- libtulle as contenders of the bench, through its public header only. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "competitor.h"
#include "tulle.h"

/* The variant is a format with its tunables, "csr:kernel=vector". */
extern const bench_competitor bench_ours;

/* A plan of this format for borrowed arrays, in a context of its own. NULL with a sentence on
 * stderr. */
tulle_plan *bench_ours_plan(const bench_matrix *a, const tulle_context_options *options,
                            const char *format);

/* Seconds that the full check of the arrays takes. A user pays them once for each matrix, whatever
 * the format, and no peer looks at its input: so they are told apart from the conversion. */
double bench_check_seconds(const bench_matrix *a, int threads);

#endif
