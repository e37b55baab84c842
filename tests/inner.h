/* inner.h -- a format driven through its own table, without plan, team or planner.
 *
 * Tests that link the static library can ask a format itself: are its invariants whole, does it give
 * the matrix back, and which bits does its kernel of one instruction set make? */
#ifndef TESTS_INNER_H
#define TESTS_INNER_H

#include "core/format.h"
#include "csr/csr_matrix.h"
#include "support.h"

typedef struct {
	const tulle__format *format;
	tulle__env env;
	void *data;
} inner;

/* What formats and analysis work with, on this thread alone. */
void inner_env(tulle__env *env, tulle__isa isa);

/* Convert `a` by a spec such as "csr:kernel=vector", for y = A x, as a context of this instruction
 * set would: a layout may follow the number of lanes, but making it needs none. 0 after a failed
 * check, or when the format may refuse and did. */
int inner_convert(inner *in, const char *spec, tulle__isa isa, const tulle__csr *a);

/* The same for y = op(A) x, by a format that scatters. */
int inner_convert_op(inner *in, const char *spec, tulle_op op, tulle__isa isa, const tulle__csr *a);
void inner_release(inner *in);

/* Arrays that are shown, or those of a matrix, as formats see them. */
tulle__csr inner_view(const tulle_csr_view *v);
tulle__csr inner_csr(const tulle_matrix *a);

/* y = alpha A x + beta b by the kernel for this instruction set, part after part on this thread; 0
 * after a failed check. */
int inner_multiply(inner *in, tulle__isa isa, tulle_value_type type, double alpha, const void *x,
                   double beta, const void *b, void *y);

/* The same entries in the same rows, each row stably sorted by column, values equal bit for bit. */
int inner_same(const tulle__csr *a, const tulle__csr *b);

#endif
