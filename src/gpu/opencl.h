/* opencl.h -- shared by the files of the OpenCL driver: the functions of libOpenCL and a device. */
#ifndef TULLE_GPU_OPENCL_H
#define TULLE_GPU_OPENCL_H

#include "gpu/opencl_api.h"
#include "gpu/runtime.h"

#include <pthread.h>

/* libOpenCL.so.1, loaded once in a process; all members NULL where it is missing. */
typedef struct {
/* NOLINTBEGIN(bugprone-macro-parentheses): declarations */
#define CALL(name, args) cl_int(*name) args;
#define MAKER(result, name, args) result(*name) args;
	/* NOLINTEND(bugprone-macro-parentheses) */
	TULLE__OPENCL_CALLS(CALL)
	TULLE__OPENCL_MAKERS(MAKER)
#undef CALL
#undef MAKER
} tulle__opencl_calls;

/* NULL: there is no libOpenCL, or an older one than 1.2. */
const tulle__opencl_calls *tulle__opencl_load(void);

/* A kernel that was requested; kept in a list until the device is closed. */
typedef struct tulle__opencl_kernel tulle__opencl_kernel;
struct tulle__opencl_kernel {
	tulle__opencl_kernel *next;
	const char *module, *name;
	tulle__gpu_types types;
	cl_program program;
	cl_kernel kernel;
};

/* What tulle__gpu_device.state points to. */
typedef struct {
	const tulle__opencl_calls *cl;
	cl_device_id id;
	cl_context context;
	int own_context;
	int names_width; /* the device takes the attribute that sets the size of sub-groups */
	char *cache;     /* folder for compiled programs, NULL: none */
	char model[128], driver[128];
	pthread_mutex_t
	    lock; /* of the kernels: the list, and their arguments between setting and launch */
	tulle__opencl_kernel *kernels;
} tulle__opencl_state;

/* TULLE_E_DEVICE, or TULLE_E_MEMORY if the error code means that memory is exhausted. */
tulle_status tulle__opencl_fail(const char *call, cl_int error);

/* opencl_device.c: some of tulle__gpu_driver's functions. */
int tulle__opencl_count(tulle__env *env);
tulle_status tulle__opencl_info(tulle__env *env, int number, tulle_device_info *out);
void tulle__opencl_properties(tulle__env *env, int number, tulle_device_model *out);
tulle_status tulle__opencl_open(int number, const tulle_device_options *options,
                                tulle__gpu_device *device);
void tulle__opencl_close(tulle__gpu_device *device);

/* opencl_program.c: one of tulle__gpu_driver's functions, and its end. */
tulle_status tulle__opencl_get_kernel(tulle__gpu_device *device, const char *module,
                                      const char *name, tulle__gpu_types types, void **out);
void tulle__opencl_release_kernels(tulle__gpu_device *device);

#endif
