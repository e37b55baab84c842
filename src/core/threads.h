/* threads.h -- the only parallel region of the library.
 *
 * Work comes as phases, each cut into parts by the matrix alone. A team takes the parts of a phase
 * in any order and finishes them before the next phase begins, so the result cannot depend on how
 * many threads there are. */
#ifndef TULLE_CORE_THREADS_H
#define TULLE_CORE_THREADS_H

#include "core/env.h"

enum { TULLE__PHASES = 3 };

/* Do one part. `arg` is shared by all parts; a part writes only what is its own. */
typedef void tulle__work(const void *arg, int64_t part);

typedef struct {
	tulle__work *work[TULLE__PHASES]; /* NULL after the last */
	int64_t parts[TULLE__PHASES];     /* 0: nothing to do in this phase */
} tulle__phases;

/* Run all phases in order with the context's team, or with as many of its threads as can be created.
 * By the calling thread alone, with the same bits, when the work (in nonzeros + rows) is under the
 * context's threshold, inside an OpenMP region of the caller, while another thread of the process has the
 * team, and for some calls after one whose helpers were late (core/team.h). */
void tulle__run(tulle__env *env, const tulle__phases *phases, const void *arg, int64_t work);

/* One phase, for loops that build things. */
void tulle__run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                      int64_t amount);

/* The threads a call may use now; those that a call of so much work asks for. */
int tulle__threads(const tulle__env *env);
int tulle__threads_for(const tulle__env *env, int64_t work);

/* From now on the calling thread, which is the library's own, takes no team: it works beside callers. They use
 * `threads` threads (1 or more), which OpenMP would not tell it. Its loops are open to whoever helps with `loop`
 * (core/shared_loop.h). */
typedef struct tulle__shared_loop tulle__shared_loop;
void tulle__work_alone(int threads, tulle__shared_loop *loop);

#endif
