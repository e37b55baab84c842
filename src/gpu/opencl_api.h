/* opencl_api.h -- the few types, numbers and functions of OpenCL 1.2 and 3.0 that opencl.c calls.
 *
 * They are declared here, so that the library builds without CL/cl.h. A test compares them with the
 * real header. Handles are opaque pointers. */
#ifndef TULLE_GPU_OPENCL_API_H
#define TULLE_GPU_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

typedef void *cl_platform_id, *cl_device_id, *cl_context, *cl_command_queue, *cl_mem, *cl_program,
    *cl_kernel, *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;
typedef intptr_t cl_context_properties;

enum {
	CL_SUCCESS = 0,
	CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
	CL_OUT_OF_RESOURCES = -5,
	CL_OUT_OF_HOST_MEMORY = -6,
	CL_INVALID_BUFFER_SIZE = -61,

	CL_PLATFORM_VERSION = 0x0901,
	CL_PLATFORM_NAME = 0x0902,
	CL_DEVICE_TYPE = 0x1000,
	CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
	CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
	CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C, /* MHz */
	CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
	CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
	CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
	CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
	CL_DEVICE_NAME = 0x102B,
	CL_DRIVER_VERSION = 0x102D,
	CL_DEVICE_VERSION = 0x102F,
	CL_DEVICE_EXTENSIONS = 0x1030,
	CL_DEVICE_OPENCL_C_VERSION = 0x103D,
	CL_DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,
	CL_DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
	CL_MEM_READ_WRITE = 1,
	CL_MEM_SIZE = 0x1102,
	CL_PROGRAM_BINARY_SIZES = 0x1165,
	CL_PROGRAM_BINARIES = 0x1166,
	CL_PROGRAM_BUILD_LOG = 0x1183,
	CL_CONTEXT_PLATFORM = 0x1084
};
#define CL_DEVICE_TYPE_GPU 4u
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFFu

/* X(name, arguments): all return cl_int. */
#define TULLE__OPENCL_CALLS(X)                                                                  \
	X(clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                                 \
	X(clGetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *))                   \
	X(clGetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *))        \
	X(clGetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *))                       \
	X(clReleaseContext, (cl_context))                                                           \
	X(clRetainCommandQueue, (cl_command_queue))                                                 \
	X(clReleaseCommandQueue, (cl_command_queue))                                                \
	X(clFinish, (cl_command_queue))                                                             \
	X(clFlush, (cl_command_queue))                                                              \
	X(clRetainMemObject, (cl_mem))                                                              \
	X(clReleaseMemObject, (cl_mem))                                                             \
	X(clGetMemObjectInfo, (cl_mem, cl_uint, size_t, void *, size_t *))                          \
	X(clEnqueueWriteBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,   \
	                         cl_uint, const cl_event *, cl_event *))                            \
	X(clEnqueueReadBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, \
	                        const cl_event *, cl_event *))                                      \
	X(clEnqueueFillBuffer, (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,     \
	                        cl_uint, const cl_event *, cl_event *))                             \
	X(clBuildProgram, (cl_program, cl_uint, const cl_device_id *, const char *,                 \
	                   void (*)(cl_program, void *), void *))                                   \
	X(clGetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))     \
	X(clGetProgramInfo, (cl_program, cl_uint, size_t, void *, size_t *))                        \
	X(clReleaseProgram, (cl_program))                                                           \
	X(clReleaseKernel, (cl_kernel))                                                             \
	X(clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                               \
	X(clEnqueueNDRangeKernel,                                                                   \
	  (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,    \
	   cl_uint, const cl_event *, cl_event *))

/* X(result, name, arguments): these return a handle. */
#define TULLE__OPENCL_MAKERS(X)                                                                  \
	X(cl_context, clCreateContext,                                                               \
	  (const cl_context_properties *, cl_uint, const cl_device_id *,                             \
	   void (*)(const char *, const void *, size_t, void *), void *, cl_int *))                  \
	X(cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_bitfield, cl_int *)) \
	X(cl_mem, clCreateBuffer, (cl_context, cl_bitfield, size_t, void *, cl_int *))               \
	X(cl_program, clCreateProgramWithSource,                                                     \
	  (cl_context, cl_uint, const char **, const size_t *, cl_int *))                            \
	X(cl_program, clCreateProgramWithBinary,                                                     \
	  (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **,        \
	   cl_int *, cl_int *))                                                                      \
	X(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))

#endif
