/* ellr_gpu.h -- ellr on a GPU. */
#ifndef TULLE_FORMATS_ELL_ELLR_GPU_H
#define TULLE_FORMATS_ELL_ELLR_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__ellr_gpu;

tulle_status tulle__ellr_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

#endif
