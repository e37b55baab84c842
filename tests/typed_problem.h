/* typed_problem.h -- systems in types that are not public (tests/types/more_types.def), and what their
 * products have to be. */
#ifndef TESTS_TYPED_PROBLEM_H
#define TESTS_TYPED_PROBLEM_H

#include "core/types.h"
#include "kit.h"
#include "support.h"

enum { UPPER = TULLE__TYPE_upper, OPS = 2 };

typedef struct {
	matrix m;
	const tulle__type *type;
	void *val, *x[OPS], *b[OPS]; /* as kernels see them; x and b of A and of A^T */
	float *wide;                 /* the values of upper as floats */
	int ones;                    /* all values are 1: a matrix may go without them */
} typed_problem;

/* Values of one class, or ones, for a pattern, which now belongs to the problem. */
typed_problem typed_problem_new(matrix m, tulle_value_type type, int ones, kit_values class,
                                uint64_t seed);
void typed_problem_free(typed_problem *p);

/* Rows of A or of A^T. */
int64_t typed_problem_rows(const typed_problem *p, int op);

/* The bound of y = alpha op(A) x + beta b. NULL after a failed check. */
kit_oracle *typed_problem_oracle(typed_problem *p, int op, tulle__scalar alpha, tulle__scalar beta);

#endif
