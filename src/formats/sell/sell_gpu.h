/* sell_gpu.h -- sell on a GPU. */
#ifndef TULLE_FORMATS_SELL_SELL_GPU_H
#define TULLE_FORMATS_SELL_SELL_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__sell_gpu;

#endif
