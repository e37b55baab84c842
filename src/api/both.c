/* both.c -- plans for both directions: how A and A^T are stored, created and updated. */
#include "api/handles.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "finish/finish.h"

#include <stdio.h>
#include <string.h>

/* ---- A^T from the store of A ---- */

static int find_backward(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	const tulle_plan *p = of;

	kernel[TULLE__MUL] =
	    p->format->backward->kernel(p->data, isa, tulle__format_type(p->format, p->value_type));
	return kernel[TULLE__MUL] != NULL;
}

/* Sets the members that follow from the data of the plan for A. */
static tulle_status follow(const tulle_plan *p, tulle_plan *t)
{
	t->data = p->data;
	t->a = p->a;
	t->values = p->values;
	t->copies_values = p->copies_values;
	t->format->backward->describe(t->data, &t->layout);
	return tulle__executable_prepare(t->env, &t->run, t->format->name, find_backward, t,
	                                 t->layout.parts);
}

static tulle_status share_data(tulle_plan *p)
{
	tulle_plan *t;
	tulle_status s = tulle__alloc_zero(p->env, 1, sizeof *t, &t);

	if (s != TULLE_OK)
		return s;
	p->other = t;
	t->env = p->env;
	t->matrix = tulle__matrix_hold(p->matrix);
	t->format = p->format;
	t->request = p->request;
	t->op = TULLE_TRANSPOSED;
	t->way = TULLE__SCATTER;
	t->shares_data = 1;
	t->value_type = p->value_type;
	t->vector_type = p->vector_type;
	t->x_bytes = p->y_bytes;
	t->y_bytes = p->x_bytes;
	t->run.work = p->run.work;
	t->steps.scratch =
	    tulle__step_scratch((int64_t)(t->y_bytes / tulle__element_size(t->value_type)));
	snprintf(t->why, sizeof t->why, "it reads the matrix that is stored for A");
	s = follow(p, t);
	if (s == TULLE_OK)
		s = tulle__executable_reserve(t->env, &t->run, t->layout.scratch);
	return s == TULLE_OK ? tulle__executable_make_pool(t->env, &t->steps, NULL) : s;
}

/* ---- one store, or two ---- */

/* One store: A^T x by scattering from it, or A^T equals A. */
static tulle_status make_one(const tulle_matrix *matrix, tulle_plan_options o, const char *format,
                             int mirrors, tulle_plan **out)
{
	tulle_status s;

	o.format = format;
	s = tulle__plan_create_one(matrix, 1, &o, out);
	if (s != TULLE_OK)
		return s;
	if (mirrors)
		(*out)->other = *out;
	else
		s = share_data(*out);
	return s;
}

/* One store in a format that the caller has not named: max_bytes is its limit. */
static tulle_status make_one_within(const tulle_matrix *matrix, const tulle_plan_options *o,
                                    const char *format, int mirrors, tulle_plan **out)
{
	const tulle_status s = make_one(matrix, *o, format, mirrors, out);

	return s != TULLE_OK || o->max_bytes == 0 || tulle__limited_bytes(*out) <= o->max_bytes
	           ? s
	           : tulle__fail(TULLE_E_LIMIT, "max_bytes = %zu: %s needs %zu bytes", o->max_bytes,
	                         format, tulle__limited_bytes(*out));
}

/* Two stores are requested, but the one for A^T x would be the CSR of A: build A^T instead. */
static tulle_status store_transpose(const tulle_matrix *matrix, tulle_plan_options *o,
                                    tulle_plan *p)
{
	if (tulle__stores_of(p) == 2)
		return TULLE_OK;
	if (o->format)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.stores = 2: %s scatters from the CSR arrays of A; "
		                   "csr:transpose=build stores A^T",
		                   o->format);
	tulle_plan_destroy(p->other);
	p->other = NULL;
	o->format = "csr:transpose=build";
	return tulle__plan_create_one(matrix, 1, o, &p->other);
}

/* A plan for one direction, with `share` of o->max_bytes. Its message about a limit names the whole. */
static tulle_status make_share(const tulle_matrix *matrix, const tulle_plan_options *o, tulle_op op,
                               size_t share, tulle_plan **out)
{
	tulle_plan_options one = *o;
	char reason[256];
	tulle_status s;

	one.op = op;
	one.max_bytes = share;
	s = tulle__plan_create_one(matrix, 1, &one, out);
	if (s != TULLE_E_LIMIT || share == o->max_bytes)
		return s;
	snprintf(reason, sizeof reason, "%s", tulle_last_error());
	return tulle__fail(s, "%s (options.max_bytes = %zu is for both directions)", reason,
	                   o->max_bytes);
}

