/* slice.h -- some rows of a matrix, from all over it, as a matrix of their own. */
#ifndef TULLE_PLANNER_SLICE_H
#define TULLE_PLANNER_SLICE_H

#include "core/env.h"
#include "csr/csr_matrix.h"

/* Is the matrix so large that a slice shows what the whole costs, at a fraction of it? */
int tulle__worth_slicing(const tulle__csr *a);

/* Stretches of neighbouring rows with about a sixteenth of the nonzeros; all columns. */
tulle_status tulle__slice(const tulle__csr *a, tulle__env *env, tulle__csr *out);

#endif
