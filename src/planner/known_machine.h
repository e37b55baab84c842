/* known_machine.h -- the machine as this process or the wisdom file knows it, or as a probe finds it. */
#ifndef TULLE_PLANNER_KNOWN_MACHINE_H
#define TULLE_PLANNER_KNOWN_MACHINE_H

#include "analysis/machine_probe.h"

/* A probe is worth it where the multiplications take this many times as long. */
enum { TULLE__PROBE_PAYS = 100 };

/* The machine of a plan for `a`. As the wisdom file knows it (NULL: none), else as this process does; what
 * neither knows is timed, once per process, if the multiplications are predicted to take `ahead` seconds
 * and a probe is worth that (0: never). What is not known then is assumed. Without a file, and where
 * nothing may be timed, all is assumed, so that such a plan depends on no earlier one. */
void tulle__know_machine(tulle__env *env, const tulle__csr *a, const char *wisdom, double ahead,
                         tulle__machine *out);

/* Keep what was timed, in this process and in the file (NULL: none). */
void tulle__keep_machine(tulle__env *env, const char *wisdom, const tulle__machine *m);

#endif
