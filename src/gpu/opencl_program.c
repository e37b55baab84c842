/* opencl_program.c -- kernels for OpenCL, compiled from source on first use. */
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "gpu/opencl.h"
#include "gpu/opencl_cache.h"

#include <stdio.h>
#include <string.h>

enum { OPTIONS = 256 };

/* Returns their length. */
static size_t build_options(const tulle__gpu_device *device, tulle__gpu_types types, char *to)
{
	const tulle__opencl_state *const state = device->state;

	snprintf(to, OPTIONS,
	         "-cl-std=%s -DTULLE_F64=%d -DTULLE_COMPLEX=%d -DTULLE_I64=%d -DWIDTH=%d -DBLOCK=%d "
	         "-DSUBGROUPS=%d%s",
	         device->shuffles ? "CL3.0" : "CL1.2", tulle__gpu_doubles(types.value),
	         tulle__type_of(types.value)->parts == 2, types.index == TULLE_I64, device->width,
	         TULLE__GPU_BLOCK, device->shuffles,
	         device->shuffles && state->names_width ? " -DSUBGROUP_SIZE_ATTRIBUTE" : "");
	return strlen(to);
}

/* The output of the compiler: its beginning goes to the error message, all of it (up to a limit) to
 * the log. */
static tulle_status build_failed(tulle__gpu_device *device, cl_program program, const char *module,
                                 cl_int error)
{
	enum { MOST = 64 << 10 };
	tulle__opencl_state *const state = device->state;
	size_t bytes = 0;
	char *words = NULL;

	state->cl->clGetProgramBuildInfo(program, state->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
	if (bytes > 0 && bytes <= MOST &&
	    tulle__alloc_zero(device->env, (int64_t)bytes + 1, 1, &words) == TULLE_OK)
		state->cl->clGetProgramBuildInfo(program, state->id, CL_PROGRAM_BUILD_LOG, bytes, words,
		                                 NULL);
	if (words)
		tulle__log(device->env, TULLE_LOG_WARNING, "OpenCL compiler on %s.gpu: %s", module, words);
	tulle__fail(TULLE_E_DEVICE, "OpenCL: %s.gpu does not compile (error %d): %.300s", module, error,
	            words ? words : "the compiler says nothing");
	tulle__free(device->env, words);
	return TULLE_E_DEVICE;
}

static tulle_status keep_binary(tulle__gpu_device *device, cl_program program,
                                const tulle__opencl_key *key)
{
	tulle__opencl_state *const state = device->state;
	size_t bytes = 0;
	unsigned char *binary;
	tulle_status s;

	if (state->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) !=
	        CL_SUCCESS ||
	    bytes == 0)
		return TULLE_OK;
	s = tulle__alloc(device->env, (int64_t)bytes, 1, &binary);
	if (s != TULLE_OK)
		return s;
	if (state->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
	    CL_SUCCESS)
		tulle__opencl_cache_put(device->env, state->cache, key, binary, bytes);
	tulle__free(device->env, binary);
	return TULLE_OK;
}

/* A program from the cache; NULL: there is none, or the driver rejects it. */
static cl_program from_cache(tulle__gpu_device *device, const char *options,
                             const tulle__opencl_key *key)
{
	tulle__opencl_state *const state = device->state;
	cl_program program = NULL;
	cl_int error, status = CL_SUCCESS;
	unsigned char *binary;
	size_t bytes;

	if (!tulle__opencl_cache_get(device->env, state->cache, key, &binary, &bytes))
		return NULL;
	program = state->cl->clCreateProgramWithBinary(
	    state->context, 1, &state->id, &bytes, (const unsigned char **)&binary, &status, &error);
	tulle__free(device->env, binary);
	if (error == CL_SUCCESS && status == CL_SUCCESS &&
	    state->cl->clBuildProgram(program, 1, &state->id, options, NULL, NULL) == CL_SUCCESS)
		return program;
	if (error == CL_SUCCESS)
		state->cl->clReleaseProgram(program);
	return NULL;
}

