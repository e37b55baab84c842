/* plan.c -- how to multiply by A: choose, convert, describe, update. */
#include "api/online.h"
#include "core/gather.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "csr/widened.h"
#include "finish/finish.h"
#include "planner/choose.h"

#include <inttypes.h>
#include <string.h>

/* ---- create ---- */

static void adopt(tulle_plan *p, const tulle__choice *choice)
{
	p->format = choice->format;
	p->data = choice->data;
	p->candidates = choice->candidates;
	p->way = choice->way;
	p->operand = choice->operand;
	p->from_blocks = choice->from_blocks;
	p->request = choice->request;
	p->convert_seconds = choice->convert_seconds;
	memcpy(p->why, choice->why, sizeof p->why);
}

static tulle_status choose(tulle_plan *p, int as_csr, const tulle_plan_options *o, size_t releases,
                           tulle__choice *choice)
{
	const tulle__bsr *blocks = p->matrix->blocks.ptr ? &p->matrix->blocks : NULL;
	const tulle__csr *a = &p->matrix->a;
	tulle_status s = tulle__read_request(o, choice);

	choice->releases = releases;
	/* A^T or A^H is A. */
	if (!o->format &&
	    p->matrix->kind == (o->op == TULLE_CONJUGATE ? TULLE_HERMITIAN : TULLE_SYMMETRIC))
		choice->request.op = TULLE_NORMAL;
	if (s == TULLE_OK && as_csr) {
		s = tulle__matrix_csr(p->matrix, &a);
		blocks = NULL;
	}
	if (s != TULLE_OK)
		return s;
	return o->online ? tulle__choose_online(a, o->max_bytes, p->env, choice)
	                 : tulle__choose(a, blocks, o, p->env, choice);
}

/* Sets the members that follow from the format and its data: figures, parts and kernels. */
static tulle_status prepare(tulle_plan *p)
{
	return tulle__executable_of_format(p->env, &p->run, p->format, p->data, p->value_type,
	                                   &p->layout);
}

/* The same for a plan that has no scratch so far. */
static tulle_status settle(tulle_plan *p)
{
	const tulle_status s = prepare(p);

	if (s != TULLE_OK)
		return s;
	if (p->request.ordered && !tulle__isa_fused(p->run.isa))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.reproducible = 2: %s has no fused multiply-adds here",
		                   p->format->name);
	return tulle__executable_reserve(p->env, &p->run, p->layout.scratch);
}

/* The format's data and its scratch. */
static void release_data(tulle_plan *p)
{
	if (p->data && !p->shares_data)
		p->format->release(p->data, p->env);
	tulle__executable_release(p->env, &p->run);
}

/* A kernel with narrower vectors is correct but slow, so a warning is logged. Sets that differ in how they gather share
 * the kernels of complex types. */
void tulle__log_plan(const tulle_plan *p)
{
	const tulle__isa isa = p->run.isa, wanted = tulle__kernel_isa(p->env);

	tulle__log(p->env, TULLE_LOG_INFO, "plan: %s, kernel %s, %s, %" PRId64 " nonzeros, %.3f ms",
	           p->format->name, p->run.kernel[TULLE__MUL]->name, tulle__isa_name(isa), p->a.nnz,
	           1e3 * p->seconds);
	if (tulle__kernel_lanes(isa, 1) < tulle__kernel_lanes(wanted, 1))
		tulle__log(p->env, TULLE_LOG_WARNING, "plan: %s has no %s kernel for this matrix, %s runs",
		           p->format->name, tulle__isa_name(wanted), tulle__isa_name(isa));
}

tulle_status tulle__plan_new(const tulle_matrix *matrix, tulle_op op, size_t max_bytes,
                             tulle_plan **out)
{
	tulle_plan *p;
	const tulle_status s = tulle__alloc_zero(&matrix->context->env, 1, sizeof *p, &p);

	*out = p;
	if (s != TULLE_OK)
		return s;
	p->matrix = tulle__matrix_hold(matrix);
	p->env = &matrix->context->env;
	p->op = op;
	p->max_bytes = max_bytes;
	p->value_type = matrix->a.value_type;
	p->vector_type = tulle__type_of(p->value_type)->compute;
	return TULLE_OK;
}

tulle_status tulle__plan_complete(tulle_plan *p, const tulle__choice *choice)
{
	const tulle_matrix *matrix = p->matrix;
	const int t = tulle__op_transposes(p->op);
	const size_t element = tulle__element_size(p->value_type);
	tulle_status s;

	adopt(p, choice);
	p->a = *tulle__operand_for(&p->operand, p->way);
	p->run.work = p->a.nnz + p->a.rows;
	p->x_bytes = tulle__bytes(t ? matrix->a.rows : matrix->a.cols, element);
	p->y_bytes = tulle__bytes(t ? matrix->a.cols : matrix->a.rows, element);
	/* A plan that does not read the caller's values never begins to read them. */
	p->copies_values = matrix->owned.col || matrix->mapping.begin || !tulle__borrows_values(p);
	p->steps.scratch = tulle__step_scratch((int64_t)(p->y_bytes / element));
	s = settle(p);
	return s == TULLE_OK ? tulle__executable_make_pool(p->env, &p->steps, NULL) : s;
}

