/* sort.h -- a stable sort on the device. */
#ifndef TULLE_GPU_SORT_H
#define TULLE_GPU_SORT_H

#include "gpu/gpu_plan.h"

/* Makes the array *order (I of the dialect): the numbers 0 .. n-1, sorted by their keys (int, 0 ..
 * largest); numbers with equal keys are ascending. The keys are not changed. */
tulle_status tulle__gpu_sort(tulle__gpu_plan *plan, tulle__gpu_memory key, int64_t n,
                             int64_t largest, tulle__gpu_memory *order);

#endif
