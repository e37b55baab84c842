/* steps.h -- steps of a multiplication that several formats record: ELLPACK, COO, and the sums of rows
 * that are shared by warps or blocks. */
#ifndef TULLE_GPU_STEPS_H
#define TULLE_GPU_STEPS_H

#include "core/split.h"
#include "csr/coo_arrays.h"
#include "csr/ell_arrays.h"
#include "gpu/gpu_plan.h"

/* beta: 0 is that of the multiplication, as in a launch. */

/* Step: add the rows that are divided between parts, from the two carries of each of the `parts` parts.
 * An earlier step has stored the carries in the scratch memory of the queue (core/split.h). */
tulle_status tulle__gpu_step_carries(tulle__gpu_plan *plan, int64_t parts,
                                     const tulle__split_row *split, int64_t count, double beta);

/* The same where each part is `each` of `nnz` entries: row_of() returns the row of entry k. */
typedef int64_t tulle__gpu_row_of(const void *entries, int64_t k);
tulle_status tulle__gpu_step_shares(tulle__gpu_plan *plan, int64_t nnz, int64_t each,
                                    tulle__gpu_row_of *row_of, const void *entries, double beta);

/* The beta of kernels that write only rows with entries. If there are empty rows, a step y = beta y is
 * recorded first, and the result is 1. */
tulle_status tulle__gpu_step_empty_rows(tulle__gpu_plan *plan, const tulle__csr *a, double *beta);

/* Step: y = alpha e x + beta y. */
tulle_status tulle__gpu_step_ell(tulle__gpu_plan *plan, const tulle__ell *e);

/* Steps: the same for the rows that c has entries of. */
tulle_status tulle__gpu_step_coo(tulle__gpu_plan *plan, const tulle__coo *c, double beta);

#endif
