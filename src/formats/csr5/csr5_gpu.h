/* csr5_gpu.h -- CSR5 on a GPU. */
#ifndef TULLE_FORMATS_CSR5_CSR5_GPU_H
#define TULLE_FORMATS_CSR5_CSR5_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__csr5_gpu;

void tulle__csr5_gpu_check(tulle__gpu_check *c);
tulle_status tulle__csr5_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

/* The default sigma for warps of `width` lanes. */
int tulle__csr5_gpu_sigma(const tulle__csr *a, int width);

/* The descriptor of a lane: its words, and where its offsets are in the last of them (csr5.gpu). */
typedef struct {
	int sigma, units, y_shift, seg_shift;
} tulle__csr5_shape;

tulle__csr5_shape tulle__csr5_gpu_shape(int width, int sigma);

/* The layout on the device, also used by tests. */
typedef struct {
	int64_t tiles;
	tulle__csr5_shape shape;
	int64_t empty_offsets; /* 0: no tile is marked, and the two arrays are not used */
	tulle__gpu_csr m;      /* columns and values of complete tiles transposed */
	tulle__gpu_memory tile_ptr, desc, empty_ptr, empty_offset;
} tulle__csr5_tiles;

/* CSR to CSR5, on the device. */
tulle_status tulle__csr5_gpu_convert(tulle__gpu_plan *plan, const tulle__csr *a, int sigma,
                                     tulle__csr5_tiles *out);

#endif
