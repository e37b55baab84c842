/* cuda_header.c -- what src/gpu/cuda_api.h declares by hand is what CUDA's own header declares: if not, this
 * does not compile, or says which number differs. */
#include <cuda.h>

/* Types and numbers by hand, under other names. */
#define CUresult hand_CUresult
#define CUdevice hand_CUdevice
#define CUdevice_attribute hand_CUdevice_attribute
#define CUdeviceptr hand_CUdeviceptr
#define CUcontext hand_CUcontext
#define CUstream hand_CUstream
#define CUmodule hand_CUmodule
#define CUfunction hand_CUfunction
#define CUDA_SUCCESS HAND_CUDA_SUCCESS
#define CUDA_ERROR_OUT_OF_MEMORY HAND_CUDA_ERROR_OUT_OF_MEMORY
#define CU_STREAM_NON_BLOCKING HAND_CU_STREAM_NON_BLOCKING
#define CU_DEVICE_ATTRIBUTE_WARP_SIZE HAND_CU_DEVICE_ATTRIBUTE_WARP_SIZE
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT HAND_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR \
	HAND_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR \
	HAND_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
#include "gpu/cuda_api.h"
#undef CUresult
#undef CUdevice
#undef CUdevice_attribute
#undef CUdeviceptr
#undef CUcontext
#undef CUstream
#undef CUmodule
#undef CUfunction
#undef CUDA_SUCCESS
#undef CUDA_ERROR_OUT_OF_MEMORY
#undef CU_STREAM_NON_BLOCKING
#undef CU_DEVICE_ATTRIBUTE_WARP_SIZE
#undef CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
#undef CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
#undef CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR

#include "check.h"

/* The list, now with CUDA's types, must declare what cuda.h declared. The compiler compares. */
#define DECLARED(name, ...) extern CUresult CUDAAPI name __VA_ARGS__;
TULLE__CUDA_CALLS(DECLARED)

#define SAME_NUMBER(name) CHECK_EQUAL((int)(name), (int)HAND_##name)
#define SAME_SIZE(name) CHECK_EQUAL((int)sizeof(name), (int)sizeof(hand_##name))

int main(void)
{
	SAME_NUMBER(CUDA_SUCCESS);
	SAME_NUMBER(CUDA_ERROR_OUT_OF_MEMORY);
	SAME_NUMBER(CU_STREAM_NON_BLOCKING);
	SAME_NUMBER(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
	SAME_NUMBER(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	SAME_NUMBER(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
	SAME_NUMBER(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
	SAME_SIZE(CUresult);
	SAME_SIZE(CUdevice);
	SAME_SIZE(CUdevice_attribute);
	SAME_SIZE(CUdeviceptr);
	SAME_SIZE(CUcontext);
	SAME_SIZE(CUstream);
	SAME_SIZE(CUmodule);
	SAME_SIZE(CUfunction);
	return check_end();
}
