/* handles.h -- the structs of the opaque handles, and the argument checks they share.
 *
 * Handles are reference-counted: a plan holds its matrix, a matrix its context. destroy drops the caller's
 * reference; memory is freed with the last one. */
#ifndef TULLE_API_HANDLES_H
#define TULLE_API_HANDLES_H

#include "core/executable.h"
#include "core/mapping.h"
#include "csr/compact.h"
#include "csr/csr_matrix.h"
#include "planner/choose.h"
#include "planner/stores.h"
#include "tulle.h"

#include <stdatomic.h>

struct tulle_context {
	atomic_int holds;
	tulle__env env;
};

struct tulle_matrix {
	atomic_int holds;
	tulle_context *context;
	tulle__csr a;           /* the canonical form; of blocks: sizes alone */
	tulle__csr owned;       /* those of its arrays that are ours to free, else NULL */
	tulle__mapping mapping; /* where its other arrays are, if they are not the caller's */
	tulle__csr_order order; /* from the caller's values to a.val */
	tulle__lists lists;     /* the rows and columns that `a` has; NULL: all */
	tulle__bsr blocks;      /* what came as block CSR; ptr NULL: it did not */
	tulle__bsr owned_blocks;
	_Atomic(tulle__csr *)
	    expanded; /* these as CSR, once somebody asked for CSR (tulle__matrix_csr) */
	int64_t stored_nnz;
	tulle_kind kind;
	tulle_matrix *of; /* owner of the arrays, read as another type; NULL: itself */
};

typedef struct tulle__online tulle__online; /* api/online.h */

/* The options of a plan for both directions, and the candidates that were compared. */
typedef struct {
	tulle_plan_options asked; /* without the texts; to choose again by */
	int named;                /* the caller named the format */
	tulle__stores stores;
} tulle__both;

struct tulle_plan {
	/* what a multiplication reads, together */
	tulle__env *env;
	tulle__online *online; /* options.online; NULL: the plan does not change by itself */
	void *data;
	size_t x_bytes, y_bytes;
	tulle_value_type value_type;  /* of the matrix */
	tulle_value_type vector_type; /* of x and y: the compute type of that */
	tulle__executable run;

	/* the rest of its life */
	tulle__executable steps; /* their scratch alone; the first step makes it */
	tulle_matrix *matrix;
	const tulle__format *format;
	tulle__layout layout;
	tulle_op op;
	tulle__request request; /* what was asked for, to choose again by */
	size_t max_bytes;       /* likewise */
	double seconds, convert_seconds;
	char why[TULLE__WHY];
	tulle__candidates *candidates; /* what was weighed, NULL: nothing */
	tulle__way way;
	/* What was converted: the matrix's CSR, operand.built or operand.expanded. If blocks are kept, only the sizes
	 * are set. */
	tulle__csr a;
	/* A^T, if one was built. Blocks, and their expansion if they are not kept; without these, the CSR that the
	 * matrix itself keeps is used for a matrix of blocks. */
	tulle__operand operand;
	int from_blocks;   /* the format keeps the blocks of the matrix */
	int copies_values; /* updates do not leave the plan reading the caller's array */
	void *values;      /* values of our own since an update, if a.val is read after it */
	int updated;       /* it has other values than the matrix */
	size_t
	    consumed; /* bytes of its CSR, if the columns and values of the matrix are released; else 0 */
	const tulle_plan *before; /* the online plan that this one replaces; NULL: none */

	/* TULLE_BOTH */
	tulle_plan
	    *other;      /* multiplies by A^T; the plan itself where A^T equals A; NULL: not for both */
	int shares_data; /* this is the other one, and `data` is that of the plan for A */
	double predicted;  /* seconds of a multiplication where no candidates are kept; 0: unknown */
	tulle__both *both; /* of the plan for A */
};

/* A plan for one direction, or for both from one store with a named format: o->op says which. `as_csr`: made from
 * tulle__matrix_csr(), even if the matrix came as blocks. */
tulle_status tulle__plan_create_one(const tulle_matrix *matrix, int as_csr,
                                    const tulle_plan_options *o, tulle_plan **out);
tulle_status tulle__plan_update_one(tulle_plan *plan, const void *val);

