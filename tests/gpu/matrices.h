/* matrices.h -- matrices on which kernels for GPUs break: edges of warps, of blocks and of shares.
 *
 * Small, because interpreters run them. */
#ifndef TESTS_GPU_MATRICES_H
#define TESTS_GPU_MATRICES_H

#include "support.h"

/* The n-th, its pattern only; *out has to be freed. 0 past the last. terse 0: all of them, 1: brief,
 * 2: the few that an interpreter gets through, 3: three of these. */
int gpu_matrix(int n, int terse, matrix *out);

/* The arrays of m, cast to 32-bit indices and values of this type, as a view. */
tulle_csr_view csr_view_of(const matrix *m, tulle_value_type type, const arrays *a);

#endif
