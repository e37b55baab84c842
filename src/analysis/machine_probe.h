/* machine_probe.h -- times this machine: briefly for a plan, thoroughly for `tulle machine`. */
#ifndef TULLE_ANALYSIS_MACHINE_PROBE_H
#define TULLE_ANALYSIS_MACHINE_PROBE_H

#include "analysis/machine.h"
#include "csr/csr_matrix.h"

/* What a probe takes at most. On a busy machine one run of a loop may be interrupted, and the probe is
 * longer by that. */
#define TULLE__PROBE_SECONDS 5e-3

/* Time caches and parallel regions, and the bandwidth of memory by a matrix's own values: some of them are
 * read once in order, where they are large enough not to lie in a cache. Gathers from memory are derived from
 * those of the third cache. `a` may be NULL. What is known stays as it is, and so
 * does what could not be timed. TULLE_E_MEMORY and TULLE_E_LIMIT leave the machine as it was. */
tulle_status tulle__machine_probe(tulle__env *env, const tulle__csr *a, tulle__machine *m);

/* Would a probe with this matrix find out something that is not known? */
int tulle__machine_worth_probing(const tulle__csr *a, const tulle__machine *m);

/* Time everything anew, memory by a block of its own: some 300 ms. */
tulle_status tulle__machine_survey(tulle__env *env, tulle__machine *m);

#endif
