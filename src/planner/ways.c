/* ways.c -- A^T built, and blocks expanded, when a way needs it. */
#include "planner/ways.h"

#include "core/log.h"
#include "core/memory.h"

tulle_status tulle__expand(tulle__env *env, tulle__operand *o)
{
	const double begin = tulle__seconds();
	tulle_status s;

	if (!o->blocks || o->expanded.row_ptr)
		return TULLE_OK;
	s = tulle__bsr_expand(env, o->blocks, &o->expanded);
	o->expand_seconds = tulle__seconds() - begin;
	return s;
}

void tulle__drop_expansion(tulle__env *env, tulle__operand *o)
{
	tulle__csr_release(env, &o->expanded);
	o->expanded = (tulle__csr){ 0 };
}

size_t tulle__expansion_bytes(const tulle__operand *o)
{
	return o->expanded.row_ptr ? tulle__csr_bytes(&o->expanded) : 0;
}

int tulle__keeps_blocks(const tulle__format *format, tulle__way way, const tulle__request *request,
                        int64_t height, int64_t width)
{
	return height > 0 && way == TULLE__AS_IS && request->op == TULLE_NORMAL &&
	       format->keeps_blocks && format->keeps_blocks(height, width, request);
}

const tulle__bsr *tulle__blocks_for(const tulle__operand *o, const tulle__format *format,
                                    tulle__way way, const tulle__request *request)
{
	const tulle__bsr *blocks = o->blocks;

	return blocks && tulle__keeps_blocks(format, way, request, blocks->height, blocks->width)
	           ? blocks
	           : NULL;
}

tulle_status tulle__build_transpose(tulle__env *env, tulle__operand *o)
{
	double begin;
	tulle_status s;

	if (o->built.row_ptr)
		return TULLE_OK;
	s = tulle__expand(env, o);
	if (s != TULLE_OK)
		return s;
	begin = tulle__seconds();
	s = tulle__csr_adjoint(env, tulle__operand_for(o, TULLE__AS_IS), o->conjugate, &o->built,
	                       &o->order);
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

double tulle__build_seconds(const tulle__operand *o, tulle__way way, const tulle__bsr *blocks)
{
	return (way == TULLE__BUILT ? o->seconds : 0) + (blocks ? 0 : o->expand_seconds);
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
