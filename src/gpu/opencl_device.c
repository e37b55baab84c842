/* opencl_device.c -- loads libOpenCL, lists its devices and opens them. */
#include "gpu/opencl.h"

#include "core/memory.h"
#include "core/status.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the library ---- */

static tulle__opencl_calls calls;
static int loaded;

/* Never closed: threads of the drivers may still run. */
static void load(void)
{
	void *const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);

	loaded = library != NULL;
	if (!library)
		return;
#define CALL(name, args) loaded = loaded && (*(void **)&calls.name = dlsym(library, #name)) != NULL;
#define MAKER(result, name, args) CALL(name, args)
	TULLE__OPENCL_CALLS(CALL)
	TULLE__OPENCL_MAKERS(MAKER)
#undef CALL
#undef MAKER
}

const tulle__opencl_calls *tulle__opencl_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return loaded ? &calls : NULL;
}

tulle_status tulle__opencl_fail(const char *call, cl_int error)
{
	const int memory = error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES ||
	                   error == CL_OUT_OF_HOST_MEMORY || error == CL_INVALID_BUFFER_SIZE;

	return tulle__fail(memory ? TULLE_E_MEMORY : TULLE_E_DEVICE,
	                   "OpenCL: %s failed with error %d%s", call, error,
	                   memory ? ": the device has no room" : "");
}

/* ---- devices ---- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

typedef struct {
	cl_platform_id platform;
	cl_device_id id;
} place;

static int all_devices(const tulle__opencl_calls *cl, place *out)
{
	cl_platform_id platform[MOST_PLATFORMS];
	cl_uint platforms = 0;
	int count = 0;

	if (!cl || cl->clGetPlatformIDs(MOST_PLATFORMS, platform, &platforms) != CL_SUCCESS)
		return 0;
	platforms = platforms < MOST_PLATFORMS ? platforms : MOST_PLATFORMS;
	for (cl_uint p = 0; p < platforms; p++) {
		cl_device_id id[MOST_DEVICES];
		cl_uint ids = 0;

		if (cl->clGetDeviceIDs(platform[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, id, &ids) !=
		    CL_SUCCESS)
			continue;
		for (cl_uint d = 0; d < ids && d < MOST_DEVICES && count < MOST_DEVICES; d++)
			out[count++] = (place){ platform[p], id[d] };
	}
	return count;
}

int tulle__opencl_count(tulle__env *env)
{
	place found[MOST_DEVICES];

	(void)env;
	return all_devices(tulle__opencl_load(), found);
}

static void device_text(const tulle__opencl_calls *cl, cl_device_id id, cl_uint what, char *to,
                        size_t room)
{
	memset(to, 0, room);
	if (cl->clGetDeviceInfo(id, what, room - 1, to, NULL) != CL_SUCCESS)
		to[0] = '\0';
}

static uint64_t device_number(const tulle__opencl_calls *cl, cl_device_id id, cl_uint what)
{
	unsigned char bytes[8] = { 0 };
	uint32_t narrow;
	uint64_t wide;
	size_t size = 0;

	if (cl->clGetDeviceInfo(id, what, sizeof bytes, bytes, &size) != CL_SUCCESS)
		return 0;
	memcpy(&narrow, bytes, sizeof narrow);
	memcpy(&wide, bytes, sizeof wide);
	return size == sizeof narrow ? narrow : wide;
}

/* What the device can do, as far as kernels depend on it. */
typedef struct {
	int f64, shuffles, names_width;
	int wavefront; /* lanes that run together, where the driver says so; else 0 */
	int sizes;
	size_t size[8]; /* of sub-groups */
} abilities;

