/* check.h -- checks the results of a contender. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "kit.h"
#include "timing.h"

/* The oracle of y = A x; x has the type of A's values. NULL if memory is exhausted. */
kit_oracle *bench_oracle(const bench_matrix *a, const void *x);

/* Multiplies once into a y full of NaN, so that an element that is not written is detected. Returns
 * the largest ratio of a row's error to its bound; the result is wrong if it is above 1, infinite
 * or NaN. */
double bench_error(bench_runner *r, const kit_oracle *oracle, int64_t rows, const double *x,
                   double *y);

#endif
