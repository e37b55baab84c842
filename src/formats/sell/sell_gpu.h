/* sell_gpu.h -- sell on a GPU. */
#ifndef TULLE_FORMATS_SELL_SELL_GPU_H
#define TULLE_FORMATS_SELL_SELL_GPU_H

#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__sell_gpu;

tulle_status tulle__sell_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

#endif
