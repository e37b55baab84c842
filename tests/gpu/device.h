/* device.h -- the device that a test of kernels for GPUs runs on, as its command line says.
 *
 *     [--device NAME] [--width N] [--local] [--format TEXT] [--type f32|f64|c64|c128] [--offsets 32|64]
 *     [--brief | --tiny | --least] [--bits] [--launches FILE] */
#ifndef TESTS_GPU_DEVICE_H
#define TESTS_GPU_DEVICE_H

#include "kit.h"
#include "support.h"
#include "tulle_gpu.h"

typedef struct {
	tulle_device *device;
	tulle_queue *queue;
	tulle_device_info info;
	int width;            /* lanes of a warp */
	const char *format;   /* only those whose name begins so, in whole words; NULL: all */
	const char *launches; /* file for the names of kernels that were launched; NULL: none */
	tulle_value_type type;
	int offsets, terse, bits; /* terse: 1 brief, 2 tiny, 3 least */
} gpu_device;

extern gpu_device gpu;

/* Reads the command line and opens the device; 0 after a failed check. Exits with CHECK_SKIP where there is no
 * such device. */
int gpu_open(int argc, char **argv);
void gpu_close(void);

/* Does the test run for this type? For this format and type? */
int gpu_wants_type(tulle_value_type type);
int gpu_wants(const char *format, tulle_value_type type);

/* Are the sums of a kernel made in the order of its source? Intel's driver adds in another order where few rows are
 * active. */
int gpu_adds_in_order(void);

/* y, made with these alpha and beta, is within the oracle's bound. */
void check_within(const kit_oracle *oracle, tulle_value_type type, const void *y, double alpha,
                  double beta);

#endif
