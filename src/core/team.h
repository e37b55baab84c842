/* team.h -- the threads that help a caller with the parts of a loop: one team for the process.
 *
 * Helpers are created when a caller first needs them and exist until the process ends. The caller
 * does not depend on them: it does unclaimed parts itself, and waits only for parts that a helper
 * has claimed. So a thread that cannot be created, is not scheduled, or was not copied by fork()
 * costs only time. */
#ifndef TULLE_CORE_TEAM_H
#define TULLE_CORE_TEAM_H

#include "core/threads.h"

#include <signal.h>

/* Take the team, with at most `threads` threads. Returns its size, including the caller: less if no
 * more threads could be created. 1: the caller is alone and has not taken the team, because there are
 * no helpers, because another thread holds the team, or because helpers were late in the last calls
 * (not with `always`). */
int tulle__team_take(int threads, int always);

enum { TULLE__TEAM_PARTS = INT32_MAX }; /* the most parts of a loop */

/* Do all parts with the team that was taken. Everything done before the call happens before every
 * part, every part happens before the return. */
void tulle__team_run(tulle__work *work, const void *arg, int64_t parts);

void tulle__team_leave(void);

/* Block all signals except those that faults raise, before a thread of the library is created, which inherits
 * the mask. The caller restores *before. */
void tulle__block_signals(sigset_t *before);

#endif