/* Two stores, each chosen for its own direction. `for_other`: the share of max_bytes that the store for
 * A^T is predicted to need. */
static tulle_status make_two(const tulle_matrix *matrix, tulle_plan_options o, double for_other,
                             tulle_plan **out)
{
	const size_t most = o.max_bytes;
	tulle_status s =
	    make_share(matrix, &o, TULLE_NORMAL, tulle__rest_of_limit(most, (size_t)for_other), out);

	if (s != TULLE_OK)
		return s;
	(*out)->op = o.op;
	(*out)->max_bytes = most;
	o.op = TULLE_TRANSPOSED;
	s = make_share(matrix, &o, o.op, tulle__rest_of_limit(most, tulle__limited_bytes(*out)),
	               &(*out)->other);
	return s == TULLE_OK && o.stores == 2 ? store_transpose(matrix, &o, *out) : s;
}

/* The same for A^H, which is always stored. It comes first: A can be left in the arrays of the matrix, which needs no
 * memory. */
static tulle_status make_two_conjugate(const tulle_matrix *matrix, const tulle_plan_options *o,
                                       tulle_plan **out)
{
	const size_t most = o->max_bytes;
	tulle_plan *other;
	tulle_status s = make_share(matrix, o, TULLE_CONJUGATE, most, &other);

	if (s != TULLE_OK)
		return s;
	s = make_share(matrix, o, TULLE_NORMAL, tulle__rest_of_limit(most, tulle__limited_bytes(other)),
	               out);
	if (s != TULLE_OK) {
		tulle_plan_destroy(other);
		return s;
	}
	(*out)->op = o->op;
	(*out)->max_bytes = most;
	(*out)->other = other;
	other->max_bytes = tulle__rest_of_limit(most, tulle__limited_bytes(*out));
	return TULLE_OK;
}

/* A plan for a matrix that was created as equal to its other direction (A^T or A^H). */
static tulle_status make_mirrored(const tulle_matrix *matrix, const tulle_plan_options *o,
                                  tulle_plan **out)
{
	tulle_plan_options one = *o;
	tulle_status s;

	one.op = TULLE_NORMAL;
	s = make_one(matrix, one, o->format, 1, out);
	if (s == TULLE_OK)
		(*out)->op = o->op;
	return s;
}

/* A^H is stored beside A: nothing scatters conjugates. A format that the caller named may find that A^H equals A. */
static tulle_status make_conjugate(const tulle_matrix *matrix, const tulle_plan_options *o,
                                   const tulle__format *named, tulle_plan **out)
{
	if (named && (named->flags & TULLE__MIRRORS) && o->stores != 2) {
		const tulle_status s = make_one(matrix, *o, o->format, 1, out);

		if (s != TULLE_E_UNSUPPORTED || o->stores == 1)
			return s;
	}
	return o->stores == 1
	           ? tulle__fail(TULLE_E_UNSUPPORTED,
	                         "options.stores = 1: no stored matrix gives A^H x beside A x")
	           : make_two_conjugate(matrix, o, out);
}

/* ---- a format that the caller named ---- */

static tulle_status fail_one_store(const tulle__format *format, const tulle__request *request)
{
	if (request->ordered)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.stores = 1: A^T x from the store of A is not summed in stored "
		                   "order (reproducible = 2)");
	return tulle__fail(
	    TULLE_E_UNSUPPORTED,
	    "options.stores = 1: %s does not multiply by A^T; csr and sell do, and sym if "
	    "A is symmetric",
	    format->name);
}

static tulle_status make_named(const tulle_matrix *matrix, const tulle_plan_options *o,
                               tulle_plan **out)
{
	tulle__choice choice;
	const tulle__format *f;
	int can, wants;
	tulle_status s = tulle__read_request(o, &choice);

	if (s != TULLE_OK)
		return s;
	f = choice.format;
	can = f->backward && !choice.request.ordered;
	wants =
	    o->stores == 1 || (o->stores == 0 && can && f->scatters && f->scatters(&choice.request));
	if ((f->flags & TULLE__MIRRORS) && o->stores != 2) {
		s = make_one(matrix, *o, o->format, 1, out);
		if (s != TULLE_E_UNSUPPORTED || o->stores == 1)
			return s;
	}
	if (wants)
		return can ? make_one(matrix, *o, o->format, 0, out) : fail_one_store(f, &choice.request);
	s = make_two(matrix, *o, 0, out);
	if (s != TULLE_OK || !can || o->stores == 2 || o->max_bytes == 0 ||
	    tulle__limited_bytes(*out) + tulle__limited_bytes((*out)->other) <= o->max_bytes)
		return s;
	tulle_plan_destroy(*out);
	*out = NULL;
	return make_one(matrix, *o, o->format, 0, out);
}

