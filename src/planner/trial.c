/* trial.c -- one conversion and a few multiplications, timed. */
#include "planner/trial.h"

#include "core/gather.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"

#include <math.h>
#include <string.h>

tulle_status tulle__vectors_new(const tulle__csr *a, tulle__env *env, tulle__vectors *out)
{
	const size_t element = tulle__element_size(a->value_type);
	tulle_status s = tulle__alloc_zero(env, a->cols, element, &out->x);

	out->y = NULL;
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, a->rows, element, &out->y);
	if (s != TULLE_OK) {
		tulle__vectors_free(env, out);
		return s;
	}
	/* Some numbers. Pages that nobody has written to are all one and the same, which stays in the
	 * first cache however long x is. */
	memset(out->x, 0x3f, tulle__bytes(a->cols, element));
	return TULLE_OK;
}

void tulle__vectors_free(tulle__env *env, tulle__vectors *v)
{
	tulle__free(env, v->x);
	tulle__free(env, v->y);
	v->x = v->y = NULL;
}

/* The first round brings the matrix into the cache, if it fits there. */
static tulle_status multiply(const tulle__format *format, const tulle__csr *a, const void *data,
                             const tulle__vectors *v, int rounds, tulle__env *env, double *seconds)
{
	tulle__isa isa = tulle__kernel_isa(env);
	const tulle__kernel *kernel;
	tulle__layout layout;
	tulle__phases phases;
	tulle__call call = { .data = data, .x = v->x, .b = v->y, .y = v->y, .alpha = tulle__real(1) };
	tulle_status s;

	kernel = tulle__format_kernel(format, data, a->value_type, &isa);
	if (!kernel)
		return tulle__fail(TULLE_E_INTERNAL, "%s has no kernel for this matrix", format->name);
	memset(&layout, 0, sizeof layout);
	format->describe(data, &layout);
	memcpy(phases.work, kernel->phase, sizeof phases.work);
	memcpy(phases.parts, layout.parts, sizeof phases.parts);
	s = tulle__alloc(env, 1, layout.scratch, &call.scratch);
	if (s != TULLE_OK)
		return s;
	*seconds = INFINITY;
	for (int round = 0; round < rounds; round++) {
		const double begin = tulle__seconds();

		tulle__run(env, &phases, &call, a->nnz + a->rows);
		*seconds = fmin(*seconds, tulle__seconds() - begin);
	}
	tulle__free(env, call.scratch);
	return TULLE_OK;
}

tulle_status tulle__try(const tulle__format *format, const tulle__csr *a,
                        const tulle__request *request, const tulle__vectors *v, int rounds,
                        tulle__env *env, tulle__trial *out)
{
	const double begin = tulle__seconds();
	tulle__request own = *request; /* with the format's own tunables, all automatic */
	tulle_status s = tulle__params_parse(format->tunables, "", &own.params);

	*out = (tulle__trial){ .data = NULL };
	if (s == TULLE_OK)
		s = tulle__format_takes(format, a->value_type);
	if (s == TULLE_OK)
		s = format->convert(a, &own, env, &out->data);
	out->convert = tulle__seconds() - begin;
	if (s != TULLE_OK)
		return s;
	s = multiply(format, a, out->data, v, rounds, env, &out->multiply);
	if (s != TULLE_OK) {
		format->release(out->data, env);
		out->data = NULL;
	}
	return s;
}