/* Nothing can fail any more: move the entries, and free the arrays they were in. Updates need the offsets. */
static void fill(tulle_plan *p)
{
	tulle_matrix *m = p->matrix;

	p->consumed = tulle__csr_bytes(&m->a);
	p->format->fill(p->data, &m->a, &p->request, p->env);
	tulle__csr_release_entries(p->env, &m->owned);
	m->a.col = m->a.val = p->a.col = p->a.val = NULL;
}

static tulle_status create(const tulle_matrix *matrix, int as_csr, const tulle_plan_options *o,
                           size_t releases, tulle_plan **out)
{
	const double begin = tulle__seconds();
	tulle__choice choice;
	tulle_plan *p;
	tulle_status s = tulle__plan_new(matrix, o->op, o->max_bytes, &p);

	*out = NULL;
	if (s != TULLE_OK)
		return s;
	s = choose(p, as_csr, o, releases, &choice);
	if (s == TULLE_OK)
		s = tulle__plan_complete(p, &choice);
	if (s == TULLE_OK && o->online)
		s = tulle__online_begin(p, o);
	tulle__allow_beyond_limit(0);
	if (s != TULLE_OK) {
		tulle_plan_destroy(p);
		return s;
	}
	if (choice.unfilled)
		fill(p);
	p->seconds = tulle__seconds() - begin;
	tulle__log_plan(p);
	*out = p;
	return TULLE_OK;
}

tulle_status tulle__plan_create_one(const tulle_matrix *matrix, int as_csr,
                                    const tulle_plan_options *o, tulle_plan **out)
{
	return create(matrix, as_csr, o, 0, out);
}

tulle_status tulle__plan_create_releasing(const tulle_matrix *matrix, const tulle_plan_options *o,
                                          size_t releases, tulle_plan **out)
{
	return create(matrix, 0, o, releases, out);
}

void tulle_plan_destroy(tulle_plan *plan)
{
	tulle__env *env;
	tulle_matrix *matrix;

	if (!plan)
		return;
	env = plan->env;
	matrix = plan->matrix;
	tulle__online_end(plan->online);
	if (plan->other != plan)
		tulle_plan_destroy(plan->other);
	release_data(plan);
	tulle__executable_release(env, &plan->steps);
	tulle__drop_transpose(env, &plan->operand);
	tulle__drop_expansion(env, &plan->operand);
	if (!plan->shares_data)
		tulle__free(env, plan->values);
	tulle__free(env, plan->candidates);
	tulle__free(env, plan->both);
	tulle__free(env, plan);
	tulle_matrix_destroy(matrix);
}

/* ---- update ---- */

/* Values in the order `order` wants, as a block of our own. `blocks`: they are those of these blocks. */
static tulle_status reorder(tulle_plan *p, const tulle__bsr *blocks, const tulle__csr_order *order,
                            const void *val, void **out)
{
	const tulle_status s = tulle__alloc(p->env, p->a.nnz, tulle__value_size(p->value_type), out);

	if (s == TULLE_OK && blocks)
		tulle__bsr_values(p->env, blocks, val, *out);
	else if (s == TULLE_OK)
		tulle__csr_values(p->env, order, p->a.nnz, p->value_type, val, *out);
	return s;
}

/* The new p->a.val. *own is the block that holds it; NULL: it is the caller's array. `keeps`: the values
 * will be read after the update. */
static tulle_status new_values(tulle_plan *p, int keeps, const void *val, const void **values,
                               void **own)
{
	const tulle_matrix *m = p->matrix;
	const tulle__bsr *blocks = m->blocks.ptr ? &m->blocks : NULL;
	tulle_status s = TULLE_OK;

	*values = val;
	*own = NULL;
	if (!val && m->kind != TULLE_SKEW)
		return TULLE_OK;
	if (m->order.source || blocks || (keeps && p->copies_values && !p->operand.order.source)) {
		s = reorder(p, blocks, &m->order, val, own);
		*values = *own;
	}
	if (s == TULLE_OK && p->operand.order.source) {
		void *first = *own;

		s = reorder(p, NULL, &p->operand.order, *values, own);
		*values = *own;
		tulle__free(p->env, first);
	}
	return s;
}

/* Are values read after an update? By a format that borrows them; or, in an online plan, by the comparison and the
 * conversion that may follow. */
static int reads_values(const tulle_plan *p)
{
	return p->online || tulle__format_borrows(p->format, p->value_type);
}

/* Keep the new values if they will be read, else free their block. */
static void keep_values(tulle_plan *p, const tulle__csr *a, void *own)
{
	if (!reads_values(p)) {
		tulle__free(p->env, own);
		return;
	}
	tulle__free(p->env, p->values);
	p->values = own;
	p->a = *a;
}

