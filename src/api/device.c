/* device.c -- GPUs: which are there, opening them, their queues and vectors. */
#include "api/device.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which are there ---- */

/* The driver of device n, counted over all drivers, and the device's number in it; NULL: there are fewer
 * devices. */
static const tulle__gpu_driver *device_at(tulle__env *env, int n, int *number)
{
	const tulle__gpu_driver *driver;

	for (int d = 0; (driver = tulle__gpu_driver_at(d)); d++) {
		const int count = driver->count(env);

		if (n < count) {
			*number = n;
			return driver;
		}
		n -= count;
	}
	return NULL;
}

static int count_devices(tulle__env *env)
{
	const tulle__gpu_driver *driver;
	int count = 0;

	for (int d = 0; (driver = tulle__gpu_driver_at(d)); d++)
		count += driver->count(env);
	return count;
}

tulle_status tulle_device_count(tulle_context *context, int *count)
{
	tulle_context *c;
	const tulle_status s = tulle__context_of(context, &c);

	if (s != TULLE_OK)
		return s;
	if (!count)
		return tulle__fail(TULLE_E_ARGUMENT, "count is NULL");
	*count = count_devices(&c->env);
	return TULLE_OK;
}

static tulle_status describe(tulle__env *env, int n, tulle_device_info *out)
{
	int number = 0;
	const tulle__gpu_driver *const driver = device_at(env, n, &number);

	memset(out, 0, sizeof *out);
	out->size = sizeof *out;
	if (!driver)
		return tulle__fail(TULLE_E_ARGUMENT, "n = %d: there are %d devices", n, count_devices(env));
	return driver->info(env, number, out);
}

tulle_status tulle_device_describe(tulle_context *context, int n, tulle_device_info *info)
{
	tulle_device_info known;
	tulle_context *c;
	tulle_status s = tulle__context_of(context, &c);

	if (s == TULLE_OK && n < 0)
		s = tulle__fail(TULLE_E_ARGUMENT, "n = %d is negative", n);
	if (s == TULLE_OK)
		s = describe(&c->env, n, &known);
	return s == TULLE_OK ? tulle__write_info("tulle_device_info", info, &known, sizeof known) : s;
}

/* ---- opening ---- */

tulle_status tulle__find_device(tulle__env *env, const char *name, const tulle__gpu_driver **driver,
                                int *number)
{
	tulle_device_info info;
	const int count = count_devices(env);

	for (int n = 0; n < count; n++) {
		if (describe(env, n, &info) != TULLE_OK)
			continue;
		if (name ? strcmp(name, info.name) == 0 : info.usable) {
			*driver = device_at(env, n, number);
			return TULLE_OK;
		}
	}
	if (name)
		return tulle__fail(
		    TULLE_E_ARGUMENT,
		    "there is no device \"%s\"; %d devices were found, `tulle devices` lists "
		    "them",
		    tulle__show_name(name, strlen(name)).text, count);
	return tulle__fail(TULLE_E_UNSUPPORTED,
	                   "no usable device among %d: neither libcuda.so.1 nor an "
	                   "OpenCL driver offers one",
	                   count);
}

static tulle_status check_options(const tulle_device_options *o)
{
	if (o->width < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "options.width = %d is negative", o->width);
	if (o->local_exchange != 0 && o->local_exchange != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.local_exchange = %d is not 0 or 1",
		                   o->local_exchange);
	return TULLE_OK;
}

static tulle_status open_device(tulle_context *context, const char *name,
                                const tulle_device_options *options, tulle_device *d)
{
	int number = 0;
	tulle_status s;

	d->gpu.env = &context->env;
	s = tulle__find_device(d->gpu.env, name, &d->gpu.driver, &number);
	d->gpu.number = number;
	return s == TULLE_OK ? d->gpu.driver->open(number, options, &d->gpu) : s;
}

