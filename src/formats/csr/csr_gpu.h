/* csr_gpu.h -- plain CSR on a GPU. */
#ifndef TULLE_FORMATS_CSR_CSR_GPU_H
#define TULLE_FORMATS_CSR_CSR_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__csr_gpu;

/* The kernels multiply by stored ones, which a complex Inf does not survive. */
static inline int tulle__csr_gpu_lacks_values(const tulle__csr *a)
{
	return !a->val && tulle__type_of(a->value_type)->parts > 1;
}
#define TULLE__CSR_GPU_LACKS \
	"a complex matrix without values: on a device, only sell has kernels for it"

/* Internal to the format: the check (csr_gpu_check.c), launches of kernels that share rows between warps or blocks
 * (csr_gpu_shares.c) and of row blocks (csr_gpu_blocks.c). */
void tulle__csr_gpu_check(tulle__gpu_check *c);
tulle_status tulle__csr_gpu_balanced(tulle__gpu_plan *plan, const tulle__csr *a,
                                     const tulle__gpu_csr *m);
tulle_status tulle__csr_gpu_segsum(tulle__gpu_plan *plan, const tulle__csr *a,
                                   const tulle__gpu_csr *m);
tulle_status tulle__csr_gpu_adaptive(tulle__gpu_plan *plan, const tulle__csr *a,
                                     const tulle__gpu_csr *m);

/* Entries of a block of several rows, as in csr.gpu, and of a block inside a long row; how many blocks there would be,
 * and rows that several of them share. */
enum { TULLE__CSR_GPU_STREAM = 1024, TULLE__CSR_GPU_LONG = 8 * TULLE__CSR_GPU_STREAM };
int64_t tulle__csr_gpu_count_blocks(const tulle__csr *a, int64_t *splits);

/* Entries of a warp's share in the kernel balanced, per lane. */
enum { TULLE__CSR_GPU_SHARE = 16 };

tulle_status tulle__csr_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

#endif