static abilities abilities_of(const tulle__opencl_calls *cl, tulle__env *env, cl_device_id id)
{
	abilities can = { 0 };
	size_t bytes = 0, listed = 0;
	char *list;

	if (cl->clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS ||
	    tulle__alloc_zero(env, (int64_t)bytes + 1, 1, &list) != TULLE_OK)
		return can;
	if (cl->clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, bytes, list, NULL) == CL_SUCCESS) {
		can.f64 = strstr(list, "cl_khr_fp64") && strstr(list, "cl_khr_int64_base_atomics");
		can.names_width = strstr(list, "cl_intel_required_subgroup_size") != NULL;
		/* Unless the size can be set, WIDTH is not known when kernels are compiled. */
		can.shuffles = can.names_width && strstr(list, "cl_khr_subgroup_shuffle") != NULL;
		if (strstr(list, "cl_amd_device_attribute_query"))
			can.wavefront = (int)device_number(cl, id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
	}
	tulle__free(env, list);
	if (can.shuffles && cl->clGetDeviceInfo(id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof can.size,
	                                        can.size, &listed) == CL_SUCCESS)
		can.sizes = (int)(listed / sizeof *can.size);
	can.shuffles = can.sizes > 0;
	return can;
}

/* The width of CUDA (32) if the device has it, else its largest. Without sub-groups, that of AMD's wavefronts if the
 * driver reports it: kernels whose blocks are one warp would otherwise leave half of 64 lanes idle. */
static int usual_width(const abilities *can)
{
	enum { USUAL = 32, WIDE = 64 };
	int width = 0;

	if (!can->shuffles)
		return can->wavefront == WIDE ? WIDE : USUAL;
	for (int n = 0; n < can->sizes; n++)
		if (can->size[n] == USUAL)
			return USUAL;
		else if ((int)can->size[n] > width)
			width = (int)can->size[n];
	return width;
}

