/* plain.h -- contenders that are part of the bench: the unit of every ratio, and the speed limit. */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include "competitor.h"

/* A simple CSR loop, on one thread and with OpenMP; `plain` is the faster. */
extern const bench_competitor bench_plain_serial, bench_plain_openmp;

/* A simple loop for several vectors, row-major. */
extern const bench_competitor bench_plain_many;

/* Not a multiplication: reads and sums as many bytes as the CSR arrays have, with the same
 * threads. */
extern const bench_competitor bench_read;

/* The same for any number of bytes: the state of bench_read, or NULL. */
void *bench_read_prepare(size_t bytes, int threads);

/* y = A x, the loop by itself. */
void bench_plain_rows(const bench_matrix *a, int64_t first, int64_t end, const double *x,
                      double *y);

#endif
