/* recall.h -- what earlier runs measured, put into candidates, and what this one did, kept. */
#ifndef TULLE_PLANNER_RECALL_H
#define TULLE_PLANNER_RECALL_H

#include "planner/candidates.h"
#include "planner/wisdom.h"

/* Fill in what wisdom knows of the candidates; and add what it does not know. NULL: there is none. */
void tulle__recall(tulle__candidates *p, const tulle__request *request, const char *wisdom,
                   tulle__env *env);
/* Only what is trusted is added. A search with a doubt left is not: the next MEASURE goes on with it. */
void tulle__remember(const tulle__candidates *p, const tulle__request *request, const char *wisdom,
                     tulle__env *env);

/* Is it the time of a format that recall would believe, if a plan asked for that? Its members then go into
 * *out. */
int tulle__read_record(const tulle__wisdom_record *r, tulle_wisdom_info *out);

/* Take out what wisdom has of this matrix on this machine. */
void tulle__forget(const tulle__candidates *p, const tulle__request *request, const char *wisdom,
                   tulle__env *env);

#endif
