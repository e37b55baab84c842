/* device_ranking.c -- ranks the formats for a matrix on a device: the public functions. */
#include "api/device.h"
#include "core/memory.h"
#include "core/status.h"

#include <stdio.h>
#include <string.h>

struct tulle_device_ranking {
	tulle_context *context;
	tulle__gpu_ranking all;
};

tulle_status tulle__rank_formats(tulle__env *env, const tulle__csr *a,
                                 const tulle_device_model *model,
                                 const tulle_device_plan_options *o, tulle__gpu_ranking *out)
{
	tulle__gpu_subject s;
	tulle_status status;

	out->ranked = out->count = 0;
	status = tulle__gpu_subject_make(env, a, model, tulle__offset_type(o), &s);
	s.updates = o->updates;
	s.lossy = o->lossy;
	return status == TULLE_OK ? tulle__gpu_rank(&s, o->reproducible, out) : status;
}

static tulle_status rank_op(tulle__env *env, const tulle__csr *a, const tulle_device_model *model,
                            const tulle_device_plan_options *o, tulle__gpu_ranking *out)
{
	tulle__csr transposed;
	tulle_status s;

	if (o->op == TULLE_NORMAL)
		return tulle__rank_formats(env, a, model, o, out);
	s = tulle__csr_transpose(env, a, &transposed, NULL); /* A^H has the same pattern */
	if (s != TULLE_OK)
		return s;
	s = tulle__rank_formats(env, &transposed, model, o, out);
	tulle__csr_release(env, &transposed);
	return s;
}

/* Rejects figures with which no estimate is possible. */
static tulle_status check_model(const tulle_device_model *m, tulle_value_type type)
{
	const double positive[] = { m->clock,     m->bandwidth, m->l2,    m->memory,
		                        m->registers, m->warps,     m->issue, m->f32 };

	if (m->units < 1)
		return tulle__fail(TULLE_E_ARGUMENT, "model.units = %d is less than 1", m->units);
	if (m->width < 1 || m->width > TULLE__GPU_MOST_WIDTH || (m->width & (m->width - 1)) != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "model.width = %d is not a power of two up to %d",
		                   m->width, TULLE__GPU_MOST_WIDTH);
	for (size_t n = 0; n < sizeof positive / sizeof *positive; n++)
		if (!(positive[n] > 0 && positive[n] <= 1e18))
			return tulle__fail(TULLE_E_ARGUMENT, "model has a figure that is %g", positive[n]);
	if (tulle__gpu_doubles(type) && !(m->f64 > 0))
		return tulle__fail(TULLE_E_UNSUPPORTED, "this device has no double precision");
	return TULLE_OK;
}

tulle_status tulle_device_ranking_create(const tulle_matrix *matrix,
                                         const tulle_device_model *model,
                                         const tulle_device_plan_options *options,
                                         tulle_device_ranking **out)
{
	tulle_device_plan_options o;
	tulle_device_model m;
	tulle_device_ranking *r;
	const tulle__csr *a;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!matrix || !model)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", matrix ? "model" : "matrix");
	s = tulle__read_options("tulle_device_model", model, &m, sizeof m);
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_device_plan_options", options, &o, sizeof o);
	if (s == TULLE_OK)
		s = tulle__check_device_options(matrix, &o);
	if (s == TULLE_OK)
		s = check_model(&m, matrix->a.value_type);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(&matrix->context->env, 1, sizeof *r, &r);
	if (s != TULLE_OK)
		return s;
	s = tulle__matrix_csr(matrix, &a);
	if (s == TULLE_OK)
		s = rank_op(&matrix->context->env, a, &m, &o, &r->all);
	if (s != TULLE_OK) {
		tulle__free(&matrix->context->env, r);
		return s;
	}
	r->context = matrix->context;
	tulle__context_hold(r->context);
	*out = r;
	return TULLE_OK;
}

void tulle_device_ranking_destroy(tulle_device_ranking *ranking)
{
	tulle_context *context;

	if (!ranking)
		return;
	context = ranking->context;
	tulle__free(&context->env, ranking);
	tulle_context_destroy(context);
}

int tulle_device_ranking_candidate(const tulle_device_ranking *ranking, int n,
                                   tulle_device_candidate_info *info)
{
	tulle_device_candidate_info known = { .size = sizeof known };
	const tulle__gpu_candidate *c;

	if (!ranking || n < 0 || n >= ranking->all.count)
		return 0;
	c = &ranking->all.of[n];
	snprintf(known.format, sizeof known.format, "%s%s%s", c->format->name,
	         c->e.params[0] ? ":" : "", c->e.params);
	known.out = c->e.refuses[0] != '\0';
	snprintf(known.because, sizeof known.because, "%s", known.out ? c->e.refuses : c->limit);
	known.same_bits = !c->e.atomics;
	if (!known.out) {
		known.bytes = c->bytes;
		known.requested = c->e.requested;
		known.x_requested = c->e.x_requested;
		known.instructions = c->e.instructions;
		known.launches = c->e.launches;
		known.occupancy = c->occupancy;
		known.relative = c->cost / ranking->all.of[0].cost;
	}
	return tulle__write_info("tulle_device_candidate_info", info, &known, sizeof known) == TULLE_OK;
}
