/* gather.h -- how kernels read x where indices say: by the gather instruction or by ordinary loads.
 *
 * Both give the same bits from the same layout. Which one is faster is a property of the processor and of
 * its microcode (docs/machines.md). */
#ifndef TULLE_CORE_GATHER_H
#define TULLE_CORE_GATHER_H

#include "core/env.h"

/* What the processor's model says. Where it says nothing a timing may decide, else loads are taken: they
 * are never much slower than the instruction, which can be several times slower than loads. */
tulle__gather tulle__gather_of_model(void);

/* From $TULLE_GATHER: "loads", "instruction", or unset. */
tulle_status tulle__gather_wanted(tulle__gather *out);

/* What a timing found; holds for the process from then on. */
void tulle__gather_settle(tulle__gather found);

/* How kernels of this context gather now: as wanted, as the model says, as timed, else by loads. */
tulle__gather tulle__gather_now(const tulle__env *env);

/* The context's instruction set, with kernels that gather so. */
tulle__isa tulle__kernel_isa(const tulle__env *env);

#endif
