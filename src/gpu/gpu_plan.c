/* gpu_plan.c -- arrays on a device and the launches of a multiplication, for whatever format. */
#include "gpu/gpu_plan.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "gpu/vectors.gpu.h"

#include <inttypes.h>
#include <string.h>

/* ---- drivers ---- */

const tulle__gpu_driver *tulle__gpu_driver_at(int n)
{
	static const tulle__gpu_driver *const driver[] = { &tulle__cuda, &tulle__opencl };

	return n < (int)(sizeof driver / sizeof *driver) ? driver[n] : NULL;
}

int tulle__gpu_warp_block(const tulle__gpu_device *device)
{
	return device->shuffles ? tulle__gpu_block(device) : device->width;
}

int tulle__gpu_lanes(const tulle__gpu_device *device, int64_t rows, int64_t nnz, int least)
{
	const int64_t most = rows > 0 ? nnz / rows / least : 0;
	int shift = 0;

	while (2 << shift <= device->width && 2 << shift <= most)
		shift++;
	return shift;
}

int tulle__gpu_block(const tulle__gpu_device *device)
{
	enum { USUAL = 128 };

	return device->width > USUAL ? device->width : USUAL;
}

/* ---- arrays ---- */

tulle_status tulle__gpu_array(tulle__gpu_plan *plan, const void *from, int64_t count, size_t size,
                              tulle__gpu_memory *out)
{
	tulle__gpu_device *const device = plan->device;
	tulle__gpu_array_held held = { .bytes = 0 };
	tulle_status s;

	if (tulle__bytes(count, size) == SIZE_MAX)
		return tulle__fail(TULLE_E_MEMORY,
		                   "%" PRId64 " elements of %zu bytes are more than memory has", count,
		                   size);
	held.bytes = count > 0 ? tulle__bytes(count, size) : 1;
	if (plan->arrays == TULLE__GPU_ARRAYS)
		return tulle__fail(TULLE_E_INTERNAL, "a plan of more than %d arrays", TULLE__GPU_ARRAYS);
	s = device->driver->alloc(device, held.bytes, &held.memory);
	if (s != TULLE_OK)
		return s;
	plan->array[plan->arrays++] = held;
	plan->bytes += held.bytes;
	plan->peak = plan->bytes > plan->peak ? plan->bytes : plan->peak;
	*out = held.memory;
	if (from && count > 0)
		s = device->driver->write(device, plan->queue, held.memory, 0, from, held.bytes);
	return s;
}

tulle_status tulle__gpu_values(tulle__gpu_plan *plan, const void *from, int64_t count,
                               tulle__gpu_memory *out)
{
	const tulle_status s =
	    tulle__gpu_array(plan, from, count, tulle__value_size(plan->types.value), out);

	if (s == TULLE_OK)
		plan->array[plan->arrays - 1].values = 1;
	return s;
}

void tulle__gpu_drop(tulle__gpu_plan *plan, tulle__gpu_memory memory)
{
	tulle__gpu_device *const device = plan->device;
	int n = 0;

	while (n < plan->arrays && plan->array[n].memory.handle != memory.handle)
		n++;
	if (n == plan->arrays)
		return;
	device->driver->finish(device, plan->queue);
	device->driver->free(device, memory, 0);
	plan->bytes -= plan->array[n].bytes;
	plan->array[n] = plan->array[--plan->arrays];
}

tulle_status tulle__gpu_clear(tulle__gpu_plan *plan, tulle__gpu_memory memory, size_t bytes)
{
	if (bytes == 0)
		return TULLE_OK;
	return plan->device->driver->clear(plan->device, plan->queue, memory, bytes);
}

tulle_status tulle__gpu_read(tulle__gpu_plan *plan, tulle__gpu_memory memory, void *to,
                             size_t bytes)
{
	if (bytes == 0)
		return TULLE_OK;
	return plan->device->driver->read(plan->device, plan->queue, memory, 0, to, bytes);
}

void tulle__gpu_scratch(tulle__gpu_plan *plan, size_t bytes)
{
	plan->scratch = bytes > plan->scratch ? bytes : plan->scratch;
}

/* ---- a matrix ---- */

