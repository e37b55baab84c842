/* slice.h -- a sample of the rows of a matrix, as a matrix. */
#ifndef TULLE_PLANNER_SLICE_H
#define TULLE_PLANNER_SLICE_H

#include "core/env.h"
#include "csr/csr_matrix.h"

/* Is the matrix so large that a slice shows the cost of the whole, in a fraction of the time? */
int tulle__worth_slicing(const tulle__csr *a);

/* Ranges of consecutive rows with about a sixteenth of the nonzeros; all columns. */
tulle_status tulle__slice(const tulle__csr *a, tulle__env *env, tulle__csr *out);

#endif