/* The format that the planner chose rejects the new values: choose one that accepts any values. */
static tulle_status choose_next(const tulle_plan *plan, const tulle__csr *a, tulle_plan *next)
{
	tulle__choice choice = { .request = tulle__request_for(&plan->request, plan->way) };
	const tulle_status s = tulle__choose_again(a, plan->format, &plan->candidates->machine,
	                                           plan->max_bytes, plan->env, &choice);

	adopt(next, &choice);
	return s;
}

/* The same format, with a separate layout. */
static tulle_status convert_next(const tulle_plan *plan, const tulle__csr *a, tulle_plan *next)
{
	const tulle__request request = tulle__request_for(&plan->request, plan->way);

	next->data = NULL;
	return tulle__format_convert(plan->format, a, &request, plan->env, &next->data);
}

void tulle__plan_drop_renewed(tulle_plan *plan, tulle__renewed *r)
{
	release_data(&r->plan);
	if (r->plan.candidates != plan->candidates) {
		tulle__free(plan->env, r->plan.candidates);
		tulle__drop_transpose(plan->env, &r->plan.operand);
	}
	tulle__free(plan->env, r->own);
}

/* Builds the next plan without changing this one. */
static tulle_status build_next(tulle_plan *plan, const void *val, int changes_format,
                               tulle__renewed *r)
{
	tulle_plan *next = &r->plan;
	tulle_status s;

	r->plan = *plan;
	r->a = plan->a;
	s = new_values(plan, 1, val, &r->a.val, &r->own);
	if (s != TULLE_OK)
		return s;
	next->run.pool = NULL;
	s = changes_format ? choose_next(plan, &r->a, next) : convert_next(plan, &r->a, next);
	if (s == TULLE_OK)
		s = settle(next);
	if (s != TULLE_OK)
		tulle__plan_drop_renewed(plan, r);
	return s;
}

void tulle__plan_replace(tulle_plan *plan, tulle__renewed *by)
{
	const int built = plan->way == TULLE__BUILT;
	tulle_plan next = by->plan;

	release_data(plan);
	if (next.candidates == plan->candidates) { /* the same format */
		keep_values(&next, &by->a, by->own);
		*plan = next;
		return;
	}
	tulle__free(plan->env, plan->candidates);
	if (next.way == TULLE__BUILT) { /* from the new values, which it has copied */
		tulle__free(plan->env, by->own);
		next.a = next.operand.built;
	} else {
		keep_values(&next, &by->a, by->own);
	}
	next.operand.a = &next.matrix->a;
	if (built) { /* A^T existed before and is kept */
		next.way = plan->way;
		next.operand = plan->operand;
		next.request = plan->request;
	} else { /* so are blocks, and their expansion unless A^T was built from it */
		next.operand.blocks = plan->operand.blocks;
		next.operand.expand_seconds = plan->operand.expand_seconds;
		if (next.way == TULLE__BUILT)
			tulle__drop_expansion(plan->env, &plan->operand);
		else
			next.operand.expanded = plan->operand.expanded;
	}
	*plan = next;
}

tulle_status tulle__plan_renew(tulle_plan *plan, const void *val, tulle__renewed *out)
{
	const tulle_status s = build_next(plan, val, 0, out);

	return s == TULLE_E_UNSUPPORTED && plan->candidates ? build_next(plan, val, 1, out) : s;
}

static tulle_status change_format(tulle_plan *plan, const void *val)
{
	const double begin = tulle__seconds();
	tulle__renewed r;
	const tulle_status s = build_next(plan, val, 1, &r);

	if (s != TULLE_OK)
		return s;
	tulle__plan_replace(plan, &r);
	plan->seconds = tulle__seconds() - begin;
	tulle__log_plan(plan);
	return TULLE_OK;
}

static tulle_status update_blocks(tulle_plan *plan, const void *val)
{
	tulle__bsr blocks = plan->matrix->blocks;
	tulle_status s;

	blocks.val = val;
	s = plan->format->update_blocks(plan->data, &blocks, plan->env);
	return s == TULLE_OK ? prepare(plan) : s;
}

tulle_status tulle__plan_update_one(tulle_plan *plan, const void *val)
{
	tulle__csr a = plan->a;
	void *own;
	tulle_status s;

	if (plan->from_blocks)
		return update_blocks(plan, val);
	s = new_values(plan, reads_values(plan), val, &a.val, &own);
	if (s != TULLE_OK)
		return s;
	s = tulle__format_update(plan->format, plan->data, &a, plan->env);
	if (s != TULLE_OK) {
		tulle__free(plan->env, own);
		/* Another format would need the columns. */
		return s == TULLE_E_UNSUPPORTED && plan->candidates && !plan->consumed
		           ? change_format(plan, val)
		           : s;
	}
	keep_values(plan, &a, own);
	return prepare(plan); /* ones and values have kernels of their own */
}

tulle_status tulle_plan_update(tulle_plan *plan, const void *val)
{
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if ((uintptr_t)val % tulle__type_of(plan->value_type)->part_size != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "val = %p is not a multiple of its element's size",
		                   val);
	plan = tulle__online_settled(plan);
	s = plan->other ? tulle__update_both(plan, val) : tulle__plan_update_one(plan, val);
	if (s == TULLE_OK)
		tulle__note_updated(plan);
	return s;
}