typedef struct {
	const void *from;
	tulle_index_type type, as;
	int64_t count, parts;
	void *to;
} conversion;

static void convert_part(const void *arg, int64_t part)
{
	const conversion *const c = arg;
	const int64_t end = tulle__cut(c->count, c->parts, part + 1);

	for (int64_t k = tulle__cut(c->count, c->parts, part); k < end; k++)
		tulle__index_set(c->to, c->as, k, tulle__index_at(c->from, c->type, k));
}

/* Indices of one width as such of another. */
static tulle_status upload_indices(tulle__gpu_plan *plan, const void *from, tulle_index_type type,
                                   int64_t count, tulle_index_type as, tulle__gpu_memory *out)
{
	tulle__env *const env = plan->device->env;
	conversion c = { from, type, as, count, tulle__parts(count), NULL };
	tulle_status s;

	if (type == as)
		return tulle__gpu_array(plan, from, count, tulle__index_size(as), out);
	s = tulle__alloc(env, count, tulle__index_size(as), &c.to);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, convert_part, &c, c.parts, count);
	s = tulle__gpu_array(plan, c.to, count, tulle__index_size(as), out);
	tulle__free(env, c.to);
	return s;
}

static tulle_status upload_ones(tulle__gpu_plan *plan, int64_t count, tulle__gpu_memory *out)
{
	const tulle__csr_order as_they_are = { .source = NULL };
	tulle__env *const env = plan->device->env;
	void *ones;
	tulle_status s = tulle__alloc(env, count, tulle__value_size(plan->types.value), &ones);

	if (s != TULLE_OK)
		return s;
	tulle__csr_values(env, &as_they_are, count, plan->types.value, NULL, ones);
	s = tulle__gpu_values(plan, ones, count, out);
	tulle__free(env, ones);
	return s;
}

tulle_status tulle__gpu_offsets(tulle__gpu_plan *plan, const void *from, tulle_index_type type,
                                int64_t count, tulle__gpu_memory *out)
{
	return upload_indices(plan, from, type, count, plan->types.index, out);
}

tulle_status tulle__gpu_upload(tulle__gpu_plan *plan, const tulle__csr *a, tulle__gpu_csr *out)
{
	tulle_status s =
	    tulle__gpu_offsets(plan, a->row_ptr, a->offset_type, a->rows + 1, &out->row_ptr);

	if (s == TULLE_OK)
		s = upload_indices(plan, a->col, a->column_type, a->nnz, TULLE_I32, &out->col);
	if (s != TULLE_OK)
		return s;
	return a->val ? tulle__gpu_values(plan, a->val, a->nnz, &out->val)
	              : upload_ones(plan, a->nnz, &out->val);
}

/* ---- launches ---- */

static tulle__gpu_word value_word(tulle_value_type type, tulle__scalar v)
{
	tulle__gpu_word word = { .size = tulle__value_size(type) };

	switch (type) {
	case TULLE_F32: word.is.f32 = (float)v.re; break;
	case TULLE_F64: word.is.f64 = v.re; break;
	case TULLE_C64:
		word.is.c64[0] = (float)v.re;
		word.is.c64[1] = (float)v.im;
		break;
	case TULLE_C128:
		word.is.c128[0] = v.re;
		word.is.c128[1] = v.im;
		break;
	case TULLE_F16:
	case TULLE_BF16: break; /* no device stores these */
	}
	return word;
}

/* The factor that was given, which is real, or else the call's. */
static tulle__gpu_word factor_word(tulle_value_type type, const tulle__gpu_arg *arg,
                                   tulle__scalar else_this)
{
	return value_word(type, arg->value != 0 ? tulle__real(arg->value) : else_this);
}

static tulle__gpu_word i32_word(int64_t number)
{
	return (tulle__gpu_word){ .size = sizeof(int32_t), .is.i32 = (int32_t)number };
}

static tulle__gpu_word i64_word(int64_t number)
{
	return (tulle__gpu_word){ .size = sizeof number, .is.i64 = number };
}

