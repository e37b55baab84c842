/* scan.h -- exclusive prefix sums of sizes on the device. */
#ifndef TULLE_GPU_SCAN_H
#define TULLE_GPU_SCAN_H

#include "gpu/gpu_plan.h"

/* Makes the array *first of n + 1 offsets (I of the dialect) from n sizes (int): first[i] is the sum of
 * size[0 .. i-1]. The sum of all goes into *total too, unless that is NULL. */
tulle_status tulle__gpu_scan(tulle__gpu_plan *plan, tulle__gpu_memory size, int64_t n,
                             tulle__gpu_memory *first, int64_t *total);

/* An array of n zeros (int) for counters. Filled by a kernel: oclgrind does not see that a driver clears
 * memory. */
tulle_status tulle__gpu_zeros(tulle__gpu_plan *plan, int64_t n, tulle__gpu_memory *out);

#endif
