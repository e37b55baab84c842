/* threads.h -- the only parallel region of the library.
 *
 * Work consists of phases. The matrix alone determines the parts of each phase. A team does the
 * parts of a phase in any order and finishes them before the next phase begins, so the result does
 * not depend on the number of threads. */
#ifndef TULLE_CORE_THREADS_H
#define TULLE_CORE_THREADS_H

#include "core/env.h"

enum { TULLE__PHASES = 3 };

/* Do one part. `arg` is shared by all parts; a part writes only its own data. */
typedef void tulle__work(const void *arg, int64_t part);

typedef struct {
	tulle__work *work[TULLE__PHASES]; /* NULL after the last */
	int64_t parts[TULLE__PHASES];     /* 0: nothing to do in this phase */
} tulle__phases;

/* Run all phases in order with the context's team, or with as many of its threads as can be created. The
 * calling thread works alone, with the same bits, in these cases: the work (in nonzeros + rows) is below
 * the context's threshold; the caller is inside an OpenMP region; another thread of the process holds the
 * team; or helpers were late in one of the last calls (core/team.h). */
void tulle__run(tulle__env *env, const tulle__phases *phases, const void *arg, int64_t work);

/* One phase, for loops that build things. */
void tulle__run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                      int64_t amount);

/* The number of threads that a call may use now; and that a call with this much work uses. */
int tulle__threads(const tulle__env *env);
int tulle__threads_for(const tulle__env *env, int64_t work);

/* From now on the calling thread, a background thread of the library, takes no team: it works alongside callers.
 * These use `threads` threads (1 or more), which it could not learn from OpenMP. Other threads may help with its
 * loops through `loop` (core/shared_loop.h). */
typedef struct tulle__shared_loop tulle__shared_loop;
void tulle__work_alone(int threads, tulle__shared_loop *loop);

#endif
