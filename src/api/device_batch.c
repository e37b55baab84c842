/* device_batch.c -- a batch on a GPU: create, multiply, describe. */
#include "api/device.h"
#include "batch/batch_gpu.h"
#include "core/memory.h"
#include "core/status.h"

#include <stdio.h>
#include <string.h>

struct tulle_device_batch {
	tulle_device *device;
	tulle__gpu_plan gpu; /* its rows and columns are those of the packed vectors */
	int64_t count, rows, cols;
	const char *kernel;
};

int tulle_device_batch_kernel(int n, tulle_device_batch_kernel_info *info)
{
	tulle_device_batch_kernel_info known = { .same_bits = 1 };

	for (int k = 0; k <= n; k++)
		if (!tulle__batch_gpu_kernels[k].name)
			return 0;
	if (n < 0)
		return 0;
	snprintf(known.kernel, sizeof known.kernel, "%s", tulle__batch_gpu_kernels[n].name);
	known.words = tulle__batch_gpu_kernels[n].words;
	return tulle__write_info("tulle_device_batch_kernel_info", info, &known, sizeof known) ==
	       TULLE_OK;
}

/* ---- create ---- */

static tulle_status check_options(const tulle_device_batch_options *o)
{
	if (o->check != TULLE_CHECK_FULL && o->check != TULLE_CHECK_FAST &&
	    o->check != TULLE_CHECK_NONE)
		return tulle__fail(TULLE_E_ARGUMENT, "options.check = %d is unknown", (int)o->check);
	return TULLE_OK;
}

/* Finds what the problems share, chooses the kernel and builds everything on the device. */
static tulle_status build(tulle_device_batch *b, tulle__problems *p, const char *kernel)
{
	tulle__gpu_device *const gpu = &b->device->gpu;
	batch_gpu_way way;
	tulle_status s = tulle__check_real_type("a batch on a device", p->value_type);

	if (s == TULLE_OK)
		s = tulle__problems_compare(p);
	if (s == TULLE_OK && p->value_type == TULLE_F64 && !gpu->f64)
		s = tulle__fail(TULLE_E_UNSUPPORTED, "this device has no double precision");
	if (s == TULLE_OK)
		s = tulle__batch_gpu_choose(p, kernel, &way);
	if (s == TULLE_OK)
		s = tulle__gpu_plan_begin(&b->gpu, gpu, p->value_type, TULLE_I32);
	if (s != TULLE_OK)
		return s;
	b->gpu.rows = p->y_size;
	b->gpu.cols = p->x_size;
	b->gpu.nnz = p->nnz;
	b->count = p->count;
	b->rows = p->rows;
	b->cols = p->cols;
	b->kernel = tulle__batch_gpu_name(way);
	return tulle__gpu_plan_end(&b->gpu, tulle__batch_gpu_build(&b->gpu, p, way));
}

static tulle_status create(tulle_device *device, const tulle_batch_source *source,
                           const tulle_device_batch_options *o, tulle_device_batch **out)
{
	tulle__env *const env = device->gpu.env;
	tulle_device_batch *b;
	tulle__problems p;
	tulle_status s = tulle__problems_from_source(env, source, o->check, &p);

	if (s != TULLE_OK)
		return s;
	s = tulle__alloc_zero(env, 1, sizeof *b, &b);
	if (s == TULLE_OK) {
		b->device = device;
		tulle__device_hold(device);
		s = build(b, &p, o->kernel);
	}
	tulle__free(env, p.problem);
	if (s != TULLE_OK) {
		tulle_device_batch_destroy(b);
		return s;
	}
	*out = b;
	return TULLE_OK;
}

tulle_status tulle_device_batch_create(tulle_device *device, const tulle_batch_source *source,
                                       const tulle_device_batch_options *options,
                                       tulle_device_batch **out)
{
	tulle_device_batch_options o = { 0 };
	tulle_batch_source known = { 0 };
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!device || !source)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", device ? "source" : "device");
	s = tulle__read_options("tulle_device_batch_options", options, &o, sizeof o);
	if (s == TULLE_OK)
		s = check_options(&o);
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_batch_source", source, &known, sizeof known);
	return s == TULLE_OK ? create(device, &known, &o, out) : s;
}

void tulle_device_batch_destroy(tulle_device_batch *batch)
{
	tulle_device *device;

	if (!batch)
		return;
	device = batch->device;
	tulle__device_wait(device);
	tulle__gpu_plan_release(&batch->gpu);
	tulle__free(device->gpu.env, batch);
	tulle_device_close(device);
}

/* ---- multiply, describe ---- */

tulle_status tulle_device_batch_mul(const tulle_device_batch *batch, tulle_queue *queue,
                                    double alpha, const tulle_vector *x, double beta,
                                    tulle_vector *y)
{
	tulle_status s;

	if (!batch)
		return tulle__fail(TULLE_E_ARGUMENT, "batch is NULL");
	s = tulle__check_vectors(batch->device, queue, batch->gpu.types.value, x, batch->gpu.cols, y,
	                         batch->gpu.rows);
	return s == TULLE_OK ? tulle__gpu_plan_run(&batch->gpu, queue->native,
	                                           &(tulle__gpu_call){ .x = x->memory,
	                                                               .y = y->memory,
	                                                               .alpha = tulle__real(alpha),
	                                                               .beta = tulle__real(beta) })
	                     : s;
}

tulle_status tulle_device_batch_describe(const tulle_device_batch *batch,
                                         tulle_device_batch_info *info)
{
	tulle_device_batch_info known = { .same_bits = 1 };

	if (!batch)
		return tulle__fail(TULLE_E_ARGUMENT, "batch is NULL");
	known.count = batch->count;
	known.rows = batch->rows;
	known.cols = batch->cols;
	known.nnz = batch->gpu.nnz;
	known.x_size = batch->gpu.cols;
	known.y_size = batch->gpu.rows;
	known.value_type = batch->gpu.types.value;
	snprintf(known.kernel, sizeof known.kernel, "%s", batch->kernel);
	memcpy(known.note, batch->gpu.note, sizeof known.note);
	known.bytes = batch->gpu.bytes;
	known.peak = batch->gpu.peak;
	known.launches = batch->gpu.steps;
	return tulle__write_info("tulle_device_batch_info", info, &known, sizeof known);
}
