/* batch.c -- many small matrices: create, update, describe, destroy. */
#include "api/batch_handle.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

#include <inttypes.h>
#include <string.h>

/* ---- create ---- */

static tulle_status check_batch_options(const tulle_batch_options *o, int *only)
{
	*only = BATCH_KERNELS;
	for (int n = 0; o->kernel && n < BATCH_KERNELS; n++)
		if (strcmp(o->kernel, tulle__batch_kernel_name[n]) == 0)
			*only = n;
	if (o->kernel && *only == BATCH_KERNELS)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "options.kernel = \"%s\" is not csr, sell, ell or interleaved",
		                   tulle__show_name(o->kernel, strlen(o->kernel)).text);
	if (!(o->multiplies >= 0))
		return tulle__fail(TULLE_E_ARGUMENT, "options.multiplies = %g is not a count",
		                   o->multiplies);
	if (o->check != TULLE_CHECK_FULL && o->check != TULLE_CHECK_FAST &&
	    o->check != TULLE_CHECK_NONE)
		return tulle__fail(TULLE_E_ARGUMENT, "options.check = %d is unknown", (int)o->check);
	if (o->borrow_values != 0 && o->borrow_values != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.borrow_values = %d is not 0 or 1",
		                   o->borrow_values);
	if (o->borrow_values && *only != BATCH_KERNELS && *only != BATCH_CSR)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "options.borrow_values: only csr reads values where they lie, not %s",
		                   o->kernel);
	return TULLE_OK;
}

static int find_kernels(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	const tulle_batch *b = of;
	const tulle__kernel *variants = tulle__batch_kernels(isa, b->store.value_type);

	if (!variants)
		return 0;
	kernel[TULLE_PACKED] = &variants[b->ones ? BATCH_PACKED_ONES : BATCH_PACKED_VECTORS];
	kernel[TULLE_INTERLEAVED] =
	    &variants[b->ones ? BATCH_INTERLEAVED_ONES : BATCH_INTERLEAVED_VECTORS];
	return 1;
}

static tulle_status keep_places(tulle_batch *b, const tulle__problems *p)
{
	const int lanes = b->store.lanes;
	const int64_t groups = (p->count + lanes - 1) / lanes;
	tulle_status s = tulle__alloc(b->env, p->count, sizeof *b->x_at, &b->x_at);

	if (s == TULLE_OK)
		s = tulle__alloc(b->env, p->count, sizeof *b->y_at, &b->y_at);
	if (s != TULLE_OK)
		return s;
	for (int64_t i = 0; i < p->count; i++) {
		b->x_at[i] = p->problem[i].x;
		b->y_at[i] = p->problem[i].y;
	}
	b->rows = p->rows;
	b->cols = p->cols;
	b->nnz = p->nnz;
	b->ones = p->ones;
	b->x_size[TULLE_PACKED] = p->x_size;
	b->y_size[TULLE_PACKED] = p->y_size;
	if (b->store.interleaved) {
		b->x_size[TULLE_INTERLEAVED] = groups * lanes * p->problem[0].cols;
		b->y_size[TULLE_INTERLEAVED] = groups * lanes * p->problem[0].rows;
	}
	return TULLE_OK;
}

/* Copies the values of p to their places in the store. */
static tulle_status fill_values(tulle_batch *b, const tulle__problems *p)
{
	const batch_data *d = &b->store.data;
	const void **from;
	tulle_status s;

	if (b->ones || b->store.borrows)
		return TULLE_OK;
	s = tulle__alloc(b->env, d->count, sizeof *from, &from);
	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < d->count; n++)
		from[n] = p->problem[d->problem[n]].val;
	tulle__store_values(b->env, &b->store, from);
	tulle__free(b->env, from);
	return TULLE_OK;
}

/* The first block of slots is allocated here, so that a single caller never allocates. */
static tulle_status make_pool(tulle_batch *b)
{
	batch_slots *slots;
	tulle_status s;

	if (b->store.slot_bytes == 0)
		return TULLE_OK;
	s = tulle__make_slots(b, tulle__threads(b->env), &slots);
	return s == TULLE_OK ? tulle__executable_make_pool(b->env, &b->run, slots) : s;
}

