/* gather.h -- how kernels gather elements of x: by the gather instruction or by ordinary loads.
 *
 * Both give the same bits from the same layout. Which one is faster is a property of the processor and of
 * its microcode (docs/machines.md). */
#ifndef TULLE_CORE_GATHER_H
#define TULLE_CORE_GATHER_H

#include "core/env.h"

/* The choice by processor model. If the model does not decide, a timing may; otherwise loads are used.
 * Loads are never much slower than the instruction, which can be several times slower than loads. */
tulle__gather tulle__gather_of_model(void);

/* From $TULLE_GATHER: "loads", "instruction", or unset. */
tulle_status tulle__gather_wanted(tulle__gather *out);

/* Set the result of a timing, for the rest of the process. */
void tulle__gather_settle(tulle__gather found);

/* How kernels of this context gather now: as requested, as the model says, as timed, otherwise by
 * loads. */
tulle__gather tulle__gather_now(const tulle__env *env);

/* The context's instruction set, in the variant that gathers in this way. */
tulle__isa tulle__kernel_isa(const tulle__env *env);

#endif
