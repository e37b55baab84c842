/* batch_device.h -- tulle-batch --device: every batch on one GPU. */
#ifndef BENCH_BATCH_DEVICE_H
#define BENCH_BATCH_DEVICE_H

#include "device.h"

/* `count` batches by their specs, each of `problems` problems. Exit status of the program: 0, 1 for wrong
 * results, 2. */
int bench_batch_device(const bench_device_wishes *wishes, char **spec, int count, int64_t problems);

#endif
