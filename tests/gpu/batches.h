/* batches.h -- batches on which kernels for GPUs break. */
#ifndef TESTS_GPU_BATCHES_H
#define TESTS_GPU_BATCHES_H

#include "batch_support.h"

/* The n-th; 0 past the last. terse as for gpu_matrix(); 0: those of the tests for CPUs follow. */
int gpu_batch_at(int n, tulle_value_type type, int terse, problems *out);

/* The matrix of this name among gpu_matrix()'s. */
matrix breaker(const char *name);

/* One problem of each name. */
problems these(const char *name, const char *const *names, int count, tulle_value_type type);

#endif
