/* cuda_api.h -- the part of CUDA's driver API that we call, declared by hand: no header of CUDA is needed
 * to build the library. tests/gpu/standin/cuda_header.c compares this with the real cuda.h. */
#ifndef TULLE_GPU_CUDA_API_H
#define TULLE_GPU_CUDA_API_H

#include <stddef.h>

typedef int CUresult, CUdevice, CUdevice_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;

enum { CUDA_SUCCESS = 0, CUDA_ERROR_OUT_OF_MEMORY = 2 };
enum { CU_STREAM_NON_BLOCKING = 1 };
enum {
	CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
	CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, /* kHz */
	CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
	CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,       /* kHz */
	CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, /* bits */
	CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
	CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
	CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
	CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
	CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
	CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82
};

/* CALL(name as the library exports it, parameters); all return a CUresult. */
#define TULLE__CUDA_CALLS(CALL)                                                                   \
	CALL(cuInit, (unsigned flags))                                                                \
	CALL(cuDriverGetVersion, (int *version))                                                      \
	CALL(cuGetErrorName, (CUresult result, const char **name))                                    \
	CALL(cuDeviceGetCount, (int *count))                                                          \
	CALL(cuDeviceGet, (CUdevice * device, int number))                                            \
	CALL(cuDeviceGetName, (char *name, int size, CUdevice device))                                \
	CALL(cuDeviceGetAttribute, (int *value, CUdevice_attribute what, CUdevice device))            \
	CALL(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                                  \
	CALL(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                        \
	CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                         \
	CALL(cuCtxPushCurrent_v2, (CUcontext context))                                                \
	CALL(cuCtxPopCurrent_v2, (CUcontext * context))                                               \
	CALL(cuCtxSynchronize, (void))                                                                \
	CALL(cuMemAlloc_v2, (CUdeviceptr * memory, size_t bytes))                                     \
	CALL(cuMemFree_v2, (CUdeviceptr memory))                                                      \
	CALL(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream)) \
	CALL(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))       \
	CALL(cuMemsetD8Async, (CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream))    \
	CALL(cuStreamCreate, (CUstream * stream, unsigned flags))                                     \
	CALL(cuStreamDestroy_v2, (CUstream stream))                                                   \
	CALL(cuStreamSynchronize, (CUstream stream))                                                  \
	CALL(cuModuleLoadData, (CUmodule * module, const void *image))                                \
	CALL(cuModuleUnload, (CUmodule module))                                                       \
	CALL(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))         \
	CALL(cuLaunchKernel,                                                                          \
	     (CUfunction function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,           \
	      unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,      \
	      CUstream stream, void **arguments, void **extra))

#endif
