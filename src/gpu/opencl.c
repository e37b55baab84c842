/* opencl.c -- memory, queues and launches by OpenCL 1.2 or newer. */
#include "gpu/opencl.h"

#include "core/status.h"

#include <inttypes.h>

static void *opencl_native(const tulle__gpu_device *device)
{
	return ((const tulle__opencl_state *)device->state)->context;
}

/* ---- memory ---- */

static cl_mem as_mem(tulle__gpu_memory memory)
{
	return (cl_mem)(uintptr_t)memory.handle;
}

static tulle_status opencl_alloc(tulle__gpu_device *device, size_t bytes, tulle__gpu_memory *out)
{
	tulle__opencl_state *const state = device->state;
	cl_int error;

	out->handle = (uintptr_t)state->cl->clCreateBuffer(state->context, CL_MEM_READ_WRITE, bytes,
	                                                   NULL, &error);
	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clCreateBuffer", error);
}

/* Buffers are aligned to the largest type. */
static tulle_status opencl_import(tulle__gpu_device *device, void *native, int64_t count,
                                  size_t element, tulle__gpu_memory *out)
{
	tulle__opencl_state *const state = device->state;
	size_t bytes = 0;
	cl_int error = state->cl->clGetMemObjectInfo(native, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);

	if (error != CL_SUCCESS)
		return tulle__opencl_fail("clGetMemObjectInfo", error);
	if (bytes / element < (size_t)count)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "native: the buffer has %zu bytes, and %" PRId64 " elements need %zu",
		                   bytes, count, (size_t)count * element);
	error = state->cl->clRetainMemObject(native);
	out->handle = (uintptr_t)native;
	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clRetainMemObject", error);
}

/* Imported memory was retained, so both kinds are released. The driver waits for launches that use the
 * memory. */
static void opencl_free(tulle__gpu_device *device, tulle__gpu_memory memory, int imported)
{
	tulle__opencl_state *const state = device->state;

	(void)imported;
	state->cl->clReleaseMemObject(as_mem(memory));
}

/* ---- queues ---- */

static tulle_status opencl_queue_open(tulle__gpu_device *device, void *native, void **queue)
{
	tulle__opencl_state *const state = device->state;
	cl_int error;

	if (native) {
		*queue = native;
		error = state->cl->clRetainCommandQueue(native);
	} else {
		*queue = state->cl->clCreateCommandQueue(state->context, state->id, 0, &error);
	}
	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clCreateCommandQueue", error);
}

static void opencl_queue_close(tulle__gpu_device *device, void *queue)
{
	tulle__opencl_state *const state = device->state;

	state->cl->clReleaseCommandQueue(queue);
}

static tulle_status opencl_finish(tulle__gpu_device *device, void *queue)
{
	tulle__opencl_state *const state = device->state;
	const cl_int error = state->cl->clFinish(queue);

	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clFinish", error);
}

static tulle_status opencl_write(tulle__gpu_device *device, void *queue, tulle__gpu_memory to,
                                 size_t first, const void *from, size_t bytes)
{
	tulle__opencl_state *const state = device->state;
	const cl_int error =
	    state->cl->clEnqueueWriteBuffer(queue, as_mem(to), 1, first, bytes, from, 0, NULL, NULL);

	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clEnqueueWriteBuffer", error);
}

static tulle_status opencl_read(tulle__gpu_device *device, void *queue, tulle__gpu_memory from,
                                size_t first, void *to, size_t bytes)
{
	tulle__opencl_state *const state = device->state;
	const cl_int error =
	    state->cl->clEnqueueReadBuffer(queue, as_mem(from), 1, first, bytes, to, 0, NULL, NULL);

	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clEnqueueReadBuffer", error);
}

static tulle_status opencl_clear(tulle__gpu_device *device, void *queue, tulle__gpu_memory memory,
                                 size_t bytes)
{
	static const unsigned char zero = 0;
	tulle__opencl_state *const state = device->state;
	const cl_int error = state->cl->clEnqueueFillBuffer(queue, as_mem(memory), &zero, sizeof zero,
	                                                    0, bytes, 0, NULL, NULL);

	return error == CL_SUCCESS ? TULLE_OK : tulle__opencl_fail("clEnqueueFillBuffer", error);
}

/* ---- launches ---- */

static tulle_status opencl_launch(tulle__gpu_device *device, void *queue, void *kernel,
                                  int64_t blocks, int threads, int count,
                                  const tulle__gpu_word *word)
{
	tulle__opencl_state *const state = device->state;
	const tulle__opencl_kernel *const k = kernel;
	const size_t all = (size_t)blocks * (size_t)threads, local = (size_t)threads;
	cl_int error = CL_SUCCESS;

	/* A kernel object holds its arguments, so only one thread may use it from setting the arguments
	 * until the launch. */
	pthread_mutex_lock(&state->lock);
	for (int n = 0; n < count && error == CL_SUCCESS; n++)
		error = state->cl->clSetKernelArg(k->kernel, (cl_uint)n, word[n].size, &word[n].is);
	if (error == CL_SUCCESS)
		error = state->cl->clEnqueueNDRangeKernel(queue, k->kernel, 1, NULL, &all, &local, 0, NULL,
		                                          NULL);
	pthread_mutex_unlock(&state->lock);
	if (error == CL_SUCCESS)
		error = state->cl->clFlush(queue);
	return error == CL_SUCCESS ? TULLE_OK
	                           : tulle__fail_in(tulle__opencl_fail("a launch", error), k->name);
}

const tulle__gpu_driver tulle__opencl = {
	.name = "opencl",
	.count = tulle__opencl_count,
	.info = tulle__opencl_info,
	.properties = tulle__opencl_properties,
	.open = tulle__opencl_open,
	.close = tulle__opencl_close,
	.native = opencl_native,
	.alloc = opencl_alloc,
	.import = opencl_import,
	.free = opencl_free,
	.queue_open = opencl_queue_open,
	.queue_close = opencl_queue_close,
	.finish = opencl_finish,
	.write = opencl_write,
	.read = opencl_read,
	.clear = opencl_clear,
	.kernel = tulle__opencl_get_kernel,
	.launch = opencl_launch,
};