static void usable(const tulle__opencl_calls *cl, cl_device_id id, tulle_device_info *info)
{
	enum { LOCAL = 32 << 10 };
	const uint64_t threads = device_number(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
	const uint64_t local = device_number(cl, id, CL_DEVICE_LOCAL_MEM_SIZE);

	info->usable = threads >= TULLE__GPU_BLOCK && local >= LOCAL;
	if (!info->usable)
		snprintf(info->why, sizeof info->why,
		         "work-groups of %" PRIu64 " and %" PRIu64
		         " bytes of local memory; kernels need %d and %d",
		         threads, local, TULLE__GPU_BLOCK, LOCAL);
}

tulle_status tulle__opencl_info(tulle__env *env, int number, tulle_device_info *out)
{
	const tulle__opencl_calls *const cl = tulle__opencl_load();
	place found[MOST_DEVICES];
	char platform[64] = "", version[64] = "";
	abilities can;

	if (number >= all_devices(cl, found))
		return tulle__fail(TULLE_E_ARGUMENT, "there is no device opencl:%d", number);
	can = abilities_of(cl, env, found[number].id);
	snprintf(out->name, sizeof out->name, "opencl:%d", number);
	device_text(cl, found[number].id, CL_DEVICE_NAME, out->model, sizeof out->model);
	device_text(cl, found[number].id, CL_DRIVER_VERSION, version, sizeof version);
	cl->clGetPlatformInfo(found[number].platform, CL_PLATFORM_NAME, sizeof platform - 1, platform,
	                      NULL);
	snprintf(out->driver, sizeof out->driver, "%s %s", platform, version);
	out->memory = (size_t)device_number(cl, found[number].id, CL_DEVICE_GLOBAL_MEM_SIZE);
	out->units = (int)device_number(cl, found[number].id, CL_DEVICE_MAX_COMPUTE_UNITS);
	out->width = usual_width(&can);
	out->shuffles = can.shuffles;
	out->f64 = can.f64;
	out->gpu = (device_number(cl, found[number].id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
	usable(cl, found[number].id, out);
	return TULLE_OK;
}

/* OpenCL reports no bandwidth. */
void tulle__opencl_properties(tulle__env *env, int number, tulle_device_model *out)
{
	const tulle__opencl_calls *const cl = tulle__opencl_load();
	place found[MOST_DEVICES];
	uint64_t mhz, cache;

	(void)env;
	if (number >= all_devices(cl, found))
		return;
	mhz = device_number(cl, found[number].id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
	cache = device_number(cl, found[number].id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
	out->clock = mhz > 0 ? 1e6 * (double)mhz : out->clock;
	out->l2 = (double)cache > out->l2 ? (double)cache : out->l2;
}

/* ---- opening ---- */

static tulle_status check_width(const abilities *can, int width, int shuffles)
{
	int right = 0;

	for (int n = 0; n < can->sizes && shuffles; n++)
		right |= can->size[n] == (size_t)width;
	if (!shuffles)
		right = width >= 1 && width <= 64 && (width & (width - 1)) == 0;
	if (right)
		return TULLE_OK;
	return tulle__fail(TULLE_E_UNSUPPORTED, "options.width = %d is no %s", width,
	                   shuffles ? "size of the device's sub-groups" : "power of two up to 64");
}

static tulle_status make_state(tulle__gpu_device *device, cl_device_id id,
                               const tulle_device_options *options)
{
	const size_t cache = options->cache ? strlen(options->cache) + 1 : 0;
	tulle__opencl_state *state;
	tulle_status s = tulle__alloc_zero(device->env, 1, sizeof *state, &state);

	if (s != TULLE_OK)
		return s;
	device->state = state;
	state->cl = tulle__opencl_load();
	state->id = id;
	pthread_mutex_init(&state->lock, NULL);
	if (cache)
		s = tulle__alloc(device->env, (int64_t)cache, 1, &state->cache);
	if (s == TULLE_OK && cache)
		memcpy(state->cache, options->cache, cache);
	return s;
}

void tulle__opencl_close(tulle__gpu_device *device)
{
	tulle__opencl_state *const state = device->state;

	if (!state)
		return;
	tulle__opencl_release_kernels(device);
	if (state->own_context)
		state->cl->clReleaseContext(state->context);
	pthread_mutex_destroy(&state->lock);
	tulle__free(device->env, state->cache);
	tulle__free(device->env, state);
	device->state = NULL;
}

static tulle_status open_context(tulle__gpu_device *device, cl_platform_id platform,
                                 const tulle_device_options *options)
{
	const cl_context_properties of[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
	tulle__opencl_state *const state = device->state;
	cl_int error = CL_SUCCESS;

	state->context = options->native;
	if (!state->context)
		state->context = state->cl->clCreateContext(of, 1, &state->id, NULL, NULL, &error);
	state->own_context = !options->native && error == CL_SUCCESS;
	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clCreateContext", error);
}

tulle_status tulle__opencl_open(int number, const tulle_device_options *options,
                                tulle__gpu_device *device)
{
	const tulle__opencl_calls *const cl = tulle__opencl_load();
	tulle_device_info info = { .size = sizeof info };
	place found[MOST_DEVICES];
	abilities can;
	tulle_status s = tulle__opencl_info(device->env, number, &info);

	if (s != TULLE_OK)
		return s;
	if (!info.usable)
		return tulle__fail(TULLE_E_UNSUPPORTED, "opencl:%d: %s", number, info.why);
	all_devices(cl, found);
	can = abilities_of(cl, device->env, found[number].id);
	device->shuffles = can.shuffles && !options->local_exchange;
	device->width = options->width ? options->width : info.width;
	device->f64 = info.f64;
	device->units = info.units;
	device->memory = info.memory;
	s = check_width(&can, device->width, device->shuffles);
	if (s == TULLE_OK)
		s = make_state(device, found[number].id, options);
	if (s == TULLE_OK) {
		tulle__opencl_state *const state = device->state;

		state->names_width = can.names_width;
		memcpy(state->model, info.model, sizeof state->model);
		memcpy(state->driver, info.driver, sizeof state->driver);
		s = open_context(device, found[number].platform, options);
	}
	if (s != TULLE_OK)
		tulle__opencl_close(device);
	return s;
}
