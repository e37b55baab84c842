/* tulle_machine.h -- what tulle knows of the machine, and what follows from it.
 *
 * Plans with options.reproducible depend on none of this. Errors, sizes of structures and a NULL context
 * are as in tulle.h. `tulle machine` prints all of it; docs/machines.md says what is slow where. */
#ifndef TULLE_MACHINE_H
#define TULLE_MACHINE_H

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	TULLE_MACHINE_CACHES = 3, /* first, second and third cache */
	TULLE_MACHINE_LEVELS = 4, /* the same and memory */
	TULLE_MACHINE_SETS = 8
};

typedef struct {
	size_t size;           /* = sizeof(tulle_machine_info) */
	const char *processor; /* as it names itself, or ""; lives as long as the process */
	int threads;           /* of a call, as the context has them */
	const char *isa;       /* instruction set whose kernels plans of this context take */
	const char *isa_why;   /* half a sentence: why this of the sets that are as wide */
	int caches_timed;      /* 1: speeds of caches are as timed on this machine; 0: assumed */
	int memory_timed;      /* the same for memory */
	double cache_bytes[TULLE_MACHINE_CACHES]; /* of one core; the third of all */
	double
	    read_bandwidth[TULLE_MACHINE_LEVELS]; /* bytes per second that all threads read in order */
	double gather_seconds[TULLE_MACHINE_LEVELS]; /* per element that one thread reads at random, by
	                                                plain loads */
	double
	    region_seconds;   /* of a parallel region with nothing to do; 0: one thread, or not timed */
	int64_t serial_below; /* nonzeros + rows under which a multiplication has one thread */

	/* Instruction sets with vectors as wide as the context's, which differ in how they gather; NULL
	 * after the last. */
	const char *sets[TULLE_MACHINE_SETS];

	/* Per element that each of them gathers from the first cache, timed once per process in 50 us; 0: not
	 * timed, or the only one. And the fastest of them, or the context's where nothing was timed. */
	double set_gather_seconds[TULLE_MACHINE_SETS];
	const char *fastest_gather;
} tulle_machine_info;

/* The machine as a plan would take it that names this wisdom file (NULL: none). Nothing is timed, but for
 * gathers, once per process, where the processor's model does not say whether they are slow. */
TULLE_API tulle_status tulle_machine_describe(tulle_context *context, const char *wisdom,
                                              tulle_machine_info *info);

/* Time caches, memory and parallel regions in at most .3 s, and keep the results in this process and in the
 * wisdom file (NULL: none). Where the machine is too busy, caches_timed is 0 afterwards and nothing is
 * kept; that is no error, and neither is a file that cannot be written. */
TULLE_API tulle_status tulle_machine_measure(tulle_context *context, const char *wisdom,
                                             tulle_machine_info *info);

/* How fast the kernels of one instruction set read a table in order and gather from it at random, on the
 * calling thread. */
typedef struct {
	size_t size;           /* = sizeof(tulle_machine_table) */
	double read_bandwidth; /* bytes per second */
	double gather_seconds; /* per f64 element */
} tulle_machine_table;

/* Time a table of 4096 to 2^32 bytes, in some 5 ms and the time to fill it. isa NULL: the context's. */
TULLE_API tulle_status tulle_machine_time_table(tulle_context *context, const char *isa,
                                                size_t bytes, tulle_machine_table *out);

#ifdef __cplusplus
}
#endif

#endif
