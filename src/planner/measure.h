/* measure.h -- tries likely formats, first on a slice of the matrix, the best ones on the whole
 * matrix. */
#ifndef TULLE_PLANNER_MEASURE_H
#define TULLE_PLANNER_MEASURE_H

#include "planner/candidates.h"

/* A candidate whose converted matrix is kept after its trial. */
typedef struct {
	const tulle__candidate *candidate; /* NULL: none was */
	void *data;
	double seconds; /* of the conversion, including building A^T */
} tulle__kept;

/* Measure the likely candidates that are not measured yet. This takes at most a tenth of the time of the
 * multiplications, and at most max_seconds (0: no limit). `kept` is the converted matrix of the best
 * candidate, if one was made; the caller uses or releases it. Its previous contents are used or
 * released. Times that are not trusted are not stored, and the prediction is used. */
tulle_status tulle__measure(tulle__candidates *p, tulle__operand *operand,
                            const tulle__request *request, double max_seconds, tulle__env *env,
                            tulle__kept *kept);

/* The candidates were measured by an earlier run: try the winner again. If its time has changed, and
 * the new time is trusted, the times of all candidates are discarded. */
tulle_status tulle__verify(tulle__candidates *p, tulle__operand *operand,
                           const tulle__request *request, tulle__env *env, tulle__kept *kept);

#endif
