/* device_plan.c -- a matrix on a GPU: choose, build, multiply, describe. */
#include "api/device.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- formats ---- */

/* Variant n of all formats. */
static const tulle__gpu_variant *variant_at(int n, const tulle__format **of)
{
	const tulle__format *format;

	for (int f = 0; (format = tulle__format_at(f)); f++)
		for (const tulle__gpu_variant *v = format->gpu ? format->gpu->variant : NULL;
		     v && v->params; v++)
			if (n-- == 0) {
				*of = format;
				return v;
			}
	return NULL;
}

int tulle_device_format(int n, tulle_device_format_info *info)
{
	tulle_device_format_info known = { .size = sizeof known };
	const tulle__format *format;
	const tulle__gpu_variant *const v = n >= 0 ? variant_at(n, &format) : NULL;

	if (!v)
		return 0;
	snprintf(known.format, sizeof known.format, "%s%s%s", format->name, *v->params ? ":" : "",
	         v->params);
	known.words = v->words;
	known.same_bits = (v->flags & TULLE__GPU_SAME_BITS) != 0;
	known.width = v->width;
	return tulle__write_info("tulle_device_format_info", info, &known, sizeof known) == TULLE_OK;
}

/* Splits "csr:kernel=vector" into the format and its parameters. */
static tulle_status find_format(const char *name, const tulle__format **out, const char **params)
{
	const char *const colon = strchr(name, ':');
	const size_t length = colon ? (size_t)(colon - name) : strlen(name);

	*out = tulle__format_named(name, length);
	*params = colon ? colon + 1 : "";
	if (!*out)
		return tulle__fail(TULLE_E_ARGUMENT, "options.format = \"%s\": there is no such format",
		                   tulle__show_name(name, strlen(name)).text);
	if (!(*out)->gpu)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s has no kernels for GPUs", (*out)->name);
	return TULLE_OK;
}

/* ---- create ---- */