/* The same for a matrix that the plan alone will hold, whose columns and values may be released while they are
 * converted: they have `releases` bytes. On failure the matrix is unchanged. */
tulle_status tulle__plan_create_releasing(const tulle_matrix *matrix, const tulle_plan_options *o,
                                          size_t releases, tulle_plan **out);

/* A plan for what o->op says; and one whose vectors are of another type than the matrix (mixed.c). */
tulle_status tulle__plan_create(const tulle_matrix *matrix, int as_csr, const tulle_plan_options *o,
                                tulle_plan **out);
tulle_status tulle__create_mixed(const tulle_matrix *matrix, const tulle_plan_options *o,
                                 tulle_plan **out);

/* A plan that is ready to replace another one: the same matrix with other values. */
typedef struct {
	tulle_plan plan;
	tulle__csr a;
	void *own; /* the block that a.val is in, NULL: none of ours */
} tulle__renewed;

/* Convert new values without changing the plan; then replace the plan, or discard the result. Only the first can
 * fail. */
tulle_status tulle__plan_renew(tulle_plan *plan, const void *val, tulle__renewed *out);
void tulle__plan_replace(tulle_plan *plan, tulle__renewed *by);
void tulle__plan_drop_renewed(tulle_plan *plan, tulle__renewed *r);

/* Plans for both directions (both.c). */
tulle_status tulle__create_both(const tulle_matrix *matrix, const tulle_plan_options *o,
                                int excludes_mirrors, tulle_plan **out);
tulle_status tulle__update_both(tulle_plan *plan, const void *val);

/* What an operation is for this matrix: A^H of a real one is A^T. */
static inline tulle_op tulle__op_for(const tulle_matrix *m, tulle_op op)
{
	if (op < TULLE_CONJUGATE || tulle__type_of(m->a.value_type)->parts > 1)
		return op;
	return op == TULLE_CONJUGATE ? TULLE_TRANSPOSED : TULLE_BOTH;
}

/* It has other values than the matrix from now on, and so has the plan for the other direction. */
static inline void tulle__note_updated(tulle_plan *p)
{
	p->updated = 1;
	if (p->other)
		p->other->updated = 1;
}

/* Stored matrices of a plan. */
static inline int tulle__stores_of(const tulle_plan *p)
{
	const tulle_plan *t = p->other;

	return !t || t == p || t->shares_data ||
	               (tulle__format_borrows(p->format, p->value_type) && t->way == TULLE__SCATTER)
	           ? 1
	           : 2;
}

/* Bytes of a plan for one direction that options.max_bytes limits. */
static inline size_t tulle__limited_bytes(const tulle_plan *p)
{
	return tulle__format_borrows(p->format, p->value_type) && p->way != TULLE__BUILT
	           ? 0
	           : p->layout.own_bytes + tulle__transpose_bytes(&p->operand);
}

/* What is left of max_bytes when `used` bytes are taken; 0: no limit, 1: nothing is left. */
static inline size_t tulle__rest_of_limit(size_t most, size_t used)
{
	return most == 0 ? 0 : used < most ? most - used : 1;
}

/* The context of a handle that may be NULL. Fails if the default context cannot be created, for example because
 * $TULLE_ISA is wrong. */
tulle_status tulle__context_of(tulle_context *given, tulle_context **out);
void tulle__context_hold(tulle_context *context);
tulle_matrix *tulle__matrix_hold(const tulle_matrix *matrix); /* for tulle_matrix_destroy */

/* The matrix as CSR. Blocks are expanded by the first call; the matrix keeps the expansion. */
tulle_status tulle__matrix_csr(const tulle_matrix *matrix, const tulle__csr **out);

/* A matrix without arrays so far, held once. */
tulle_status tulle__matrix_new(tulle_context *context, tulle_kind kind, int64_t stored_nnz,
                               tulle_matrix **out);

/* Do two pieces of memory share a byte? */
static inline int tulle__overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	const uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;

	return p < q + b_bytes && q < p + a_bytes && a_bytes > 0 && b_bytes > 0;
}