static tulle_status build_program(tulle__gpu_device *device, const tulle__gpu_module *m,
                                  tulle__gpu_types types, cl_program *out)
{
	tulle__opencl_state *const state = device->state;
	const char *text[] = { tulle__gpu_dialect.begin, m->begin };
	const size_t length[] = { (size_t)(tulle__gpu_dialect.end - text[0]),
		                      (size_t)(m->end - text[1]) };
	char options[OPTIONS];
	const size_t options_length = build_options(device, types, options);
	const tulle__opencl_key key = {
		{ state->model, state->driver, options, text[0], text[1] },
		{ strlen(state->model), strlen(state->driver), options_length, length[0], length[1] },
	};
	const double start = tulle__seconds();
	cl_int error;

	*out = state->cache ? from_cache(device, options, &key) : NULL;
	if (*out)
		return TULLE_OK;
	*out = state->cl->clCreateProgramWithSource(state->context, 2, text, length, &error);
	if (error != CL_SUCCESS)
		return tulle__opencl_fail("clCreateProgramWithSource", error);
	error = state->cl->clBuildProgram(*out, 1, &state->id, options, NULL, NULL);
	if (error != CL_SUCCESS) {
		const tulle_status s = build_failed(device, *out, m->name, error);

		state->cl->clReleaseProgram(*out);
		return s;
	}
	tulle__log(device->env, TULLE_LOG_DEBUG, "OpenCL compiled %s.gpu (%s) in %.3f s", m->name,
	           options, tulle__seconds() - start);
	return state->cache ? keep_binary(device, *out, &key) : TULLE_OK;
}

/* ---- the list of kernels; the caller holds the lock ---- */

static int same_types(tulle__gpu_types a, tulle__gpu_types b)
{
	return a.value == b.value && a.index == b.index;
}

static tulle__opencl_kernel *find(const tulle__opencl_state *state, const char *module,
                                  const char *name, tulle__gpu_types types)
{
	tulle__opencl_kernel *k = state->kernels;

	while (k && !(strcmp(k->module, module) == 0 && same_types(k->types, types) &&
	              (!name || strcmp(k->name, name) == 0)))
		k = k->next;
	return k;
}

/* The list's first kernel of a module holds its program. */
static tulle_status add(tulle__gpu_device *device, tulle__opencl_kernel *k)
{
	tulle__opencl_state *const state = device->state;
	const tulle__opencl_kernel *const sibling = find(state, k->module, NULL, k->types);
	const tulle__gpu_module *const m = tulle__gpu_module_named(k->module);
	char full[96];
	cl_int error;
	tulle_status s = TULLE_OK;

	if (!m)
		return tulle__fail(TULLE_E_INTERNAL, "there are no kernels %s.gpu", k->module);
	if (sibling)
		k->program = sibling->program;
	else
		s = build_program(device, m, k->types, &k->program);
	if (s != TULLE_OK)
		return s;
	snprintf(full, sizeof full, "%s_%s_%s", k->name, tulle__type_of(k->types.value)->name,
	         k->types.index == TULLE_I64 ? "i64" : "i32");
	k->kernel = state->cl->clCreateKernel(k->program, full, &error);
	if (error == CL_SUCCESS) {
		k->next = state->kernels;
		state->kernels = k;
		return TULLE_OK;
	}
	if (!sibling)
		state->cl->clReleaseProgram(k->program);
	return tulle__fail_in(tulle__opencl_fail("clCreateKernel", error), full);
}

tulle_status tulle__opencl_get_kernel(tulle__gpu_device *device, const char *module,
                                      const char *name, tulle__gpu_types types, void **out)
{
	tulle__opencl_state *const state = device->state;
	tulle__opencl_kernel *k;
	tulle_status s = TULLE_OK;

	pthread_mutex_lock(&state->lock);
	k = find(state, module, name, types);
	if (!k) {
		s = tulle__alloc_zero(device->env, 1, sizeof *k, &k);
		if (s == TULLE_OK) {
			k->module = module;
			k->name = name;
			k->types = types;
			s = add(device, k);
			if (s != TULLE_OK)
				tulle__free(device->env, k);
		}
	}
	pthread_mutex_unlock(&state->lock);
	*out = s == TULLE_OK ? k : NULL;
	return s;
}

void tulle__opencl_release_kernels(tulle__gpu_device *device)
{
	tulle__opencl_state *const state = device->state;

	while (state->kernels) {
		tulle__opencl_kernel *const k = state->kernels;

		state->kernels = k->next;
		state->cl->clReleaseKernel(k->kernel);
		if (!find(state, k->module, NULL, k->types))
			state->cl->clReleaseProgram(k->program);
		tulle__free(device->env, k);
	}
}
