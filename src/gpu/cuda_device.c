/* cuda_device.c -- NVIDIA's GPUs: finding libcuda, listing, opening and closing devices.
 *
 * libcuda.so.1 is part of the driver and is searched for once per process. Without it, or if it
 * finds no GPU, there are no devices. Unless the caller passes a context, we use the device's
 * primary context. The CUDA runtime uses it too, so pointers and streams can be exchanged with
 * it. */
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "gpu/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum {
	LEAST_MAJOR = 7, /* compute capability 7.5: nvcc 13 makes nothing older */
	LEAST_MINOR = 5,
	WIDTH = 32
};

/* ---- the library ---- */

tulle__cuda_functions tulle__cuda_library;

static struct {
	int devices;
	char why[160]; /* there are none */
} found;

tulle_status tulle__cuda_check(CUresult result, const char *call)
{
	const char *name = NULL;

	if (result == CUDA_SUCCESS)
		return TULLE_OK;
	if (tulle__cuda_library.cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
		name = "an error without a name";
	return tulle__fail(result == CUDA_ERROR_OUT_OF_MEMORY ? TULLE_E_MEMORY : TULLE_E_DEVICE,
	                   "CUDA: %s: %s (%d)", call, name, (int)result);
}

/* Never closed: the library stays loaded until the process ends. */
static void load(void)
{
	void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	int devices = 0;

	if (!library) {
		snprintf(found.why, sizeof found.why, "there is no libcuda.so.1");
		return;
	}
#define LOOK_UP(name, parameters)                                                           \
	*(void **)&tulle__cuda_library.name = dlsym(library, #name);                            \
	if (!tulle__cuda_library.name) {                                                        \
		snprintf(found.why, sizeof found.why, "libcuda.so.1 is too old: it has no " #name); \
		return;                                                                             \
	}
	TULLE__CUDA_CALLS(LOOK_UP)
#undef LOOK_UP
	if (TULLE__CUDA(cuInit, 0) != TULLE_OK || TULLE__CUDA(cuDeviceGetCount, &devices) != TULLE_OK)
		snprintf(found.why, sizeof found.why, "%s", tulle_last_error());
	else
		found.devices = devices;
}

int tulle__cuda_count(tulle__env *env)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (found.devices == 0)
		tulle__log(env, TULLE_LOG_INFO, "no CUDA devices: %s",
		           found.why[0] ? found.why : "the driver lists none");
	return found.devices;
}

/* ---- devices ---- */

/* Writes to `why` the reason why the device cannot be used; empty if it can be used. */
static tulle_status judge(CUdevice device, char *why, size_t size)
{
	const tulle__gpu_module *const any = tulle__gpu_module_named("vectors");
	int major = 0, minor = 0, width = 0;
	tulle_status s = TULLE__CUDA(cuDeviceGetAttribute, &major,
	                             CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);

	if (s == TULLE_OK)
		s = TULLE__CUDA(cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
		                device);
	if (s == TULLE_OK)
		s = TULLE__CUDA(cuDeviceGetAttribute, &width, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
	why[0] = '\0';
	if (s != TULLE_OK)
		return s;
	if (!any || !tulle__gpu_image(any, (tulle__gpu_types){ TULLE_F32, TULLE_I32 }))
		snprintf(why, size, "the library was built without nvcc and has no kernels for CUDA");
	else if (major * 10 + minor < LEAST_MAJOR * 10 + LEAST_MINOR)
		snprintf(why, size, "its compute capability is %d.%d, the kernels need %d.%d", major, minor,
		         LEAST_MAJOR, LEAST_MINOR);
	else if (width != WIDTH)
		snprintf(why, size, "its warps have %d lanes, the kernels were compiled for %d", width,
		         WIDTH);
	return TULLE_OK;
}

tulle_status tulle__cuda_info(tulle__env *env, int number, tulle_device_info *out)
{
	CUdevice device = 0;
	int version = 0;
	tulle_status s = TULLE_OK;

	if (number < 0 || number >= tulle__cuda_count(env))
		return tulle__fail(TULLE_E_ARGUMENT, "there is no device cuda:%d", number);
	s = TULLE__CUDA(cuDeviceGet, &device, number);
	if (s == TULLE_OK)
		s = TULLE__CUDA(cuDeviceGetName, out->model, (int)sizeof out->model, device);
	if (s == TULLE_OK)
		s = TULLE__CUDA(cuDeviceTotalMem_v2, &out->memory, device);
	if (s == TULLE_OK)
		s = TULLE__CUDA(cuDeviceGetAttribute, &out->units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
		                device);
	if (s == TULLE_OK)
		s = TULLE__CUDA(cuDriverGetVersion, &version);
	if (s == TULLE_OK)
		s = judge(device, out->why, sizeof out->why);
	if (s != TULLE_OK)
		return s;
	snprintf(out->name, sizeof out->name, "cuda:%d", number);
	snprintf(out->driver, sizeof out->driver, "CUDA %d.%d", version / 1000, version % 1000 / 10);
	out->width = WIDTH;
	out->shuffles = 1;
	out->f64 = 1;
	out->gpu = !strstr(out->model, "not a GPU"); /* stand-ins are called so */
	out->usable = out->why[0] == '\0';
	return TULLE_OK;
}

/* 0 where the driver does not say. */
static double attribute(CUdevice device, CUdevice_attribute what)
{
	int value = 0;

	return tulle__cuda_library.cuDeviceGetAttribute(&value, what, device) == CUDA_SUCCESS ? value
	                                                                                      : 0;
}

static void keep(double *known, double reported)
{
	*known = reported > 0 ? reported : *known;
}

void tulle__cuda_properties(tulle__env *env, int number, tulle_device_model *out)
{
	const double kilo = 1e3, edges = 2, bits = 8; /* memory transfers at both edges of its clock */
	CUdevice d = 0;

	(void)env;
	if (tulle__cuda_library.cuDeviceGet(&d, number) != CUDA_SUCCESS)
		return;
	keep(&out->clock, kilo * attribute(d, CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
	keep(&out->bandwidth, edges * kilo * attribute(d, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) *
	                          attribute(d, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / bits);
	keep(&out->l2, attribute(d, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
	keep(&out->warps, attribute(d, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / WIDTH);
	keep(&out->registers, attribute(d, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
	keep(&out->shared, attribute(d, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
}

tulle_status tulle__cuda_enter(const tulle__gpu_device *device)
{
	const tulle__cuda_state *const self = device->state;

	return TULLE__CUDA(cuCtxPushCurrent_v2, self->context);
}

/* Returns `status`, for the last line of a function that entered. */
tulle_status tulle__cuda_leave(tulle_status status)
{
	CUcontext was;

	tulle__cuda_library.cuCtxPopCurrent_v2(&was);
	return status;
}

tulle_status tulle__cuda_open(int number, const tulle_device_options *options,
                              tulle__gpu_device *device)
{
	tulle_device_info about = { .size = sizeof about };
	tulle__cuda_state *self;
	tulle_status s = tulle__cuda_info(device->env, number, &about);

	if (s != TULLE_OK)
		return s;
	if (!about.usable)
		return tulle__fail(TULLE_E_UNSUPPORTED, "cuda:%d: %s", number, about.why);
	if (options->width != 0 && options->width != WIDTH)
		return tulle__fail(TULLE_E_UNSUPPORTED, "cuda:%d: width %d, and CUDA's warps have %d lanes",
		                   number, options->width, WIDTH);
	if (options->local_exchange)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "cuda:%d: local_exchange, and CUDA's lanes exchange values directly",
		                   number);
	s = tulle__alloc_zero(device->env, 1, sizeof *self, &self);
	if (s != TULLE_OK)
		return s;
	self->context = options->native;
	self->own_context = !options->native;
	s = TULLE__CUDA(cuDeviceGet, &self->device, number);
	if (s == TULLE_OK && self->own_context)
		s = TULLE__CUDA(cuDevicePrimaryCtxRetain, &self->context, self->device);
	if (s != TULLE_OK) {
		tulle__free(device->env, self);
		return s;
	}
	pthread_mutex_init(&self->lock, NULL);
	device->state = self;
	device->width = WIDTH;
	device->shuffles = 1;
	device->f64 = 1;
	device->units = about.units;
	device->memory = about.memory;
	return TULLE_OK;
}

void tulle__cuda_close(tulle__gpu_device *device)
{
	tulle__cuda_state *const self = device->state;
	const int inside = tulle__cuda_enter(device) == TULLE_OK;

	while (self->modules) {
		tulle__cuda_loaded *const gone = self->modules;

		self->modules = gone->next;
		if (inside)
			tulle__cuda_library.cuModuleUnload(gone->handle);
		tulle__free(device->env, gone);
	}
	if (inside)
		tulle__cuda_leave(TULLE_OK);
	if (self->own_context)
		tulle__cuda_library.cuDevicePrimaryCtxRelease_v2(self->device);
	pthread_mutex_destroy(&self->lock);
	tulle__free(device->env, self);
	device->state = NULL;
}