tulle_status tulle__check_device_options(const tulle_matrix *matrix,
                                         const tulle_device_plan_options *o)
{
	if (o->op == TULLE_BOTH || o->op == TULLE_BOTH_CONJUGATE)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.op = TULLE_BOTH: on a device, make one plan per direction");
	if (o->op != TULLE_NORMAL && o->op != TULLE_TRANSPOSED && o->op != TULLE_CONJUGATE)
		return tulle__fail(TULLE_E_ARGUMENT, "options.op = %d is unknown", (int)o->op);
	if (o->offset_bits != 0 && o->offset_bits != 32 && o->offset_bits != 64)
		return tulle__fail(TULLE_E_ARGUMENT, "options.offset_bits = %d is not 0, 32 or 64",
		                   o->offset_bits);
	if (o->reproducible != 0 && o->reproducible != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.reproducible = %d is not 0 or 1",
		                   o->reproducible);
	if (o->updates != 0 && o->updates != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.updates = %d is not 0 or 1", o->updates);
	if (o->lossy != 0 && o->lossy != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.lossy = %d is not 0 or 1", o->lossy);
	if (o->lossy && o->updates)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.lossy: a plan with options.updates does not round values");
	if (matrix->a.rows > TULLE__I32_MAX || matrix->a.cols > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%" PRId64 " x %" PRId64 ": on a device at most 2^31-1 rows and columns",
		                   matrix->a.rows, matrix->a.cols);
	if (o->offset_bits == 32 && matrix->a.nnz > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%" PRId64 " entries do not fit in 32-bit offsets",
		                   matrix->a.nnz);
	return tulle__check_wide_type("a device", matrix->a.value_type);
}

static tulle_status check_options(const tulle_device *device, const tulle_matrix *matrix,
                                  const tulle_device_plan_options *o)
{
	const tulle_status s = tulle__check_device_options(matrix, o);

	if (s == TULLE_OK && tulle__gpu_doubles(matrix->a.value_type) && !device->gpu.f64)
		return tulle__fail(TULLE_E_UNSUPPORTED, "this device has no double precision");
	return s;
}

int tulle__conjugates(const tulle_device_plan_options *o, tulle_value_type type)
{
	return o->op == TULLE_CONJUGATE && tulle__type_of(type)->parts > 1;
}

tulle_index_type tulle__offset_type(const tulle_device_plan_options *o)
{
	return o->offset_bits == 64 ? TULLE_I64 : o->offset_bits == 32 ? TULLE_I32 : 0;
}

static tulle_status build_format(tulle_device_plan *p, const tulle__csr *a,
                                 const tulle_device_plan_options *o,
                                 const tulle__gpu_first_values *first, const tulle__format *format,
                                 const char *params)
{
	const tulle__gpu_request request = { params, tulle__offset_type(o), o->lossy, first };
	tulle_status s;

	snprintf(p->format, sizeof p->format, "%s%s%s", format->name, *params ? ":" : "", params);
	if (!format->gpu->complex && tulle__check_real_type(format->name, a->value_type) != TULLE_OK)
		return TULLE_E_UNSUPPORTED;
	if (o->lossy && !format->gpu->rounds)
		return tulle__fail(TULLE_E_UNSUPPORTED, "options.lossy: %s does not round values",
		                   p->format);
	s = tulle__gpu_plan_build(&p->gpu, &p->device->gpu, format->gpu, a, &request);
	if (s == TULLE_OK && o->reproducible && p->gpu.atomics)
		s = tulle__fail(TULLE_E_UNSUPPORTED,
		                "options.reproducible: %s adds by atomics, in another order each time",
		                p->format);
	return s;
}

/* Builds the first format of the ranking that can be built. A format may refuse what its estimate accepted, and a
 * device may have less memory than it reports. */
static tulle_status build_best(tulle_device_plan *p, const tulle__csr *a,
                               const tulle_device_plan_options *o,
                               const tulle__gpu_first_values *first)
{
	tulle__gpu_device *const gpu = &p->device->gpu;
	tulle__gpu_ranking *ranking;
	tulle_device_model model;
	int too_large = 0;
	tulle_status s = tulle__device_model(gpu->env, gpu->driver, gpu->number, &model);

	model.width = gpu->width;
	model.shuffles = gpu->shuffles;
	if (s == TULLE_OK)
		s = tulle__alloc(gpu->env, 1, sizeof *ranking, &ranking);
	if (s != TULLE_OK)
		return s;
	s = tulle__rank_formats(gpu->env, a, &model, o, ranking);
	if (s == TULLE_OK && ranking->ranked == 0) /* the device says what it lacks */
		s = build_format(p, a, o, first, tulle__baseline_format(), "");
	for (int n = 0; n < ranking->ranked; n++) {
		s = build_format(p, a, o, first, ranking->of[n].format, ranking->of[n].e.params);
		if (s != TULLE_E_UNSUPPORTED && s != TULLE_E_MEMORY && s != TULLE_E_LIMIT)
			break;
		too_large += s == TULLE_E_MEMORY;
		tulle__gpu_plan_release(&p->gpu);
	}
	if (s == TULLE_E_UNSUPPORTED && too_large > 0)
		s = tulle__fail(TULLE_E_MEMORY,
		                "%d of %d formats do not fit in memory, "
		                "the others do not support this matrix",
		                too_large, ranking->ranked);
	tulle__free(gpu->env, ranking);
	return s;
}

static tulle_status build(tulle_device_plan *p, const tulle__csr *a,
                          const tulle_device_plan_options *o, const tulle__gpu_first_values *first)
{
	const tulle__format *format;
	const char *params;
	tulle_status s;

	if (!o->format)
		return build_best(p, a, o, first);
	s = find_format(o->format, &format, &params);
	return s == TULLE_OK ? build_format(p, a, o, first, format, params) : s;
}

static tulle_status build_op(tulle_device_plan *p, const tulle__csr *a,
                             const tulle_device_plan_options *o,
                             const tulle__gpu_first_values *first)
{
	tulle__env *const env = p->device->gpu.env;
	tulle__csr transposed;
	tulle_status s;

	if (o->op == TULLE_NORMAL)
		return build(p, a, o, first);
	s = tulle__csr_adjoint(env, a, tulle__conjugates(o, a->value_type), &transposed, NULL);
	if (s != TULLE_OK)
		return s;
	s = build(p, &transposed, o, first);
	tulle__csr_release(env, &transposed);
	return s;
}

/* A plan that can be updated: gpu/update.c. `given`: the matrix as CSR. */
static tulle_status build_updated(tulle_device_plan *p, const tulle_matrix *matrix,
                                  const tulle__csr *given, const tulle_device_plan_options *o)
{
	tulle__env *const env = p->device->gpu.env;
	tulle__csr_order of_blocks = { .source = NULL };
	const tulle__csr_order *order = matrix->blocks.ptr ? &of_blocks : &matrix->order;
	tulle__csr a = *given;
	void *numbers = NULL, *val = NULL;
	tulle_status s =
	    matrix->blocks.ptr ? tulle__bsr_order(env, &matrix->blocks, &of_blocks) : TULLE_OK;

	if (s == TULLE_OK)
		s = tulle__number_values(env, &a, order, &numbers);
	p->stored_nnz = matrix->stored_nnz;
	if (s == TULLE_OK)
		s = tulle__caller_values(env, &a, order, p->stored_nnz, &val);
	a.val = numbers;
	if (s == TULLE_OK)
		s = build_op(p, &a, o,
		             &(tulle__gpu_first_values){ val, p->stored_nnz, order->hermitian,
		                                         tulle__conjugates(o, a.value_type) });
	tulle__free(env, val);
	tulle__free(env, numbers);
	tulle__free(env, of_blocks.source);
	return s;
}

tulle_status tulle_device_plan_create(tulle_device *device, const tulle_matrix *matrix,
                                      const tulle_device_plan_options *options,
                                      tulle_device_plan **out)
{
	tulle_device_plan_options o;
	tulle_device_plan *p;
	const tulle__csr *a;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!device || !matrix)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", device ? "matrix" : "device");
	s = tulle__read_options("tulle_device_plan_options", options, &o, sizeof o);
	if (s == TULLE_OK)
		s = check_options(device, matrix, &o);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(device->gpu.env, 1, sizeof *p, &p);
	if (s != TULLE_OK)
		return s;
	p->device = device;
	tulle__device_hold(device);
	s = tulle__matrix_csr(matrix, &a);
	if (s == TULLE_OK)
		s = o.updates ? build_updated(p, matrix, a, &o) : build_op(p, a, &o, NULL);
	if (s != TULLE_OK) {
		tulle_device_plan_destroy(p);
		return s;
	}
	*out = p;
	return TULLE_OK;
}

void tulle_device_plan_destroy(tulle_device_plan *plan)
{
	tulle_device *device;

	if (!plan)
		return;
	device = plan->device;
	tulle__device_wait(device);
	tulle__gpu_plan_release(&plan->gpu);
	tulle__free(device->gpu.env, plan);
	tulle_device_close(device);
}

/* ---- multiply ---- */

static tulle_status check_one(const char *name, const tulle_device *device, tulle_value_type type,
                              const tulle_vector *v, int64_t count)
{
	if (!v)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", name);
	if (v->device != device)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is on another device", name);
	if (v->type != type)
		return tulle__fail(TULLE_E_TYPE, "%s has elements of %s, the plan is for %s", name,
		                   tulle__type_of(v->type)->name, tulle__type_of(type)->name);
	if (v->count < count)
		return tulle__fail(TULLE_E_ARGUMENT, "%s has %" PRId64 " elements, the plan needs %" PRId64,
		                   name, v->count, count);
	return TULLE_OK;
}

static tulle_status check_queue(const tulle_device *device, const tulle_queue *queue)
{
	if (!queue)
		return tulle__fail(TULLE_E_ARGUMENT, "queue is NULL");
	if (queue->device != device)
		return tulle__fail(TULLE_E_ARGUMENT, "queue is of another device");
	return TULLE_OK;
}

tulle_status tulle__check_vectors(const tulle_device *device, const tulle_queue *queue,
                                  tulle_value_type type, const tulle_vector *x, int64_t x_count,
                                  const tulle_vector *y, int64_t y_count)
{
	tulle_status s = check_queue(device, queue);

	if (s == TULLE_OK)
		s = check_one("x", device, type, x, x_count);
	if (s == TULLE_OK)
		s = check_one("y", device, type, y, y_count);
	if (s == TULLE_OK && x->memory.handle == y->memory.handle)
		s = tulle__fail(TULLE_E_ARGUMENT, "x and y are the same memory");
	return s;
}

/* Adds vectors and working memory to a call that has alpha and beta. */
static tulle_status begin_call(const tulle_device_plan *plan, tulle_queue *queue,
                               const tulle_vector *x, const tulle_vector *y, tulle__gpu_call *call)
{
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	s = tulle__check_vectors(plan->device, queue, plan->gpu.types.value, x, plan->gpu.cols, y,
	                         plan->gpu.rows);
	if (s == TULLE_OK && plan->gpu.scratch > 0)
		s = tulle__queue_scratch(queue, plan->gpu.scratch, &call->scratch);
	if (s != TULLE_OK)
		return s;
	call->x = x->memory;
	call->y = y->memory;
	return TULLE_OK;
}

tulle_status tulle_device_mul_prepare(const tulle_device_plan *plan, tulle_queue *queue)
{
	tulle__gpu_memory scratch;
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	s = check_queue(plan->device, queue);
	if (s == TULLE_OK && plan->gpu.scratch > 0)
		s = tulle__queue_scratch(queue, plan->gpu.scratch, &scratch);
	return s;
}

static tulle_status multiply(const tulle_device_plan *plan, tulle_queue *queue, tulle__scalar alpha,
                             const tulle_vector *x, tulle__scalar beta, tulle_vector *y)
{
	tulle__gpu_call call = { .alpha = alpha, .beta = beta };
	const tulle_status s = begin_call(plan, queue, x, y, &call);

	return s == TULLE_OK ? tulle__gpu_plan_run(&plan->gpu, queue->native, &call) : s;
}

tulle_status tulle_device_mul(const tulle_device_plan *plan, tulle_queue *queue, double alpha,
                              const tulle_vector *x, double beta, tulle_vector *y)
{
	return multiply(plan, queue, tulle__real(alpha), x, tulle__real(beta), y);
}

tulle_status tulle__check_complex_plan(const tulle_device_plan *plan)
{
	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (tulle__type_of(plan->gpu.types.value)->parts == 1)
		return tulle__fail(TULLE_E_TYPE, "complex factors, and the plan is for %s",
		                   tulle__type_of(plan->gpu.types.value)->name);
	return TULLE_OK;
}

tulle_status tulle_device_mul_complex(const tulle_device_plan *plan, tulle_queue *queue,
                                      tulle_c128 alpha, const tulle_vector *x, tulle_c128 beta,
                                      tulle_vector *y)
{
	const tulle_status s = tulle__check_complex_plan(plan);

	return s == TULLE_OK ? multiply(plan, queue, tulle__of_c128(alpha), x, tulle__of_c128(beta), y)
	                     : s;
}

/* ---- single launches ---- */

static tulle_status check_launch(const tulle_device_plan *plan, int n)
{
	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (n < 0 || n >= plan->gpu.steps)
		return tulle__fail(TULLE_E_ARGUMENT, "n = %d: the launches of the plan are 0 .. %d", n,
		                   plan->gpu.steps - 1);
	return TULLE_OK;
}

tulle_status tulle_device_plan_launch(const tulle_device_plan *plan, int n,
                                      tulle_device_launch_info *info)
{
	tulle_device_launch_info known = { .size = sizeof known };
	const tulle_status s = check_launch(plan, n);

	if (s != TULLE_OK)
		return s;
	snprintf(known.kernel, sizeof known.kernel, "%s", plan->gpu.step[n].kernel->name);
	known.blocks = plan->gpu.step[n].blocks;
	known.threads = plan->gpu.step[n].threads;
	return tulle__write_info("tulle_device_launch_info", info, &known, sizeof known);
}

tulle_status tulle_device_mul_launch(const tulle_device_plan *plan, tulle_queue *queue, int n,
                                     double alpha, const tulle_vector *x, double beta,
                                     tulle_vector *y)
{
	tulle__gpu_call call = { .alpha = tulle__real(alpha), .beta = tulle__real(beta) };
	tulle_status s = check_launch(plan, n);

	if (s == TULLE_OK)
		s = begin_call(plan, queue, x, y, &call);
	return s == TULLE_OK ? tulle__gpu_plan_run_step(&plan->gpu, n, queue->native, &call) : s;
}

/* ---- update ---- */

tulle_status tulle_device_plan_update(tulle_device_plan *plan, tulle_queue *queue,
                                      const tulle_vector *val)
{
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	s = check_queue(plan->device, queue);
	if (s == TULLE_OK)
		s = check_one("val", plan->device, plan->gpu.types.value, val, plan->stored_nnz);
	if (s == TULLE_OK && !plan->gpu.updates)
		s = tulle__fail(TULLE_E_UNSUPPORTED, "the plan was created without options.updates");
	return s == TULLE_OK ? tulle__gpu_plan_update(&plan->gpu, queue->native, val->memory) : s;
}

/* ---- describe ---- */

tulle_status tulle_device_plan_describe(const tulle_device_plan *plan, tulle_device_plan_info *info)
{
	tulle_device_plan_info known = { .size = sizeof known };

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	known.rows = plan->gpu.rows;
	known.cols = plan->gpu.cols;
	known.nnz = plan->gpu.nnz;
	known.value_type = plan->gpu.types.value;
	memcpy(known.format, plan->format, sizeof known.format);
	memcpy(known.note, plan->gpu.note, sizeof known.note);
	known.bytes = plan->gpu.bytes;
	known.peak = plan->gpu.peak;
	known.scratch = plan->gpu.scratch;
	known.launches = plan->gpu.steps;
	known.same_bits = !plan->gpu.atomics;
	known.value_error = plan->gpu.value_error;
	return tulle__write_info("tulle_device_plan_info", info, &known, sizeof known);
}
