/* fastload_gpu.h -- FastLoad on a GPU. */
#ifndef TULLE_FORMATS_FASTLOAD_FASTLOAD_GPU_H
#define TULLE_FORMATS_FASTLOAD_FASTLOAD_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__fastload_gpu;

/* The layout on the device, also used by tests. */
typedef struct {
	int64_t blocks;
	tulle__gpu_memory permutation, first, column, length, height, val;
	tulle__gpu_memory row;            /* of each entry; not for two phases */
	tulle__gpu_memory kind;           /* of each block; by tulle__fastload_gpu_kinds() */
	tulle__gpu_memory where, row_ptr; /* for two phases: the place of each entry of the CSR */
} tulle__fastload_blocks;

/* CSR to FastLoad on the device, blocks as long as a warp and at most `limit` high. */
tulle_status tulle__fastload_gpu_convert(tulle__gpu_plan *plan, const tulle__csr *a, int64_t limit,
                                         int phases, tulle__fastload_blocks *out);

/* The kind of each block, for the kernel that adds by classes. */
tulle_status tulle__fastload_gpu_kinds(tulle__gpu_plan *plan, tulle__fastload_blocks *b);

#endif