static tulle_status build(tulle_batch *b, tulle__problems *p, const tulle_batch_options *o,
                          int only, const void *borrowed)
{
	tulle_status s = tulle__problems_compare(p);

	b->multiplies = o->multiplies > 0 ? o->multiplies : 1000;
	if (s == TULLE_OK)
		s = tulle__problems_choose(p, o->multiplies, only, o->borrow_values, &b->classes);
	if (s == TULLE_OK)
		s = tulle__store_create(p, o->borrow_values, &b->store);
	if (s == TULLE_OK)
		s = keep_places(b, p);
	if (s == TULLE_OK)
		s = fill_values(b, p);
	if (s == TULLE_OK)
		s = make_pool(b);
	if (s != TULLE_OK)
		return s;
	if (o->borrow_values)
		b->store.data.val = borrowed;
	b->run.work = b->store.work;
	return tulle__executable_prepare(b->env, &b->run, "batch", find_kernels, b,
	                                 (int64_t[TULLE__PHASES]){ b->store.data.parts });
}

/* Makes a batch from checked problems, and releases p. */
static tulle_status create(tulle_context *context, tulle__problems *p, const tulle_batch_options *o,
                           int only, const void *borrowed, double begin, tulle_batch **out)
{
	tulle_batch *b;
	tulle_status s = tulle__alloc_zero(&context->env, 1, sizeof *b, &b);

	if (s == TULLE_OK) {
		b->context = context;
		b->env = &context->env;
		tulle__context_hold(context);
		s = build(b, p, o, only, borrowed);
	}
	tulle__free(&context->env, p->problem);
	if (s != TULLE_OK) {
		tulle_batch_destroy(b);
		return s;
	}
	b->seconds = tulle__seconds() - begin;
	tulle__log(b->env, TULLE_LOG_INFO,
	           "batch: %" PRId64 " problems, %d classes, %s, %" PRId64 " nonzeros, %.3f ms",
	           b->store.data.count, b->classes.classes, tulle__isa_name(b->run.isa), b->nnz,
	           1e3 * b->seconds);
	*out = b;
	return TULLE_OK;
}

/* Checks that both ways to create a batch have in common. */
static tulle_status begin_create(tulle_context *given, const tulle_batch_options *options,
                                 tulle_batch **out, tulle_context **context, tulle_batch_options *o,
                                 int *only)
{
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	s = tulle__context_of(given, context);
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_batch_options", options, o, sizeof *o);
	return s == TULLE_OK ? check_batch_options(o, only) : s;
}

tulle_status tulle_batch_create(tulle_context *context, const tulle_batch_source *source,
                                const tulle_batch_options *options, tulle_batch **out)
{
	const double begin = tulle__seconds();
	tulle_batch_options o = { 0 };
	tulle_batch_source source_known = { 0 };
	tulle__problems p;
	int only = BATCH_KERNELS;
	tulle_status s = begin_create(context, options, out, &context, &o, &only);

	if (s == TULLE_OK && !source)
		s = tulle__fail(TULLE_E_ARGUMENT, "source is NULL");
	if (s == TULLE_OK)
		s = tulle__read_options("tulle_batch_source", source, &source_known, sizeof source_known);
	if (s == TULLE_OK)
		s = tulle__problems_from_source(&context->env, &source_known, o.check, &p);
	return s == TULLE_OK ? create(context, &p, &o, only, source_known.val, begin, out) : s;
}

tulle_status tulle_batch_from_csr(tulle_context *context, int64_t count,
                                  const tulle_csr_view *matrices,
                                  const tulle_batch_options *options, tulle_batch **out)
{
	const double begin = tulle__seconds();
	tulle_batch_options o = { 0 };
	tulle__problems p;
	int only = BATCH_KERNELS;
	tulle_status s = begin_create(context, options, out, &context, &o, &only);

	if (s == TULLE_OK && o.borrow_values)
		s = tulle__fail(TULLE_E_UNSUPPORTED,
		                "options.borrow_values: the values must lie in one array");
	if (s == TULLE_OK)
		s = tulle__problems_from_views(&context->env, count, matrices, o.check, &p);
	return s == TULLE_OK ? create(context, &p, &o, only, NULL, begin, out) : s;
}

