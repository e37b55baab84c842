/* hyb_gpu.h -- hyb on a GPU. */
#ifndef TULLE_FORMATS_HYB_HYB_GPU_H
#define TULLE_FORMATS_HYB_HYB_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__hyb_gpu;

tulle_status tulle__hyb_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

#endif