/* ---- the best of all ---- */

static tulle_status make_pair(const tulle_matrix *matrix, const tulle_plan_options *o,
                              const tulle__pair *pair, tulle_plan **out)
{
	tulle_status s;

	if (pair->stores == 2)
		return make_two(matrix, *o, pair->own_bytes[TULLE__BACKWARD], out);
	s = make_one_within(matrix, o, pair->format[TULLE__FORWARD]->name, pair->way == TULLE__AS_IS,
	                    out);
	if (s != TULLE_OK)
		return s;
	(*out)->other->predicted = pair->multiply[TULLE__BACKWARD];
	(*out)->predicted = pair->multiply[TULLE__FORWARD];
	return s;
}

/* Of two stores, that for A has a reason of its own. */
static void tell_why(const tulle__stores *s, tulle_plan *p)
{
	char of_a[208] = "", reason[128];
	int compared = 0;

	if (s->pair[s->chosen].stores == 2)
		snprintf(of_a, sizeof of_a, "; A: %.200s", p->why);
	for (int n = 0; n < s->count; n++)
		compared += !s->pair[n].rejected_because;
	if (compared > 1)
		snprintf(
		    reason, sizeof reason,
		    "least predicted total of %d ways to store both directions, %.0f multiplications each",
		    compared, s->multiplies);
	else
		snprintf(reason, sizeof reason, "all other ways to store both directions are ruled out");
	snprintf(p->why, sizeof p->why, "%s%s", reason, of_a);
}

static tulle_status fail_all(const tulle__stores *s, tulle_status last, const tulle_plan_options *o)
{
	if (last != TULLE_OK)
		return last;
	if (o->max_bytes > 0 && o->stores != 1)
		return tulle__fail(TULLE_E_LIMIT,
		                   "max_bytes = %zu is too small for every way to store A for both "
		                   "directions that the other options allow",
		                   o->max_bytes);
	return tulle__fail(TULLE_E_UNSUPPORTED, "options.stores = %d: %s", o->stores,
	                   s->count > 0 ? s->pair[0].rejected_because : "no format does that");
}

/* Make pairs in the order of their total times until one succeeds. */
static tulle_status make_best(const tulle_matrix *matrix, const tulle_plan_options *o,
                              const tulle__request *request, int excludes_mirrors,
                              tulle__stores *stores, tulle_plan **out)
{
	const tulle__stores_wanted wanted = { .stores = o->stores,
		                                  .excludes_mirrors = excludes_mirrors,
		                                  .fixed = o->reproducible > 0,
		                                  .max_bytes = o->max_bytes,
		                                  .wisdom = o->reproducible > 0 ? NULL : o->wisdom };
	tulle__env *env = &matrix->context->env;
	tulle__pair *best;
	tulle_status last = TULLE_OK;
	const tulle__csr *a;
	tulle_status s = tulle__matrix_csr(matrix, &a);

	if (s == TULLE_OK)
		s = tulle__weigh_stores(a, request, &wanted, env, stores);
	while (s == TULLE_OK && (best = tulle__best_pair(stores))) {
		last = make_pair(matrix, o, best, out);
		if (last == TULLE_OK) {
			stores->chosen = (int)(best - stores->pair);
			tell_why(stores, *out);
			return TULLE_OK;
		}
		tulle_plan_destroy(*out);
		*out = NULL;
		if (!tulle__can_go_on(last))
			return last;
		snprintf(best->failure, sizeof best->failure, "%.120s", tulle_last_error());
		best->rejected_because = best->failure;
	}
	return s == TULLE_OK ? fail_all(stores, last, o) : s;
}

