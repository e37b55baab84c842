/* plan_device.h -- the part of `tulle plan` that is about GPUs. */
#ifndef CLI_PLAN_DEVICE_H
#define CLI_PLAN_DEVICE_H

#include "cli.h"

/* Ranks the formats for the matrix of this file on a device, and prints that. */
int cli_plan_device(const cli_common *common, const char *path, const char *device, tulle_op op);

#endif
