/* never_opencl.c -- the calls of libOpenCL that `tulle devices` has no need of: a loader must have them all. */
#include "gpu/opencl_api.h"

/* Weak: opencl.c has some of them for real. */
#define CALL(name, arguments)               \
	cl_int name(void);                      \
	__attribute__((weak)) cl_int name(void) \
	{                                       \
		return -33; /* CL_INVALID_DEVICE */ \
	}
#define MAKER(result, name, arguments)      \
	result name(void);                      \
	__attribute__((weak)) result name(void) \
	{                                       \
		return NULL;                        \
	}
TULLE__OPENCL_CALLS(CALL)
TULLE__OPENCL_MAKERS(MAKER)