void tulle_batch_destroy(tulle_batch *batch)
{
	tulle__env *env;
	tulle_context *context;

	if (!batch)
		return;
	env = batch->env;
	context = batch->context;
	tulle__executable_release(env, &batch->run);
	tulle__store_release(env, &batch->store);
	tulle__free(env, batch->x_at);
	tulle__free(env, batch->y_at);
	tulle__free(env, batch);
	tulle_context_destroy(context);
}

/* ---- update ---- */

tulle_status tulle_batch_update(tulle_batch *batch, const void *val)
{
	tulle__batch_store *store;
	const char *bytes = val;
	const void **from;
	size_t size, align;
	tulle_status s;

	if (!batch)
		return tulle__fail(TULLE_E_ARGUMENT, "batch is NULL");
	store = &batch->store;
	size = tulle__value_size(store->value_type);
	align = tulle__element_align(store->value_type);
	if ((val == NULL) != batch->ones && batch->nnz > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "val is %s, but the batch was made with%s values",
		                   val ? "not NULL" : "NULL", batch->ones ? "out" : "");
	if ((uintptr_t)val % align != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "val = %p is not a multiple of its element's %zu bytes", val, align);
	if (batch->ones || batch->nnz == 0)
		return TULLE_OK;
	if (store->borrows) {
		store->data.val = val;
		return TULLE_OK;
	}
	s = tulle__alloc(batch->env, store->data.count, sizeof *from, &from);
	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < store->data.count; n++)
		from[n] = bytes + (size_t)store->value_at[n] * size;
	tulle__store_values(batch->env, store, from);
	tulle__free(batch->env, from);
	return TULLE_OK;
}

/* ---- describe ---- */

tulle_status tulle_batch_describe(const tulle_batch *batch, tulle_batch_info *info)
{
	const tulle_batch *b = batch;
	const tulle__batch_store *s;

	if (!b)
		return tulle__fail(TULLE_E_ARGUMENT, "batch is NULL");
	s = &b->store;
	return tulle__write_info("tulle_batch_info", info,
	                         &(tulle_batch_info){ .count = s->data.count,
	                                              .rows = b->rows,
	                                              .cols = b->cols,
	                                              .nnz = b->nnz,
	                                              .values = b->ones ? 0 : s->values,
	                                              .value_type = s->value_type,
	                                              .isa = tulle__isa_name(b->run.isa),
	                                              .lanes = s->interleaved ? s->lanes : 0,
	                                              .x_size = { b->x_size[0], b->x_size[1] },
	                                              .y_size = { b->y_size[0], b->y_size[1] },
	                                              .x_at = b->x_at,
	                                              .y_at = b->y_at,
	                                              .special = b->classes.special,
	                                              .classes = b->classes.classes,
	                                              .parts = s->data.parts,
	                                              .bytes = s->bytes,
	                                              .extra_bytes = s->own_bytes + sizeof *b,
	                                              .borrows_values = s->borrows,
	                                              .seconds = b->seconds },
	                         sizeof *info);
}

tulle_status tulle_batch_class(const tulle_batch *batch, int n, tulle_batch_class_info *info)
{
	const tulle__batch_class *c;

	if (!batch)
		return tulle__fail(TULLE_E_ARGUMENT, "batch is NULL");
	if (n < 0 || n >= batch->classes.classes)
		return tulle__fail(TULLE_E_ARGUMENT, "n = %d is not in 0 .. %d", n,
		                   batch->classes.classes - 1);
	c = &batch->classes.class[n];
	return tulle__write_info(
	    "tulle_batch_class_info", info,
	    &(tulle_batch_class_info){ .kernel = tulle__batch_kernel_name[c->kernel],
	                               .problems = c->problems,
	                               .nnz = c->nnz,
	                               .least_rows = c->least_rows,
	                               .most_rows = c->most_rows,
	                               .bytes = (size_t)c->bytes,
	                               .multiply_seconds = c->seconds,
	                               .because = c->because },
	    sizeof *info);
}
