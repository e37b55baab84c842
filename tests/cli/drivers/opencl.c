/* opencl.c -- a libOpenCL that only tells what it has: two GPUs, a CPU and one too small, for `tulle devices`.
 *
 * TULLE_TEST_DEVICES=0: none. Nothing can be opened. */
#include "gpu/opencl_api.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *name, *extensions;
	cl_bitfield type;
	uint64_t memory, local;
	size_t threads, sub_groups;
	cl_uint units, wavefront;
} offer;

static const offer offers[] = {
	{ "Shuttle 9000",
	  "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_subgroup_shuffle "
	  "cl_intel_required_subgroup_size",
	  CL_DEVICE_TYPE_GPU, 24ull << 30, 64 << 10, 1024, 64, 84, 0 },
	{ "Treadle", "cl_khr_fp64 cl_khr_int64_base_atomics", 2, 3ull << 29, 32 << 10, 4096, 0, 1, 0 },
	{ "Need\033[2Jle", "", CL_DEVICE_TYPE_GPU, 1 << 30, 16 << 10, 64, 0, 2, 0 },
	{ "Heddle", "cl_khr_fp64 cl_khr_int64_base_atomics cl_amd_device_attribute_query",
	  CL_DEVICE_TYPE_GPU, 16ull << 30, 64 << 10, 1024, 0, 60, 64 },
};
enum { OFFERS = sizeof offers / sizeof *offers };

/* ---- what is asked; under the names of OpenCL for the linker ---- */

cl_int platform_ids(cl_uint room, cl_platform_id *to, cl_uint *count) __asm__("clGetPlatformIDs");
cl_int platform_info(cl_platform_id platform, cl_uint what, size_t room, void *to,
                     size_t *size) __asm__("clGetPlatformInfo");
cl_int device_ids(cl_platform_id platform, cl_bitfield type, cl_uint room, cl_device_id *to,
                  cl_uint *count) __asm__("clGetDeviceIDs");
cl_int device_info(cl_device_id id, cl_uint what, size_t room, void *to,
                   size_t *size) __asm__("clGetDeviceInfo");

static cl_int answer(const void *value, size_t bytes, size_t room, void *to, size_t *size)
{
	if (size)
		*size = bytes;
	if (to && room < bytes)
		return -30; /* CL_INVALID_VALUE */
	if (to)
		memcpy(to, value, bytes);
	return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *to, size_t *size)
{
	return answer(text, strlen(text) + 1, room, to, size);
}

cl_int platform_ids(cl_uint room, cl_platform_id *to, cl_uint *count)
{
	static int loom;
	const char *const wanted = getenv("TULLE_TEST_DEVICES");

	if (wanted && *wanted == '0')
		return -1001; /* as loaders say it: no platform */
	if (room > 0 && to)
		to[0] = (cl_platform_id)&loom;
	if (count)
		*count = 1;
	return CL_SUCCESS;
}

cl_int platform_info(cl_platform_id platform, cl_uint what, size_t room, void *to, size_t *size)
{
	(void)platform;
	(void)what;
	return answer_text("Loom", room, to, size);
}

cl_int device_ids(cl_platform_id platform, cl_bitfield type, cl_uint room, cl_device_id *to,
                  cl_uint *count)
{
	(void)platform;
	(void)type;
	for (cl_uint n = 0; n < OFFERS && n < room; n++)
		memcpy(&to[n], &(const offer *){ &offers[n] }, sizeof *to);
	*count = OFFERS;
	return CL_SUCCESS;
}

cl_int device_info(cl_device_id id, cl_uint what, size_t room, void *to, size_t *size)
{
	const offer *const o = (const void *)id;

	switch (what) {
	case CL_DEVICE_NAME: return answer_text(o->name, room, to, size);
	case CL_DEVICE_EXTENSIONS: return answer_text(o->extensions, room, to, size);
	case CL_DRIVER_VERSION: return answer_text("1.2.3", room, to, size);
	case CL_DEVICE_TYPE: return answer(&o->type, sizeof o->type, room, to, size);
	case CL_DEVICE_GLOBAL_MEM_SIZE: return answer(&o->memory, sizeof o->memory, room, to, size);
	case CL_DEVICE_LOCAL_MEM_SIZE: return answer(&o->local, sizeof o->local, room, to, size);
	case CL_DEVICE_MAX_COMPUTE_UNITS: return answer(&o->units, sizeof o->units, room, to, size);
	case CL_DEVICE_MAX_WORK_GROUP_SIZE:
		return answer(&o->threads, sizeof o->threads, room, to, size);
	case CL_DEVICE_WAVEFRONT_WIDTH_AMD:
		return answer(&o->wavefront, sizeof o->wavefront, room, to, size);
	case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
		return answer(&o->sub_groups, sizeof o->sub_groups, room, to, size);
	default: return -30;
	}
}
