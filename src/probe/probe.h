/* probe.h -- the time of a gather and of a sequential read by the kernels of an instruction set.
 *
 * Sets of one width differ in how they gather: by the instruction, or by loads. Which is faster depends on
 * the processor and its microcode, and must be measured. */
#ifndef TULLE_PROBE_PROBE_H
#define TULLE_PROBE_PROBE_H

#include "core/env.h"

/* The kernels: sum of x[col[0]], x[col[1]], ...; sum of x[0], x[1], ... Both take `count` elements, a
 * multiple of TULLE__PROBE_STEP. */
enum { TULLE__PROBE_GATHER, TULLE__PROBE_READ, TULLE__PROBE_KERNELS };
enum { TULLE__PROBE_STEP = 64 };

typedef struct {
	const double *x;
	const int32_t *col; /* of a gather */
	int64_t count;
	double *sum; /* keeps the compiler from removing the work */
} tulle__probe_work;

/* Seconds per element by the kernel of a set, on the calling thread: the least of `rounds` runs after a
 * warm-up run. No run begins at `end` (tulle__seconds()) or later; 0: there was no time for a run. */
double tulle__probe_time(tulle__isa isa, int kernel, const tulle__probe_work *work, int rounds,
                         double end);

/* `count` columns below `columns`, at random. */
void tulle__probe_columns(int32_t *col, int64_t count, int64_t columns, uint32_t seed);

/* ---- the choice between sets of one width ---- */

typedef struct {
	tulle__isa fastest; /* the set itself if no other is as wide, or the time limit was reached */
	double seconds[TULLE__ISAS]; /* per element gathered from the first cache; 0: not timed */
} tulle__gather_times;

/* Time the gathers of all sets of this build and machine whose vectors are as wide as those of `isa`.
 * Takes at most 50 us, and no time if there is no other set. */
void tulle__time_gathers(tulle__isa isa, tulle__gather_times *out);

/* The same, timed once per process and width. */
tulle__gather_times tulle__known_gathers(tulle__isa isa);

/* Let such a timing decide how kernels gather (core/gather.h), where neither the user nor the processor's
 * model does. */
void tulle__settle_gathers(const tulle__env *env);

#endif