/* Does every multiplication read values that are the caller's? */
static inline int tulle__borrows_values(const tulle_plan *p)
{
	const tulle__csr *expanded = atomic_load(&p->matrix->expanded);

	return tulle__format_borrows(p->format, p->value_type) && p->a.val &&
	       !p->matrix->mapping.begin && p->a.val != p->values && p->a.val != p->operand.built.val &&
	       p->a.val != p->operand.expanded.val && p->a.val != p->matrix->owned.val &&
	       !(expanded && p->a.val == expanded->val) &&
	       !(p->before && p->a.val == p->before->values);
}

/* Did this candidate become the plan? If formats were compared again after an update, A^T existed already, and
 * the way is "as is". */
static inline int tulle__is_chosen(const tulle_plan *p, const tulle__candidate *c)
{
	return c->format == p->format && (c->way == TULLE__SCATTER) == (p->way == TULLE__SCATTER);
}

/* One multiplication, with checked arguments and allocated scratch: cannot fail. */
static inline void tulle__multiply(const tulle_plan *p, tulle__scalar alpha, const void *x,
                                   tulle__scalar beta, const void *b, void *y, void *scratch)
{
	const tulle__call call = { p->data, x, b, y, scratch, alpha, beta };

	tulle__execute(p->env, &p->run, TULLE__MUL, &call);
}

/* Vectors and factors of a product y = alpha A x + beta b, with the names that the caller knows them by. */
typedef struct {
	const void *x, *b;
	void *y;
	tulle__scalar alpha, beta;
	const char *b_name, *beta_name, *y_name; /* beta_name NULL: the caller does not choose it */
} tulle__product;

/* The vectors of a call are of the wrong type. */
tulle_status tulle__refuse_type(const tulle_plan *p, tulle_value_type type) __attribute__((cold));

/* Reports which of the conditions below is violated. */
tulle_status tulle__refuse_product(const tulle_plan *p, tulle_value_type type,
                                   const tulle__product *v) __attribute__((cold));

/* TULLE_OK if the product can be computed. One expression, since small products are short. */
static inline tulle_status tulle__check_product(const tulle_plan *p, tulle_value_type type,
                                                const tulle__product *v)
{
	const uintptr_t off = tulle__element_align(type) - 1;

	if (!p || p->vector_type != type || (!v->x && p->x_bytes > 0) || (!v->y && p->y_bytes > 0) ||
	    (((uintptr_t)v->x | (uintptr_t)v->y | (uintptr_t)v->b) & off) ||
	    tulle__overlap(v->x, p->x_bytes, v->y, p->y_bytes) ||
	    (v->b != v->y && !tulle__is_zero(v->beta) &&
	     (!v->b || tulle__overlap(v->b, p->y_bytes, v->y, p->y_bytes)) && p->y_bytes > 0))
		return tulle__refuse_product(p, type, v);
	return TULLE_OK;
}

/* A plan for `matrix` without a format; and the rest of the plan after a format was chosen: kernels and
 * scratch. */
tulle_status tulle__plan_new(const tulle_matrix *matrix, tulle_op op, size_t max_bytes,
                             tulle_plan **out);
tulle_status tulle__plan_complete(tulle_plan *p, const tulle__choice *choice);
void tulle__log_plan(const tulle_plan *p);

/* Figures of `now`, what `plan` is at present. */
tulle_status tulle__describe(const tulle_plan *plan, const tulle_plan *now, tulle_plan_info *info);

/* TULLE_E_ARGUMENT when there is no name. */
tulle_status tulle__check_path(const char *path);

/* Copy the caller's options to a zeroed structure of `known` bytes. A longer structure, of a newer header, is
 * accepted if the unknown members are zero. */
tulle_status tulle__read_options(const char *type, const void *given, void *known_options,
                                 size_t known);

/* Copy an info structure out, as much of it as the caller's `size` has room for. */
tulle_status tulle__write_info(const char *type, void *to, const void *known_info, size_t known);

/* A matrix of its own from triplets that the library checked; val NULL: ones. */
tulle_status tulle__matrix_from_triplets(tulle_context *context, const tulle__triplets *t,
                                         tulle_value_type type, const void *val,
                                         tulle_compact compact, tulle_matrix **out);

/* TULLE_E_UNSUPPORTED if the matrix leaves out rows or columns, which `what` does not support. */
tulle_status tulle__check_whole(const tulle_matrix *matrix, const char *what);
tulle_status tulle__check_compact(const char *name, tulle_compact compact);

#endif
