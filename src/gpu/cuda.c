/* cuda.c -- NVIDIA's GPUs: memory, queues and kernels, through CUDA's driver API.
 *
 * A queue is a CUstream. Kernels are the fatbins that nvcc made when the library was built. The context is pushed
 * and popped around each call, so any thread may call, and the caller's own context does not change. */
#include "gpu/cuda.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdio.h>

enum { ARGUMENTS = 32 /* of a kernel, at most */ };

static void *native(const tulle__gpu_device *device)
{
	return ((const tulle__cuda_state *)device->state)->context;
}

/* ---- memory ---- */

static tulle_status alloc(tulle__gpu_device *device, size_t bytes, tulle__gpu_memory *out)
{
	CUdeviceptr memory = 0;
	tulle_status s = tulle__cuda_enter(device);

	if (s != TULLE_OK)
		return s;
	s = tulle__cuda_leave(TULLE__CUDA(cuMemAlloc_v2, &memory, bytes));
	if (s == TULLE_E_MEMORY)
		s = tulle__fail_in(s, "no room for an array on the device");
	out->handle = s == TULLE_OK ? memory : 0;
	return s;
}

/* Kernels load and store whole elements, pairs of complex numbers by one instruction. The size is not checked:
 * cuMemGetAddressRange knows one allocation, and memory may be mapped from several. */
static tulle_status import(tulle__gpu_device *device, void *theirs, int64_t count, size_t element,
                           tulle__gpu_memory *out)
{
	(void)device;
	(void)count;
	if ((uintptr_t)theirs % element != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "native: the address is not a multiple of %zu",
		                   element);
	out->handle = (uintptr_t)theirs;
	return TULLE_OK;
}

/* Waits for all work of the context: which queues use the memory is not known here. The caller's own memory is not
 * freed. */
static void free_memory(tulle__gpu_device *device, tulle__gpu_memory memory, int imported)
{
	if (memory.handle == 0 || imported || tulle__cuda_enter(device) != TULLE_OK)
		return;
	tulle__cuda_library.cuCtxSynchronize();
	tulle__cuda_library.cuMemFree_v2(memory.handle);
	tulle__cuda_leave(TULLE_OK);
}

/* ---- queues ---- */

static tulle_status queue_open(tulle__gpu_device *device, void *theirs, void **out)
{
	tulle__cuda_state *const self = device->state;
	tulle__cuda_stream *made = NULL;
	tulle_status s = TULLE_OK;

	*out = theirs;
	if (theirs)
		return TULLE_OK;
	s = tulle__alloc_zero(device->env, 1, sizeof *made, &made);
	if (s != TULLE_OK)
		return s;
	s = tulle__cuda_enter(device);
	if (s == TULLE_OK)
		s = tulle__cuda_leave(TULLE__CUDA(cuStreamCreate, &made->stream, CU_STREAM_NON_BLOCKING));
	if (s != TULLE_OK) {
		tulle__free(device->env, made);
		return s;
	}
	pthread_mutex_lock(&self->lock);
	made->next = self->streams;
	self->streams = made;
	pthread_mutex_unlock(&self->lock);
	*out = made->stream;
	return TULLE_OK;
}

static void queue_close(tulle__gpu_device *device, void *queue)
{
	tulle__cuda_state *const self = device->state;
	tulle__cuda_stream **link = &self->streams, *gone;

	pthread_mutex_lock(&self->lock);
	while (*link && (*link)->stream != queue)
		link = &(*link)->next;
	gone = *link;
	if (gone)
		*link = gone->next;
	pthread_mutex_unlock(&self->lock);
	if (gone && tulle__cuda_enter(device) == TULLE_OK) {
		tulle__cuda_library.cuStreamSynchronize(gone->stream);
		tulle__cuda_library.cuStreamDestroy_v2(gone->stream);
		tulle__cuda_leave(TULLE_OK);
	}
	tulle__free(device->env, gone);
}

static tulle_status finish(tulle__gpu_device *device, void *queue)
{
	const tulle_status s = tulle__cuda_enter(device);

	return s == TULLE_OK ? tulle__cuda_leave(TULLE__CUDA(cuStreamSynchronize, queue)) : s;
}

static void idle(tulle__gpu_device *device)
{
	if (tulle__cuda_enter(device) != TULLE_OK)
		return;
	tulle__cuda_library.cuCtxSynchronize();
	tulle__cuda_leave(TULLE_OK);
}

/* Copies of pageable memory may return before they are done, so we always wait. */
static tulle_status write_memory(tulle__gpu_device *device, void *queue, tulle__gpu_memory to,
                                 size_t first, const void *from, size_t bytes)
{
	tulle_status s = tulle__cuda_enter(device);

	if (s != TULLE_OK)
		return s;
	s = TULLE__CUDA(cuMemcpyHtoDAsync_v2, to.handle + first, from, bytes, queue);
	return tulle__cuda_leave(s == TULLE_OK ? TULLE__CUDA(cuStreamSynchronize, queue) : s);
}

