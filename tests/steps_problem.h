/* steps_problem.h -- one operator with vectors, and all steps of it checked against separate calls. */
#ifndef TESTS_STEPS_PROBLEM_H
#define TESTS_STEPS_PROBLEM_H

#include "support.h"

typedef struct {
	tulle_value_type type;
	int64_t rows, cols;
	void *x, *w, *result, *want;
	double dots[5]; /* of check_steps(): xy, yy, rr, xz, zz */
	int whole;      /* all numbers are small and whole */
} problem;

void problem_new(problem *p, tulle_value_type type, const matrix *m, tulle_op op, int whole);
void problem_free(problem *p);

/* p->result = b - A x. */
tulle_status residual(const tulle_plan *plan, const problem *p, const void *b, double *rr);

void check_steps(const tulle_plan *plan, problem *p);

#endif
