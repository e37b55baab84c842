/* recall.h -- uses measurements of earlier runs for candidates, and stores those of this run. */
#ifndef TULLE_PLANNER_RECALL_H
#define TULLE_PLANNER_RECALL_H

#include "planner/candidates.h"
#include "planner/wisdom.h"

/* Read the times of the candidates from the wisdom file; and add those that it lacks. NULL: no file.
 */
void tulle__recall(tulle__candidates *p, const tulle__request *request, const char *wisdom,
                   tulle__env *env);
/* Only trusted times are added. A search with times that are not trusted is not recorded: the next
 * MEASURE continues it. */
void tulle__remember(const tulle__candidates *p, const tulle__request *request, const char *wisdom,
                     tulle__env *env);

/* Is this a time of a format that recall would use? If so, its members are stored in *out. */
int tulle__read_record(const tulle__wisdom_record *r, tulle_wisdom_info *out);

/* Remove the records of this matrix on this machine. */
void tulle__forget(const tulle__candidates *p, const tulle__request *request, const char *wisdom,
                   tulle__env *env);

#endif
