/* csr_gpu.h -- plain CSR on a GPU. */
#ifndef TULLE_FORMATS_CSR_CSR_GPU_H
#define TULLE_FORMATS_CSR_CSR_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__csr_gpu;

/* Between the files of the format: the check (csr_gpu_check.c), steps of kernels that share rows between warps or blocks
 * (csr_gpu_shares.c) and of row blocks (csr_gpu_blocks.c). */
void tulle__csr_gpu_check(tulle__gpu_check *c);
tulle_status tulle__csr_gpu_balanced(tulle__gpu_plan *plan, const tulle__csr *a,
                                     const tulle__gpu_csr *m);
tulle_status tulle__csr_gpu_segsum(tulle__gpu_plan *plan, const tulle__csr *a,
                                   const tulle__gpu_csr *m);
tulle_status tulle__csr_gpu_adaptive(tulle__gpu_plan *plan, const tulle__csr *a,
                                     const tulle__gpu_csr *m);

#endif
