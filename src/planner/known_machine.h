/* known_machine.h -- speeds of the machine, from this process, from the wisdom file or from a probe. */
#ifndef TULLE_PLANNER_KNOWN_MACHINE_H
#define TULLE_PLANNER_KNOWN_MACHINE_H

#include "analysis/machine_probe.h"

/* A probe pays off if the multiplications take at least this many times as long. */
enum { TULLE__PROBE_PAYS = 100 };

/* The machine for a plan of `a`. Speeds come from the wisdom file (NULL: none), otherwise from this
 * process. If both lack them, they are timed, once per process, if a probe pays off for multiplications
 * that are predicted to take `ahead` seconds (0: never). All others are assumed. Without a file and
 * without timing, all speeds are assumed, so that such a plan does not depend on earlier plans. */
void tulle__know_machine(tulle__env *env, const tulle__csr *a, const char *wisdom, double ahead,
                         tulle__machine *out);

/* Store the measured speeds in this process and in the file (NULL: none). */
void tulle__keep_machine(tulle__env *env, const char *wisdom, const tulle__machine *m);

#endif
