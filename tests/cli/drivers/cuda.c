/* cuda.c -- a libcuda that only tells what it has: an old GPU, and what is none, for `tulle devices`.
 *
 * TULLE_TEST_DEVICES=0: none. It is found before a real one and hides that. */
#include "gpu/cuda_api.h"

#include <stdio.h>
#include <stdlib.h>

CUresult init(unsigned flags) __asm__("cuInit");
CUresult driver_version(int *version) __asm__("cuDriverGetVersion");
CUresult device_count(int *count) __asm__("cuDeviceGetCount");
CUresult device_get(CUdevice *device, int number) __asm__("cuDeviceGet");
CUresult device_name(char *name, int size, CUdevice device) __asm__("cuDeviceGetName");
CUresult device_attribute(int *value, CUdevice_attribute what,
                          CUdevice device) __asm__("cuDeviceGetAttribute");
CUresult device_memory(size_t *bytes, CUdevice device) __asm__("cuDeviceTotalMem_v2");

CUresult init(unsigned flags)
{
	(void)flags;
	return CUDA_SUCCESS;
}

CUresult driver_version(int *version)
{
	*version = 12040;
	return CUDA_SUCCESS;
}

CUresult device_count(int *count)
{
	const char *const wanted = getenv("TULLE_TEST_DEVICES");

	*count = wanted && *wanted == '0' ? 0 : 2;
	return CUDA_SUCCESS;
}

CUresult device_get(CUdevice *device, int number)
{
	*device = number;
	return CUDA_SUCCESS;
}

CUresult device_name(char *name, int size, CUdevice device)
{
	snprintf(name, (size_t)size, "%s", device ? "Spool (not a GPU)" : "Spindle");
	return CUDA_SUCCESS;
}

CUresult device_attribute(int *value, CUdevice_attribute what, CUdevice device)
{
	(void)device;
	switch (what) {
	case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 5; break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 6; break;
	default: *value = 1; break;
	}
	return CUDA_SUCCESS;
}

CUresult device_memory(size_t *bytes, CUdevice device)
{
	(void)device;
	*bytes = (size_t)6 << 30;
	return CUDA_SUCCESS;
}
