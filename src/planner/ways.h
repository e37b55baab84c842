/* ways.h -- the matrix of a plan in the ways in which its operation can be performed. */
#ifndef TULLE_PLANNER_WAYS_H
#define TULLE_PLANNER_WAYS_H

#include "core/format.h"
#include "csr/csr_matrix.h"

/* A and, where a way needs it, A^T. */
typedef struct {
	const tulle__csr *a;
	tulle__csr built;       /* A^T; row_ptr NULL: it is not there */
	tulle__csr_order order; /* from the values of A to those of A^T */
	double seconds;         /* that building A^T took */
} tulle__operand;

/* Build A^T, unless that was done. On failure operand->built stays empty. */
tulle_status tulle__build_transpose(tulle__env *env, tulle__operand *o);
void tulle__drop_transpose(tulle__env *env, tulle__operand *o);

/* What `convert` gets for this way: the matrix, and a request whose op says what that stands for. */
static inline const tulle__csr *tulle__operand_for(const tulle__operand *o, tulle__way way)
{
	return way == TULLE__BUILT ? &o->built : o->a;
}

static inline tulle__request tulle__request_for(const tulle__request *request, tulle__way way)
{
	tulle__request r = *request;

	r.op = way == TULLE__BUILT ? TULLE_NORMAL : request->op;
	return r;
}

/* Bytes of A^T and of its permutation; 0 if it is not there. */
size_t tulle__transpose_bytes(const tulle__operand *o);

/* For people and files: "as is", "built", "scatter". */
const char *tulle__way_name(tulle__way way);

#endif
