/* machine.h -- the machine: its caches, and the cost of reading and gathering. */
#ifndef TULLE_ANALYSIS_MACHINE_H
#define TULLE_ANALYSIS_MACHINE_H

#include "core/cpu.h"
#include "core/env.h"

/* Levels of memory. */
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

/* Caches and threads of this machine, speeds of the more similar one of the machines that were measured.
 * Nothing is timed. */
void tulle__machine_assume(tulle__env *env, tulle__machine *out);

/* A fixed machine, for choices that must not depend on the actual machine. */
void tulle__machine_fixed(tulle__machine *out);

/* Cache sizes as reported by the system. An implausible size is replaced by that of a machine that
 * was measured, and no level is smaller than the one before it. */
void tulle__machine_caches(const long reported[TULLE__MEMORY], double cache[TULLE__MEMORY]);

/* The name of the processor model, or "". */
enum { TULLE__PROCESSOR = 49 };
void tulle__machine_processor(char text[TULLE__PROCESSOR]);

/* A signature of processor, instruction set, caches and threads. */
uint64_t tulle__machine_signature(const tulle__machine *m);

/* Seconds per element from memory if only L3 was timed: as on the more similar machine that was
 * measured, or more if L3 is slower here. */
double tulle__machine_far_gather(const tulle__machine *m);

/* The share of each level when `all` bytes are read repeatedly. */
void tulle__read_shares(const tulle__machine *m, double all, double share[TULLE__LEVELS]);

/* Seconds to read `bytes` bytes in order, as part of `all` bytes that are read repeatedly. */
double tulle__read_seconds(const tulle__machine *m, double bytes, double all);

/* Were the speeds timed that determine how fast `all` bytes are read repeatedly? */
int tulle__machine_timed(const tulle__machine *m, double all);

#endif