/* The array that was given, or else the call's. */
static tulle__gpu_word memory_word(const tulle__gpu_arg *arg, tulle__gpu_memory else_this,
                                   const tulle__gpu_call *call)
{
	const tulle__gpu_memory scratch = TULLE__GPU_SCRATCH;
	const tulle__gpu_memory memory = arg->memory.handle == 0                ? else_this
	                                 : arg->memory.handle == scratch.handle ? call->scratch
	                                                                        : arg->memory;

	return (tulle__gpu_word){ .size = sizeof memory, .is.memory = memory };
}

static tulle__gpu_word word_of(tulle__gpu_kind kind, const tulle__gpu_arg *arg,
                               tulle__gpu_types types, const tulle__gpu_call *call)
{
	static const tulle__gpu_memory none = { 0 };

	switch (kind) {
	case TULLE__GPU_INT: return i32_word(arg->number);
	case TULLE__GPU_INDEX:
		return types.index == TULLE_I32 ? i32_word(arg->number) : i64_word(arg->number);
	case TULLE__GPU_MEMORY: return memory_word(arg, none, call);
	case TULLE__GPU_X: return memory_word(arg, call->x, call);
	case TULLE__GPU_Y: return memory_word(arg, call->y, call);
	case TULLE__GPU_ALPHA: return factor_word(types.value, arg, call->alpha);
	case TULLE__GPU_BETA: return factor_word(types.value, arg, call->beta);
	case TULLE__GPU_SPREAD: return i32_word(call->spread);
	case TULLE__GPU_VECTORS: return i64_word(call->vectors);
	case TULLE__GPU_LDX: return i64_word(call->ldx);
	case TULLE__GPU_LDY: return i64_word(call->ldy);
	case TULLE__GPU_I64: break;
	}
	return i64_word(arg->number);
}

static tulle_status launch_now(const tulle__gpu_plan *plan, const tulle__gpu_recorded *step,
                               void *queue, const tulle__gpu_call *call)
{
	const tulle__gpu_kernel *const kernel = step->kernel;
	tulle__gpu_word word[TULLE__GPU_PARAMS];

	if (step->blocks == 0)
		return TULLE_OK;
	for (int n = 0; n < kernel->params; n++)
		word[n] = word_of(kernel->param[n].kind, &step->arg[n], plan->types, call);
	return plan->device->driver->launch(plan->device, queue, step->loaded, step->blocks,
	                                    step->threads, kernel->params, word);
}

/* OpenCL would compile a module that is not written for complex values, and multiply part by part. */
static tulle_status check_module(const char *name, tulle_value_type type)
{
	const tulle__gpu_module *const module = tulle__gpu_module_named(name);

	if (module && !module->complex && tulle__type_of(type)->parts > 1)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s.gpu has no kernels for %s", name,
		                   tulle__type_of(type)->name);
	return TULLE_OK;
}

static tulle_status record(const tulle__gpu_plan *plan, const tulle__gpu_launch *launch,
                           tulle__gpu_recorded *out)
{
	const tulle__gpu_kernel *const kernel = launch->kernel;
	tulle__gpu_device *const device = plan->device;
	const tulle_status s = check_module(kernel->module, plan->types.value);

	if (s != TULLE_OK)
		return s;
	*out = (tulle__gpu_recorded){ .kernel = kernel,
		                          .blocks = launch->blocks,
		                          .threads = launch->threads };
	memcpy(out->arg, launch->args, (size_t)kernel->params * sizeof *out->arg);
	for (int n = 0; n < kernel->params; n++)
		if (kernel->param[n].kind == TULLE__GPU_MEMORY && out->arg[n].memory.handle == 0)
			return tulle__fail(TULLE_E_INTERNAL, "kernel %s is launched without its array %s",
			                   kernel->name, kernel->param[n].name);
	return device->driver->kernel(device, kernel->module, kernel->name, plan->types, &out->loaded);
}

tulle_status tulle__gpu_step(tulle__gpu_plan *plan, const tulle__gpu_launch *launch)
{
	if (plan->steps == TULLE__GPU_STEPS)
		return tulle__fail(TULLE_E_INTERNAL, "a plan of more than %d steps", TULLE__GPU_STEPS);
	return record(plan, launch, &plan->step[plan->steps++]);
}

