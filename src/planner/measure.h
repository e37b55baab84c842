/* measure.h -- likely formats tried, first on a slice of the matrix, the best on the whole. */
#ifndef TULLE_PLANNER_MEASURE_H
#define TULLE_PLANNER_MEASURE_H

#include "planner/candidates.h"

/* A candidate that was converted on the way. */
typedef struct {
	const tulle__candidate *candidate; /* NULL: none was */
	void *data;
	double seconds; /* that the conversion took, building A^T included */
} tulle__kept;

/* Fill in what the likely candidates take, as far as it is not known already. At most a tenth of what
 * the multiplications will take is spent, and no more than max_seconds (0: no such bound). `kept` is the
 * converted matrix of the best one, if it had to be made; the caller's to use or release. What it holds
 * before is used or released. Times that are not trusted are left out: the prediction counts. */
tulle_status tulle__measure(tulle__candidates *p, tulle__operand *operand,
                            const tulle__request *request, double max_seconds, tulle__env *env,
                            tulle__kept *kept);

/* The candidates were measured by an earlier run: try the winner again. When it now takes another time,
 * and that can be trusted, the others' are not believed either: none of them is measured then. */
tulle_status tulle__verify(tulle__candidates *p, tulle__operand *operand,
                           const tulle__request *request, tulle__env *env, tulle__kept *kept);

#endif
