/* coo_gpu.h -- coo on a GPU. */
#ifndef TULLE_FORMATS_COO_COO_GPU_H
#define TULLE_FORMATS_COO_COO_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__coo_gpu;

tulle_status tulle__coo_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

#endif
