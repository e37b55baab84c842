/* never_cuda.c -- the calls of libcuda that `tulle devices` has no need of; cuda.c has the others. */
#include "gpu/cuda_api.h"

#define CALL(name, parameters)                 \
	CUresult name(void);                       \
	__attribute__((weak)) CUresult name(void)  \
	{                                          \
		return 500; /* CUDA_ERROR_NOT_FOUND */ \
	}
TULLE__CUDA_CALLS(CALL)