tulle_status tulle_device_open(tulle_context *context, const char *name,
                               const tulle_device_options *options, tulle_device **out)
{
	tulle_device_options o;
	tulle_context *c;
	tulle_device *d;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	s = tulle__context_of(context, &c);
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_device_options", options, &o, sizeof o);
	if (s == TULLE_OK)
		s = check_options(&o);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(&c->env, 1, sizeof *d, &d);
	if (s != TULLE_OK)
		return s;
	s = open_device(c, name, &o, d);
	if (s != TULLE_OK) {
		tulle__free(&c->env, d);
		return s;
	}
	atomic_init(&d->holds, 1);
	pthread_mutex_init(&d->lock, NULL);
	d->context = c;
	tulle__context_hold(c);
	*out = d;
	return TULLE_OK;
}

void tulle__device_hold(tulle_device *device)
{
	atomic_fetch_add_explicit(&device->holds, 1, memory_order_relaxed);
}

void tulle_device_close(tulle_device *device)
{
	tulle_context *context;

	if (!device || atomic_fetch_sub_explicit(&device->holds, 1, memory_order_acq_rel) > 1)
		return;
	context = device->context;
	device->gpu.driver->close(&device->gpu);
	pthread_mutex_destroy(&device->lock);
	tulle__free(&context->env, device);
	tulle_context_destroy(context);
}

void *tulle_device_native(const tulle_device *device)
{
	return device ? device->gpu.driver->native(&device->gpu) : NULL;
}

/* ---- queues ---- */

tulle_status tulle_queue_create(tulle_device *device, void *native, tulle_queue **out)
{
	tulle_queue *q;
	tulle_status s;

	if (out)
		*out = NULL;
	if (!device || !out)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", device ? "out" : "device");
	s = tulle__alloc_zero(device->gpu.env, 1, sizeof *q, &q);
	if (s != TULLE_OK)
		return s;
	s = device->gpu.driver->queue_open(&device->gpu, native, &q->native);
	if (s != TULLE_OK) {
		tulle__free(device->gpu.env, q);
		return s;
	}
	q->device = device;
	q->imported = native != NULL;
	tulle__device_hold(device);
	pthread_mutex_lock(&device->lock);
	q->next = device->queues;
	device->queues = q;
	pthread_mutex_unlock(&device->lock);
	*out = q;
	return TULLE_OK;
}

tulle_status tulle_queue_finish(tulle_queue *queue)
{
	if (!queue)
		return tulle__fail(TULLE_E_ARGUMENT, "queue is NULL");
	return queue->device->gpu.driver->finish(&queue->device->gpu, queue->native);
}

void *tulle_queue_native(const tulle_queue *queue)
{
	return queue ? queue->native : NULL;
}

/* Does the native queue still exist? A caller may destroy an imported one first; drivers without `idle` retain
 * it. */
static int survives(const tulle_queue *queue)
{
	return !queue->imported || !queue->device->gpu.driver->idle;
}

void tulle_queue_destroy(tulle_queue *queue)
{
	tulle_device *device;
	tulle_queue **at;

	if (!queue)
		return;
	device = queue->device;
	if (survives(queue)) /* else freeing the working memory waits */
		device->gpu.driver->finish(&device->gpu, queue->native);
	pthread_mutex_lock(&device->lock);
	for (at = &device->queues; *at != queue;)
		at = &(*at)->next;
	*at = queue->next;
	pthread_mutex_unlock(&device->lock);
	if (queue->scratch.handle)
		device->gpu.driver->free(&device->gpu, queue->scratch, 0);
	device->gpu.driver->queue_close(&device->gpu, queue->native);
	tulle__free(device->gpu.env, queue);
	tulle_device_close(device);
}

void tulle__device_wait(tulle_device *device)
{
	int may_be_gone = 0;

	pthread_mutex_lock(&device->lock);
	for (const tulle_queue *q = device->queues; q; q = q->next)
		if (survives(q))
			device->gpu.driver->finish(&device->gpu, q->native);
		else
			may_be_gone = 1;
	pthread_mutex_unlock(&device->lock);
	if (may_be_gone)
		device->gpu.driver->idle(&device->gpu);
}

