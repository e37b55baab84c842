/* machine_probe.h -- times this machine: briefly for a plan, thoroughly for `tulle machine`. */
#ifndef TULLE_ANALYSIS_MACHINE_PROBE_H
#define TULLE_ANALYSIS_MACHINE_PROBE_H

#include "analysis/machine.h"
#include "csr/csr_matrix.h"

/* Maximum time of a probe. On a busy machine one run of a loop may be interrupted, which prolongs the
 * probe. */
#define TULLE__PROBE_SECONDS 5e-3

/* Time caches, parallel regions, and the bandwidth of memory. Memory is timed by reading values of the matrix
 * once in order, if they are too large for the caches. Gathers from memory are derived from those from L3.
 * `a` may be NULL. Known speeds, and those that cannot be timed, are not changed. After TULLE_E_MEMORY and
 * TULLE_E_LIMIT the machine is unchanged. */
tulle_status tulle__machine_probe(tulle__env *env, const tulle__csr *a, tulle__machine *m);

/* Would a probe with this matrix time anything that is unknown? */
int tulle__machine_worth_probing(const tulle__csr *a, const tulle__machine *m);

/* Time everything again, memory with an allocated block: takes about 300 ms. */
tulle_status tulle__machine_survey(tulle__env *env, tulle__machine *m);

#endif
