/* weigh.h -- the candidates of a plan, and the cost of each. */
#ifndef TULLE_PLANNER_WEIGH_H
#define TULLE_PLANNER_WEIGH_H

#include "planner/choose.h"
#include "planner/measure.h"

/* Fill in c->candidates, which must be zero. For A^T the ways are compared by the features of A, and A^T
 * is built only if a way that needs it may be the best. `kept` as for tulle__measure(). */
tulle_status tulle__weigh(const tulle_plan_options *o, tulle__env *env, tulle__choice *c,
                          tulle__kept *kept);

/* The same for a machine that is set: nothing is timed, and no wisdom is read. */
tulle_status tulle__weigh_by_estimates(size_t max_bytes, tulle__env *env, tulle__choice *c);

#endif
