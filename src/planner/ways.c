/* ways.c -- A^T built when a way needs it. */
#include "planner/ways.h"

#include "core/log.h"
#include "core/memory.h"

tulle_status tulle__build_transpose(tulle__env *env, tulle__operand *o)
{
	const double begin = tulle__seconds();
	tulle_status s;

	if (o->built.row_ptr)
		return TULLE_OK;
	s = tulle__csr_transpose(env, o->a, &o->built, &o->order);
	o->seconds = tulle__seconds() - begin;
	return s;
}

void tulle__drop_transpose(tulle__env *env, tulle__operand *o)
{
	tulle__csr_release(env, &o->built);
	tulle__free(env, o->order.source);
	o->built = (tulle__csr){ 0 };
	o->order = (tulle__csr_order){ 0 };
}

size_t tulle__transpose_bytes(const tulle__operand *o)
{
	return o->built.row_ptr ? tulle__csr_bytes(&o->built) +
	                              tulle__bytes(o->built.nnz, tulle__index_size(o->order.type))
	                        : 0;
}

const char *tulle__way_name(tulle__way way)
{
	static const char *const names[] = {
		[TULLE__AS_IS] = "as is", [TULLE__BUILT] = "built", [TULLE__SCATTER] = "scatter"
	};

	return names[way];
}
