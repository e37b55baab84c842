/* steps_estimate.h -- adds the cost of the steps of gpu/steps.h to an estimate, including launches. */
#ifndef TULLE_GPU_STEPS_ESTIMATE_H
#define TULLE_GPU_STEPS_ESTIMATE_H

#include "gpu/gpu_estimate.h"

extern const tulle__gpu_use tulle__gpu_ell_use, tulle__gpu_coo_use;

/* ELLPACK with the first `width` entries of each row, of which there are `entries`. Writes e->refuses where that
 * would be mostly padding. */
void tulle__gpu_estimate_ell(const tulle__gpu_subject *s, int64_t width, double entries,
                             tulle__gpu_estimate *e);

/* COO with `entries` entries. */
void tulle__gpu_estimate_coo(const tulle__gpu_subject *s, double entries, tulle__gpu_estimate *e);

#endif
