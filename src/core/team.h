/* team.h -- the threads that help a caller with the parts of a loop: one team for the process.
 *
 * Helpers are created when a caller first asks for them and live as long as the process. The caller
 * depends on none of them: parts that are not claimed it does itself, and it waits only for parts
 * that a helper has claimed. So a thread that could not be created, that the system does not run, or
 * that fork() did not copy costs time and nothing else. */
#ifndef TULLE_CORE_TEAM_H
#define TULLE_CORE_TEAM_H

#include "core/threads.h"

#include <signal.h>

/* Take the team, with at most `threads` threads. Returns how many it has, the caller included: fewer
 * when no more could be created. 1: the caller is alone, because there are no helpers, because another
 * thread has the team, or because helpers were late in the last calls (not with `always`); nothing was
 * taken then. */
int tulle__team_take(int threads, int always);

enum { TULLE__TEAM_PARTS = INT32_MAX }; /* the most parts of a loop */

/* Do all parts with the team that was taken. Everything done before the call happens before every
 * part, every part happens before the return. */
void tulle__team_run(tulle__work *work, const void *arg, int64_t parts);

void tulle__team_leave(void);

/* Before a thread of the library is created, which inherits it: all signals except those that faults raise are
 * blocked. *before is for the caller to restore. */
void tulle__block_signals(sigset_t *before);

#endif