static tulle_status read_memory(tulle__gpu_device *device, void *queue, tulle__gpu_memory from,
                                size_t first, void *to, size_t bytes)
{
	tulle_status s = tulle__cuda_enter(device);

	if (s != TULLE_OK)
		return s;
	s = TULLE__CUDA(cuMemcpyDtoHAsync_v2, to, from.handle + first, bytes, queue);
	return tulle__cuda_leave(s == TULLE_OK ? TULLE__CUDA(cuStreamSynchronize, queue) : s);
}

static tulle_status clear(tulle__gpu_device *device, void *queue, tulle__gpu_memory memory,
                          size_t bytes)
{
	const tulle_status s = tulle__cuda_enter(device);

	return s == TULLE_OK
	           ? tulle__cuda_leave(TULLE__CUDA(cuMemsetD8Async, memory.handle, 0, bytes, queue))
	           : s;
}

/* ---- kernels ---- */

/* The module's entry in the list; loads the module if necessary. The caller holds the lock of the list. */
static tulle_status module_of(tulle__gpu_device *device, const char *name, tulle__gpu_types types,
                              CUmodule *out)
{
	tulle__cuda_state *const self = device->state;
	const tulle__gpu_module *const module = tulle__gpu_module_named(name);
	const char *image = NULL;
	tulle__cuda_loaded *made = NULL;
	tulle_status s = TULLE_OK;

	for (const tulle__cuda_loaded *l = self->modules; l; l = l->next)
		if (l->module == module && l->types.value == types.value && l->types.index == types.index) {
			*out = l->handle;
			return TULLE_OK;
		}
	if (module)
		image = tulle__gpu_image(module, types);
	if (!image)
		return tulle__fail(TULLE_E_INTERNAL, "there is no module %s", name);
	s = tulle__alloc_zero(device->env, 1, sizeof *made, &made);
	if (s != TULLE_OK)
		return s;
	s = TULLE__CUDA(cuModuleLoadData, &made->handle, image);
	if (s != TULLE_OK) {
		tulle__free(device->env, made);
		return tulle__fail_in(s, name);
	}
	made->module = module;
	made->types = types;
	made->next = self->modules;
	self->modules = made;
	*out = made->handle;
	return TULLE_OK;
}

static tulle_status kernel(tulle__gpu_device *device, const char *module, const char *name,
                           tulle__gpu_types types, void **out)
{
	tulle__cuda_state *const self = device->state;
	CUmodule in = NULL;
	CUfunction found = NULL;
	char full[96];
	tulle_status s = tulle__cuda_enter(device);

	if (s != TULLE_OK)
		return s;
	snprintf(full, sizeof full, "%s_%s_%s", name, tulle__type_of(types.value)->name,
	         types.index == TULLE_I64 ? "i64" : "i32");
	pthread_mutex_lock(&self->lock);
	s = module_of(device, module, types, &in);
	pthread_mutex_unlock(&self->lock);
	if (s == TULLE_OK)
		s = TULLE__CUDA(cuModuleGetFunction, &found, in, full);
	if (s == TULLE_E_DEVICE)
		s = tulle__fail_in(s, full);
	*out = found;
	return tulle__cuda_leave(s);
}

static tulle_status launch(tulle__gpu_device *device, void *queue, void *called, int64_t blocks,
                           int threads, int words, const tulle__gpu_word *word)
{
	void *argument[ARGUMENTS];
	tulle_status s;

	if (blocks > INT32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%" PRId64
		                   " blocks of %d threads; CUDA launches at most 2^31 - 1 blocks",
		                   blocks, threads);
	if (words > ARGUMENTS)
		return tulle__fail(TULLE_E_INTERNAL, "a kernel has %d arguments, at most %d are expected",
		                   words, ARGUMENTS);
	for (int n = 0; n < words; n++)
		argument[n] = (void *)(uintptr_t)&word[n].is; /* only read */
	s = tulle__cuda_enter(device);
	if (s != TULLE_OK)
		return s;
	return tulle__cuda_leave(TULLE__CUDA(cuLaunchKernel, called, (unsigned)blocks, 1, 1,
	                                     (unsigned)threads, 1, 1, 0, queue, argument, NULL));
}

const tulle__gpu_driver tulle__cuda = {
	.name = "cuda",
	.count = tulle__cuda_count,
	.info = tulle__cuda_info,
	.properties = tulle__cuda_properties,
	.open = tulle__cuda_open,
	.close = tulle__cuda_close,
	.native = native,
	.alloc = alloc,
	.import = import,
	.free = free_memory,
	.queue_open = queue_open,
	.queue_close = queue_close,
	.finish = finish,
	.idle = idle,
	.write = write_memory,
	.read = read_memory,
	.clear = clear,
	.kernel = kernel,
	.launch = launch,
};