static tulle_status make(const tulle_matrix *matrix, const tulle_plan_options *o,
                         int excludes_mirrors, tulle__stores *stores, tulle_plan **out)
{
	const char *baseline = tulle__baseline_format()->name;
	tulle__choice choice;
	tulle_status s = tulle__read_request(o, &choice);

	if (s != TULLE_OK)
		return s;
	if (matrix->kind == (o->op == TULLE_BOTH ? TULLE_SYMMETRIC : TULLE_HERMITIAN) && o->stores != 2)
		return make_mirrored(matrix, o, out);
	if (o->op == TULLE_BOTH_CONJUGATE)
		return make_conjugate(matrix, o, choice.format, out);
	if (o->format)
		return make_named(matrix, o, out);
	if (o->stores == 2 || choice.request.multiplies >= TULLE__FEW_MULTIPLIES ||
	    tulle__lacks(tulle__baseline_format(), &choice.request))
		return make_best(matrix, o, &choice.request, excludes_mirrors, stores, out);
	s = make_one_within(matrix, o, baseline, 0, out);
	if (s == TULLE_OK)
		snprintf((*out)->why, sizeof(*out)->why,
		         "%.0f multiplications are too few for a conversion to pay off",
		         choice.request.multiplies);
	return s;
}

tulle_status tulle__create_both(const tulle_matrix *matrix, const tulle_plan_options *o,
                                int excludes_mirrors, tulle_plan **out)
{
	const double begin = tulle__seconds();
	tulle__env *env = &matrix->context->env;
	tulle__both *both;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *both, &both);

	*out = NULL;
	if (s != TULLE_OK)
		return s;
	both->asked = *o;
	both->asked.format = both->asked.wisdom = NULL;
	both->asked.effort = TULLE_ESTIMATE;
	both->named = o->format != NULL;
	both->stores.chosen = -1;
	s = make(matrix, o, excludes_mirrors, &both->stores, out);
	if (s != TULLE_OK || !*out) { /* there always is a plan; clang-tidy does not know */
		tulle__free(env, both);
		tulle_plan_destroy(*out);
		*out = NULL;
		return s != TULLE_OK ? s : TULLE_E_INTERNAL;
	}
	(*out)->both = both;
	(*out)->seconds = tulle__seconds() - begin;
	tulle__log(env, TULLE_LOG_INFO, "plan: both directions, %d stored", tulle__stores_of(*out));
	return TULLE_OK;
}

/* ---- update ---- */

static void prefix_why(tulle_plan *p, const char *before)
{
	char reason[TULLE__WHY];

	memcpy(reason, p->why, sizeof reason);
	snprintf(p->why, sizeof p->why, "%s%.300s", before, reason);
}

/* A^T equalled A before the update and no longer does: replace this plan by one that accepts any
 * values. Not for a matrix that was created as symmetric: no values change that, so that the new plan
 * would be the same one. */
static tulle_status separate(tulle_plan *plan, const void *val)
{
	char before[64];
	tulle_plan *next, old;
	tulle_status s;

	snprintf(before, sizeof before, "%s refused the values of an update; ", plan->format->name);
	s = tulle__create_both(plan->matrix, &plan->both->asked, 1, &next);
	if (s == TULLE_OK)
		s = tulle__update_both(next, val);
	if (s != TULLE_OK) {
		tulle_plan_destroy(next);
		return s;
	}
	prefix_why(next, before);
	old = *plan;
	*plan = *next;
	*next = old;
	next->other = NULL; /* it was the plan itself */
	tulle_plan_destroy(next);
	return TULLE_OK;
}

/* The old A^T is kept until the values of A have changed, which is the last operation that can fail. */
static tulle_status update_two(tulle_plan *plan, const void *val)
{
	tulle__renewed r;
	tulle_status s = tulle__plan_renew(plan->other, val, &r);

	if (s != TULLE_OK)
		return s;
	s = tulle__plan_update_one(plan, val);
	if (s == TULLE_OK)
		tulle__plan_replace(plan->other, &r);
	else
		tulle__plan_drop_renewed(plan->other, &r);
	return s;
}

tulle_status tulle__update_both(tulle_plan *plan, const void *val)
{
	const int one = plan->other == plan || plan->other->shares_data;
	tulle_status s;

	if (!one)
		return update_two(plan, val);
	s = tulle__plan_update_one(plan, val);
	if (s == TULLE_E_UNSUPPORTED && plan->other == plan && plan->matrix->kind == TULLE_GENERAL &&
	    !plan->both->named)
		return separate(plan, val);
	if (s == TULLE_OK && plan->other != plan)
		s = follow(plan, plan->other);
	return s;
}
