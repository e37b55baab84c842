/* check.h -- is what a contender computes right? */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "kit.h"
#include "timing.h"

/* The judge of y = A x; x is of the type of A's values. NULL when memory is short. */
kit_oracle *bench_oracle(const bench_matrix *a, const void *x);

/* Multiply once into a y full of NaN, so that an element left unwritten shows. Returns the largest
 * error of a row over its bound: more than 1, infinite or NaN is wrong. */
double bench_error(bench_runner *r, const kit_oracle *oracle, int64_t rows, const double *x,
                   double *y);

#endif
