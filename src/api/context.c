/* context.c -- threads, instruction set, memory and log that matrices and plans share. */
#include "api/handles.h"
#include "core/gather.h"
#include "core/memory.h"
#include "core/omp.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* From this size on (nonzeros + rows) two threads are faster than one; `./dev bench small` measures
 * it. Smaller matrices have a single part anyway. */
enum { SERIAL_BELOW = TULLE__WHOLE };

static tulle_context default_context;
static tulle_status default_status;
static char default_error[256];
static pthread_once_t default_once = PTHREAD_ONCE_INIT;

int tulle_version(void)
{
	return TULLE_VERSION;
}

static tulle_status find_isa(const char *name, tulle__isa *out)
{
	const char *wanted = name ? name : getenv("TULLE_ISA");
	tulle_status s = TULLE_OK;

	*out = tulle__isa_best();
	if (wanted && *wanted)
		s = tulle__isa_find(wanted, out);
	return s != TULLE_OK && !name ? tulle__fail_in(s, "environment variable TULLE_ISA") : s;
}

static tulle_status set_up(tulle_context *c, const tulle_context_options *o)
{
	tulle__env *env = &c->env;
	tulle_status s;

	atomic_init(&c->holds, 1);
	env->alloc = o->alloc ? o->alloc : tulle__default_alloc;
	env->free = o->free ? o->free : tulle__default_free;
	env->log = o->log;
	env->user = o->user;
	env->memory_limit = o->memory_limit ? o->memory_limit : SIZE_MAX;
	env->threads = o->threads;
	env->serial_below = o->serial_below == 0 ? SERIAL_BELOW : o->serial_below;
	s = find_isa(o->isa, &env->isa);
	return s == TULLE_OK ? tulle__gather_wanted(&env->gather) : s;
}

static void make_default(void)
{
	const tulle_context_options none = { .size = sizeof none };

	default_status = set_up(&default_context, &none);
	if (default_status != TULLE_OK)
		strncpy(default_error, tulle_last_error(), sizeof default_error - 1);
}

tulle_status tulle__context_of(tulle_context *given, tulle_context **out)
{
	*out = given;
	if (given)
		return TULLE_OK;
	pthread_once(&default_once, make_default);
	if (default_status != TULLE_OK)
		return tulle__fail(default_status, "%s", default_error);
	*out = &default_context;
	return TULLE_OK;
}

tulle_status tulle_context_create(const tulle_context_options *options, tulle_context **out)
{
	tulle_context_options o;
	tulle_context local, *c;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	s = tulle__read_options("tulle_context_options", options, &o, sizeof o);
	if (s != TULLE_OK)
		return s;
	if (o.threads < 0 || o.threads > TULLE__MAX_THREADS)
		return tulle__fail(TULLE_E_ARGUMENT, "options.threads = %d is not in 0 .. %d", o.threads,
		                   TULLE__MAX_THREADS);
	if (!o.alloc != !o.free)
		return tulle__fail(TULLE_E_ARGUMENT, "options.%s is NULL but options.%s is not",
		                   o.alloc ? "free" : "alloc", o.alloc ? "alloc" : "free");
	memset(&local, 0, sizeof local);
	s = set_up(&local, &o);
	if (s != TULLE_OK)
		return s;
	/* The context does not count its own block, so that the count can reach zero. */
	c = local.env.alloc(o.user, sizeof *c, TULLE__ALIGN);
	if (!c)
		return tulle__fail(TULLE_E_MEMORY, "the allocator refused %zu bytes", sizeof *c);
	memset(c, 0, sizeof *c);
	set_up(c, &o);
	*out = c;
	return TULLE_OK;
}

tulle_status tulle_context_describe(const tulle_context *context, tulle_context_info *info)
{
	const tulle_context *c = context;

	if (!c) {
		tulle_context *standard;
		const tulle_status s = tulle__context_of(NULL, &standard);

		if (s != TULLE_OK)
			return s;
		c = standard;
	}
	return tulle__write_info(
	    "tulle_context_info", info,
	    &(tulle_context_info){ .threads = tulle__threads(&c->env),
	                           .last_team = atomic_load(&c->env.last_team),
	                           .isa = tulle__isa_name(tulle__kernel_isa(&c->env)),
	                           .bytes_held = atomic_load(&c->env.bytes_held),
	                           .blocks_held = atomic_load(&c->env.blocks_held) },
	    sizeof *info);
}

void tulle__context_hold(tulle_context *context)
{
	atomic_fetch_add_explicit(&context->holds, 1, memory_order_relaxed);
}

void tulle_context_destroy(tulle_context *context)
{
	if (!context || context == &default_context)
		return;
	if (atomic_fetch_sub_explicit(&context->holds, 1, memory_order_acq_rel) == 1)
		context->env.free(context->env.user, context, sizeof *context);
}
