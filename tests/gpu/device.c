/* device.c -- the device that a test of kernels for GPUs runs on. */
#include "device.h"

#include "core/types.h"
#include "oclgrind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gpu_device gpu = { .info = { .size = sizeof(tulle_device_info) } };

static tulle_value_type type_named(const char *name)
{
	int type = TULLE_F32;

	while (type < TULLE_C128 && strcmp(tulle__type_of((tulle_value_type)type)->name, name) != 0)
		type++;
	return (tulle_value_type)type;
}

/* Returns the name of the device; NULL: any that is usable. */
static const char *read_arguments(int argc, char **argv, tulle_device_options *open)
{
	const char *device = NULL;

	for (int n = 1; n < argc; n++) {
		const char *value = n + 1 < argc ? argv[n + 1] : "";

		if (strcmp(argv[n], "--brief") == 0)
			gpu.terse = 1;
		else if (strcmp(argv[n], "--tiny") == 0)
			gpu.terse = 2;
		else if (strcmp(argv[n], "--least") == 0)
			gpu.terse = 3;
		else if (strcmp(argv[n], "--bits") == 0)
			gpu.bits = 1;
		else if (strcmp(argv[n], "--local") == 0)
			open->local_exchange = 1;
		else if (strcmp(argv[n], "--device") == 0)
			device = argv[++n];
		else if (strcmp(argv[n], "--format") == 0)
			gpu.format = argv[++n];
		else if (strcmp(argv[n], "--launches") == 0)
			gpu.launches = argv[++n];
		else if (strcmp(argv[n], "--width") == 0)
			open->width = atoi(argv[++n]);
		else if (strcmp(argv[n], "--offsets") == 0)
			gpu.offsets = atoi(argv[++n]);
		else if (strcmp(argv[n], "--type") == 0)
			gpu.type = type_named(argv[++n]);
		else
			CHECK_THAT(0, "%s %s: not understood", argv[n], value);
	}
	return device;
}

/* The device's own answer to what it can do. */
static void find_info(const char *device)
{
	int count = 0;

	CHECK_OK(tulle_device_count(NULL, &count));
	for (int n = 0; n < count; n++)
		if (CHECK_OK(tulle_device_describe(NULL, n, &gpu.info)) &&
		    (device ? strcmp(gpu.info.name, device) == 0 : gpu.info.usable))
			return;
	printf("no device%s%s\n", device ? " " : "", device ? device : "");
	exit(CHECK_SKIP);
}

int gpu_open(int argc, char **argv)
{
	tulle_device_options open = { .size = sizeof open };

	find_info(read_arguments(argc, argv, &open));
	gpu.width = open.width ? open.width : gpu.info.width;
	printf("%s: %s, %s; %d lanes%s\n", gpu.info.name, gpu.info.model, gpu.info.driver, gpu.width,
	       gpu.info.shuffles && !open.local_exchange ? "" : " through local memory");
	if (strncmp(gpu.info.model, "Oclgrind", 8) == 0)
		oclgrind_keep_buffers();
	if (gpu.launches)
		oclgrind_list_launches(gpu.launches);
	return CHECK_OK(tulle_device_open(NULL, gpu.info.name, &open, &gpu.device)) &&
	       CHECK_OK(tulle_queue_create(gpu.device, NULL, &gpu.queue));
}

void gpu_close(void)
{
	tulle_queue_destroy(gpu.queue);
	tulle_device_close(gpu.device);
}

/* Whole words: ell does not begin ellr, height=1 not height=16. */
static int begins(const char *format, const char *words)
{
	const size_t n = strlen(words);

	return strncmp(format, words, n) == 0 && strchr(":,", format[n]); /* or its end */
}

int gpu_adds_in_order(void)
{
	return strncmp(gpu.info.driver, "Intel(R) OpenCL", 15) != 0;
}

int gpu_wants_type(tulle_value_type type)
{
	return (gpu.info.f64 || tulle__type_of(type)->part_size < sizeof(double)) &&
	       (!gpu.type || gpu.type == type);
}

int gpu_wants(const char *format, tulle_value_type type)
{
	return gpu_wants_type(type) && (!gpu.format || begins(format, gpu.format));
}

void check_within(const kit_oracle *oracle, tulle_value_type type, const void *y, double alpha,
                  double beta)
{
	const kit_verdict v = kit_oracle_check(oracle, y);

	CHECK_THAT(v.violations == 0,
	           "alpha %g, beta %g: %" PRId64 " of %" PRId64 " rows beyond the bound; y[%" PRId64
	           "] = %.17g",
	           alpha, beta, v.violations, v.rows, v.worst_row,
	           v.violations ? value_at(type, y, v.worst_row) : 0);
}
