/* ways.h -- the matrix of a plan in the forms that its ways need: A, A^T, expanded blocks. */
#ifndef TULLE_PLANNER_WAYS_H
#define TULLE_PLANNER_WAYS_H

#include "core/format.h"
#include "csr/block_csr.h"
#include "csr/csr_matrix.h"

/* A and, if a way needs it, A^T. */
typedef struct {
	const tulle__csr *a;      /* for blocks: only the sizes are set */
	const tulle__bsr *blocks; /* A, if it was given as block CSR; else NULL */
	tulle__csr expanded;      /* the blocks as CSR; row_ptr NULL: not expanded */
	double expand_seconds;    /* that this took */
	int conjugate;            /* what is built is A^H, not A^T */
	tulle__csr built;         /* A^T; row_ptr NULL: it is not there */
	tulle__csr_order order;   /* from the values of A to those of A^T */
	double seconds;           /* that building A^T took */
} tulle__operand;

/* Expand the blocks of A, if it has any and they are not expanded yet. On failure operand->expanded stays
 * empty. */
tulle_status tulle__expand(tulle__env *env, tulle__operand *o);
void tulle__drop_expansion(tulle__env *env, tulle__operand *o);
size_t tulle__expansion_bytes(const tulle__operand *o);

/* Does this format convert blocks of this size in this way without the expansion? height 0: no blocks. */
int tulle__keeps_blocks(const tulle__format *format, tulle__way way, const tulle__request *request,
                        int64_t height, int64_t width);

/* The blocks if this format keeps them, else NULL. */
const tulle__bsr *tulle__blocks_for(const tulle__operand *o, const tulle__format *format,
                                    tulle__way way, const tulle__request *request);

/* Build A^T, if it is not built yet. On failure operand->built stays empty. */
tulle_status tulle__build_transpose(tulle__env *env, tulle__operand *o);
void tulle__drop_transpose(tulle__env *env, tulle__operand *o);

/* Seconds that building A^T and expanding took, if this way uses them; `blocks`: kept by the format. */
double tulle__build_seconds(const tulle__operand *o, tulle__way way, const tulle__bsr *blocks);

/* The arguments of `convert` for this way: the matrix (expanded, if given as blocks), and a request whose op says
 * whether it is A or A^T. */
static inline const tulle__csr *tulle__operand_for(const tulle__operand *o, tulle__way way)
{
	return way == TULLE__BUILT ? &o->built : o->expanded.row_ptr ? &o->expanded : o->a;
}

static inline tulle__request tulle__request_for(const tulle__request *request, tulle__way way)
{
	tulle__request r = *request;

	r.op = way == TULLE__BUILT ? TULLE_NORMAL : request->op;
	return r;
}

/* Bytes of A^T and of its permutation; 0 if it is not built. */
size_t tulle__transpose_bytes(const tulle__operand *o);

/* For messages and files: "as is", "built", "scatter". */
const char *tulle__way_name(tulle__way way);

#endif
