/* machine.h -- what the machine is like: its caches, and what reading and gathering cost. */
#ifndef TULLE_ANALYSIS_MACHINE_H
#define TULLE_ANALYSIS_MACHINE_H

#include "core/cpu.h"
#include "core/env.h"

/* Where data may lie. */
enum { TULLE__L1, TULLE__L2, TULLE__L3, TULLE__MEMORY, TULLE__LEVELS };

typedef struct tulle__machine {
	int threads;
	tulle__isa isa;
	double cache[TULLE__MEMORY];  /* bytes: of one core in L1 and L2, of all in L3 */
	double read[TULLE__LEVELS];   /* seconds per byte that the whole team reads in order */
	double gather[TULLE__LEVELS]; /* seconds per element that one thread reads at random */
	double region; /* seconds of an empty parallel region; 0: one thread, or not timed */
	int caches_timed, memory_timed; /* 0: read and gather are assumed */
} tulle__machine;

/* Caches and threads as they are, speeds as on the more similar of the machines that were measured: nothing is
 * timed. */
void tulle__machine_assume(tulle__env *env, tulle__machine *out);

/* The same for everybody: what a choice that must not depend on the machine is made with. */
void tulle__machine_fixed(tulle__machine *out);

/* Sizes of caches as the system reports them, made plausible: a size that no cache has is replaced by
 * that of a machine that was measured, and no level is smaller than the one before it. */
void tulle__machine_caches(const long reported[TULLE__MEMORY], double cache[TULLE__MEMORY]);

/* What the processor calls itself, or "". */
enum { TULLE__PROCESSOR = 49 };
void tulle__machine_processor(char text[TULLE__PROCESSOR]);

/* A number that stands for processor, instruction set, caches and threads. */
uint64_t tulle__machine_signature(const tulle__machine *m);

/* Seconds per element from memory, where only those from the third cache were timed: as on the more
 * similar machine that was measured, or more where the third cache is slower. */
double tulle__machine_far_gather(const tulle__machine *m);

/* Where `all` bytes lie when they are read again and again: the share of each level. */
void tulle__read_shares(const tulle__machine *m, double all, double share[TULLE__LEVELS]);

/* Seconds to read `bytes` bytes in order, when they are part of `all` bytes that are read again and
 * again. */
double tulle__read_seconds(const tulle__machine *m, double bytes, double all);

/* Were the speeds timed that decide how fast `all` bytes are read again and again? */
int tulle__machine_timed(const tulle__machine *m, double all);

#endif
