/* csc_gpu.h -- csc on a GPU. */
#ifndef TULLE_FORMATS_CSC_CSC_GPU_H
#define TULLE_FORMATS_CSC_CSC_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__csc_gpu;

tulle_status tulle__csc_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

#endif
