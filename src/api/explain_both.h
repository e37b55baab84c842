/* explain_both.h -- the additional text for a plan for both directions. */
#ifndef TULLE_API_EXPLAIN_BOTH_H
#define TULLE_API_EXPLAIN_BOTH_H

#include "api/handles.h"
#include "api/say.h"

/* A line: how A^T x is computed. */
void tulle__say_stores(tulle__page *to, const tulle_plan *p);

/* A line: the time of a multiplication by A^T; nothing if it is unknown. */
void tulle__say_backward_time(tulle__page *to, const tulle_plan_info *i);

/* A table: the ways to store A that were compared; nothing if none were. */
void tulle__say_pairs(tulle__page *to, const tulle__stores *s);

#endif