tulle_status tulle__queue_scratch(tulle_queue *queue, size_t bytes, tulle__gpu_memory *out)
{
	tulle__gpu_device *const gpu = &queue->device->gpu;
	tulle_status s = TULLE_OK;

	if (bytes > queue->scratch_bytes) {
		s = gpu->driver->finish(gpu, queue->native);
		if (queue->scratch.handle)
			gpu->driver->free(gpu, queue->scratch, 0);
		queue->scratch.handle = 0;
		queue->scratch_bytes = 0;
		if (s == TULLE_OK)
			s = gpu->driver->alloc(gpu, bytes, &queue->scratch);
		if (s == TULLE_OK)
			queue->scratch_bytes = bytes;
	}
	*out = queue->scratch;
	return s;
}

/* ---- vectors ---- */

static tulle_status check_vector(const tulle_device *device, tulle_value_type type, int64_t count)
{
	const tulle_status s = tulle__check_compute_type("type", type);

	if (s != TULLE_OK)
		return s;
	if (tulle__bytes(count, TULLE__LARGEST_VALUE) == SIZE_MAX)
		return tulle__fail(TULLE_E_ARGUMENT, "count = %" PRId64 " is negative or too large", count);
	if (tulle__gpu_doubles(type) && !device->gpu.f64)
		return tulle__fail(TULLE_E_UNSUPPORTED, "this device has no double precision");
	return TULLE_OK;
}

tulle_status tulle_vector_create(tulle_device *device, tulle_value_type type, int64_t count,
                                 void *native, tulle_vector **out)
{
	tulle_vector *v;
	tulle_status s;

	if (out)
		*out = NULL;
	if (!device || !out)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", device ? "out" : "device");
	s = check_vector(device, type, count);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(device->gpu.env, 1, sizeof *v, &v);
	if (s != TULLE_OK)
		return s;
	v->device = device;
	v->imported = native != NULL;
	v->type = type;
	v->count = count;
	s = native ? device->gpu.driver->import(&device->gpu, native, count, tulle__value_size(type),
	                                        &v->memory)
	           : device->gpu.driver->alloc(&device->gpu,
	                                       count > 0 ? (size_t)count * tulle__value_size(type) : 1,
	                                       &v->memory);
	if (s != TULLE_OK) {
		tulle__free(device->gpu.env, v);
		return s;
	}
	tulle__device_hold(device);
	*out = v;
	return TULLE_OK;
}

void tulle_vector_destroy(tulle_vector *vector)
{
	tulle_device *device;

	if (!vector)
		return;
	device = vector->device;
	device->gpu.driver->free(&device->gpu, vector->memory, vector->imported);
	tulle__free(device->gpu.env, vector);
	tulle_device_close(device);
}

void *tulle_vector_native(const tulle_vector *vector)
{
	const uintptr_t handle = vector ? (uintptr_t)vector->memory.handle : 0;

	return (void *)handle;
}

static tulle_status check_piece(const tulle_queue *queue, const tulle_vector *v, int64_t first,
                                int64_t count, const void *host)
{
	if (!queue || !v || (!host && count > 0))
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL",
		                   !queue ? "queue"
		                   : !v   ? "vector"
		                          : "the host's memory");
	if (queue->device != v->device)
		return tulle__fail(TULLE_E_ARGUMENT, "queue and vector are of different devices");
	if (first < 0 || count < 0 || first > v->count || count > v->count - first)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "elements %" PRId64 " + %" PRId64 " of a vector of %" PRId64, first,
		                   count, v->count);
	return TULLE_OK;
}

tulle_status tulle_vector_write(tulle_queue *queue, tulle_vector *vector, int64_t first,
                                int64_t count, const void *from)
{
	const tulle_status s = check_piece(queue, vector, first, count, from);
	size_t size;

	if (s != TULLE_OK || count == 0)
		return s;
	size = tulle__value_size(vector->type);
	return queue->device->gpu.driver->write(&queue->device->gpu, queue->native, vector->memory,
	                                        (size_t)first * size, from, (size_t)count * size);
}

tulle_status tulle_vector_read(tulle_queue *queue, const tulle_vector *vector, int64_t first,
                               int64_t count, void *to)
{
	const tulle_status s = check_piece(queue, vector, first, count, to);
	size_t size;

	if (s != TULLE_OK || count == 0)
		return s;
	size = tulle__value_size(vector->type);
	return queue->device->gpu.driver->read(&queue->device->gpu, queue->native, vector->memory,
	                                       (size_t)first * size, to, (size_t)count * size);
}