tulle_status tulle__gpu_step_many(tulle__gpu_plan *plan, const tulle__gpu_launch *launch)
{
	return record(plan, launch, &plan->many);
}

tulle_status tulle__gpu_run_in(const tulle__gpu_plan *plan, void *queue,
                               const tulle__gpu_launch *launch)
{
	static const tulle__gpu_call nothing = { .spread = 0 };
	tulle__gpu_recorded step;
	const tulle_status s = record(plan, launch, &step);

	return s == TULLE_OK ? launch_now(plan, &step, queue, &nothing) : s;
}

tulle_status tulle__gpu_run(tulle__gpu_plan *plan, const tulle__gpu_launch *launch)
{
	return tulle__gpu_run_in(plan, plan->queue, launch);
}

tulle_status tulle__gpu_step_scale(tulle__gpu_plan *plan)
{
	const int threads = tulle__gpu_block(plan->device);

	return tulle__gpu_step(plan, TULLE__LAUNCH(scale, tulle__gpu_blocks(plan->rows, threads),
	                                           threads, .n = plan->rows));
}

/* ---- lifecycle ---- */

tulle_status tulle__gpu_plan_begin(tulle__gpu_plan *plan, tulle__gpu_device *device,
                                   tulle_value_type value, tulle_index_type index)
{
	memset(plan, 0, sizeof *plan);
	plan->device = device;
	plan->types = (tulle__gpu_types){ value, index };
	return device->driver->queue_open(device, NULL, &plan->queue);
}

tulle_status tulle__gpu_plan_end(tulle__gpu_plan *plan, tulle_status status)
{
	tulle__gpu_device *const device = plan->device;

	if (status == TULLE_OK)
		status = device->driver->finish(device, plan->queue);
	device->driver->queue_close(device, plan->queue);
	plan->queue = NULL;
	return status;
}

tulle_status tulle__gpu_plan_build(tulle__gpu_plan *plan, tulle__gpu_device *device,
                                   const tulle__gpu_format *format, const tulle__csr *a,
                                   const tulle__gpu_request *request)
{
	tulle__params parsed;
	tulle_status s = tulle__params_parse(format->tunables, request->params, &parsed);
	if (s == TULLE_OK)
		s = tulle__gpu_plan_begin(plan, device, a->value_type,
		                          request->index ? request->index : tulle__index_type_for(a->nnz));
	if (s != TULLE_OK)
		return s;
	plan->rows = a->rows;
	plan->cols = a->cols;
	plan->nnz = a->nnz;
	plan->lossy = request->lossy;
	plan->updates = request->first != NULL;
	s = format->build(plan, a, &parsed);
	if (s == TULLE_OK && request->first)
		s = tulle__gpu_number_slots(plan, request->first);
	return tulle__gpu_plan_end(plan, s);
}

tulle_status tulle__gpu_plan_run_step(const tulle__gpu_plan *plan, int n, void *queue,
                                      const tulle__gpu_call *call)
{
	return launch_now(plan, &plan->step[n], queue, call);
}

tulle_status tulle__gpu_plan_run(const tulle__gpu_plan *plan, void *queue,
                                 const tulle__gpu_call *call)
{
	tulle_status s = TULLE_OK;

	for (int n = 0; n < plan->steps && s == TULLE_OK; n++)
		s = tulle__gpu_plan_run_step(plan, n, queue, call);
	return s;
}

tulle_status tulle__gpu_plan_run_many(const tulle__gpu_plan *plan, void *queue,
                                      const tulle__gpu_call *call)
{
	tulle__gpu_recorded step = plan->many;
	tulle__gpu_call spread = *call;

	while (1 << spread.spread < plan->device->width && (int64_t)1 << spread.spread < call->vectors)
		spread.spread++;
	step.blocks = tulle__gpu_blocks(plan->rows << spread.spread, step.threads);
	return launch_now(plan, &step, queue, &spread);
}

void tulle__gpu_plan_release(tulle__gpu_plan *plan)
{
	for (int n = 0; n < plan->arrays; n++)
		plan->device->driver->free(plan->device, plan->array[n].memory, 0);
	plan->arrays = 0;
}
