/* hyb_gpu.h -- hyb on a GPU. */
#ifndef TULLE_FORMATS_HYB_HYB_GPU_H
#define TULLE_FORMATS_HYB_HYB_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__hyb_gpu;

#endif
