/* cuda.h -- what cuda.c and cuda_device.c share: the driver's functions, and an open device. */
#ifndef TULLE_GPU_CUDA_H
#define TULLE_GPU_CUDA_H

#include "gpu/cuda_api.h"
#include "gpu/runtime.h"

#include <pthread.h>

/* One module on the device. */
typedef struct tulle__cuda_loaded {
	struct tulle__cuda_loaded *next;
	const tulle__gpu_module *module;
	tulle__gpu_types types;
	CUmodule handle;
} tulle__cuda_loaded;

/* A stream that we created, not the caller. */
typedef struct tulle__cuda_stream {
	struct tulle__cuda_stream *next;
	CUstream stream;
} tulle__cuda_stream;

/* tulle__gpu_device.state */
typedef struct {
	CUdevice device;
	CUcontext context;
	int own_context;      /* we hold the primary one */
	pthread_mutex_t lock; /* of the lists */
	tulle__cuda_loaded *modules;
	tulle__cuda_stream *streams;
} tulle__cuda_state;

/* The functions of libcuda; set when a device has been found. */
typedef struct {
#define TULLE__CUDA_MEMBER(name, ...) CUresult(*(name)) __VA_ARGS__;
	TULLE__CUDA_CALLS(TULLE__CUDA_MEMBER)
#undef TULLE__CUDA_MEMBER
} tulle__cuda_functions;
extern tulle__cuda_functions tulle__cuda_library;

/* Calls a function of libcuda. A failure becomes a status, with a message that has the name of the call and
 * CUDA's name of the error. */
#define TULLE__CUDA(name, ...) tulle__cuda_check(tulle__cuda_library.name(__VA_ARGS__), #name)
tulle_status tulle__cuda_check(CUresult result, const char *call);

int tulle__cuda_count(tulle__env *env);
tulle_status tulle__cuda_info(tulle__env *env, int number, tulle_device_info *out);
void tulle__cuda_properties(tulle__env *env, int number, tulle_device_model *out);
tulle_status tulle__cuda_open(int number, const tulle_device_options *options,
                              tulle__gpu_device *device);
void tulle__cuda_close(tulle__gpu_device *device);

/* enter() makes the device's context current in the calling thread, leave() restores the previous one.
 * leave() returns `status`, for the last line of a function that entered. */
tulle_status tulle__cuda_enter(const tulle__gpu_device *device);
tulle_status tulle__cuda_leave(tulle_status status);

#endif
