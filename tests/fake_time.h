/* fake_time.h -- a clock and a team of the test's own, in place of the library's (linked by --wrap).
 *
 * Each run of a loop takes the time that the test says, and does nothing, so that a busy machine changes
 * nothing. */
#ifndef TESTS_FAKE_TIME_H
#define TESTS_FAKE_TIME_H

#include "csr/csr_matrix.h"
#include "inner.h"

typedef struct {
	int own;                /* 1: as below; 0: the library's clock and team */
	double now;             /* seconds */
	double per_run, growth; /* seconds of the next run, and its factor from one to the next */
	double per_look;        /* seconds of a look at the clock */
	int team;               /* threads that a run has; 0: all */
	int runs, looks;
} fake_time;

extern fake_time fake;

void fake_begin(double per_run);

/* A context's insides, with the scalar kernels. */
void env_begin(tulle__env *env, int threads);

/* A matrix whose values no cache holds. They are never read: no loop runs. */
extern const tulle__csr huge_values;

#endif
