/* executable.c -- finds kernels, from the context's instruction set downwards, and manages scratch
 * memory. */
#include "core/executable.h"

#include "core/gather.h"
#include "core/status.h"

#include <string.h>

/* ---- kernels ---- */

static void adopt(tulle__executable *e, tulle__isa isa, const tulle__kernel *const *kernel,
                  const int64_t *parts)
{
	e->isa = isa;
	memset(e->phases, 0, sizeof e->phases);
	for (int o = 0; o < TULLE__OPERATIONS; o++) {
		tulle__phases *phases = &e->phases[o];

		e->kernel[o] = kernel[o];
		if (!kernel[o])
			continue;
		memcpy(phases->work, kernel[o]->phase, sizeof phases->work);
		memcpy(phases->parts, parts, sizeof phases->parts);
	}
}

tulle_status tulle__executable_prepare(tulle__env *env, tulle__executable *e, const char *name,
                                       tulle__find_kernels *find, const void *of,
                                       const int64_t parts[TULLE__PHASES])
{
	const tulle__kernel *kernel[TULLE__OPERATIONS] = { NULL };

	for (tulle__isa isa = tulle__kernel_isa(env); isa != TULLE__NONE; isa = tulle__isa_lower(isa))
		if (find(of, isa, kernel)) {
			adopt(e, isa, kernel, parts);
			return TULLE_OK;
		}
	return tulle__fail(TULLE_E_INTERNAL, "%s has no kernel for this matrix", name);
}

typedef struct {
	const tulle__format *format;
	const void *data;
	tulle_value_type type;
} converted;

/* The kernel for narrow rows: that of the next lower set whose registers are narrow enough, if it supports this
 * data and gives the same bits. Formats flagged ORDERED keep their set: each of several vectors has the bits of
 * a single product. */
static const tulle__kernel *find_narrow(const converted *c, tulle__isa isa)
{
	const tulle__format *f = c->format;
	tulle__isa lower = isa;
	const tulle__kernel *found = NULL;

	while (lower != TULLE__NONE && tulle__kernel_lanes(lower, 1) > TULLE__NARROW_BYTES)
		lower = tulle__isa_lower(lower);
	if (lower != TULLE__NONE && tulle__isa_fused(lower) == tulle__isa_fused(isa) &&
	    !(f->flags & TULLE__ORDERED) && f->kernel(c->data, lower, c->type))
		found = f->many(c->data, lower, c->type);
	return found ? found : f->many(c->data, isa, c->type);
}

static int find_of_format(const void *of, tulle__isa isa, const tulle__kernel **kernel)
{
	const converted *c = of;
	const tulle__format *f = c->format;

	kernel[TULLE__MUL] = f->kernel(c->data, isa, c->type);
	if (kernel[TULLE__MUL] && f->many) {
		kernel[TULLE__MUL_MANY] = f->many(c->data, isa, c->type);
		kernel[TULLE__MUL_NARROW] = find_narrow(c, isa);
	}
	return kernel[TULLE__MUL] != NULL;
}

tulle_status tulle__executable_of_format(tulle__env *env, tulle__executable *e,
                                         const tulle__format *format, const void *data,
                                         tulle_value_type type, tulle__layout *layout)
{
	const converted of = { format, data, tulle__format_type(format, type) };

	format->describe(data, layout);
	return tulle__executable_prepare(env, e, format->name, find_of_format, &of, layout->parts);
}

/* ---- scratch ---- */

tulle_status tulle__executable_make_pool(tulle__env *env, tulle__executable *e, void *first)
{
	const tulle_status s = tulle__alloc_zero(env, 1, sizeof *e->pool, &e->pool);

	if (s == TULLE_OK)
		atomic_store_explicit(&e->pool->block[0], first, memory_order_release);
	else
		tulle__free(env, first);
	return s;
}

tulle_status tulle__executable_reserve(tulle__env *env, tulle__executable *e, size_t bytes)
{
	void *first;
	tulle_status s;

	e->scratch = bytes;
	if (bytes == 0)
		return TULLE_OK;
	s = tulle__alloc(env, 1, bytes, &first);
	return s == TULLE_OK ? tulle__executable_make_pool(env, e, first) : s;
}

void tulle__executable_release(tulle__env *env, tulle__executable *e)
{
	for (int i = 0; e->pool && i < TULLE__POOL_BLOCKS; i++)
		tulle__free(env, atomic_load_explicit(&e->pool->block[i], memory_order_acquire));
	tulle__free(env, e->pool);
	e->pool = NULL;
}
