/* tulle_machine.h -- what tulle knows about the machine, and what it derives from that.
 *
 * Plans with options.reproducible depend on none of this. Errors, sizes of structures and a NULL
 * context are as in tulle.h. `tulle machine` prints all of it; docs/machines.md describes what is
 * slow on which machine. */
#ifndef TULLE_MACHINE_H
#define TULLE_MACHINE_H

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	TULLE_MACHINE_CACHES = 3, /* first, second and third cache */
	TULLE_MACHINE_LEVELS = 4, /* the caches and memory */
	TULLE_MACHINE_SETS = 8
};

typedef struct {
	size_t size;           /* = sizeof(tulle_machine_info) */
	const char *processor; /* the name that it reports, or ""; a static string */
	int threads;           /* per call, as set in the context */
	const char *isa;       /* the instruction set whose kernels plans of this context use */
	const char *isa_why;   /* a phrase: why this one of the sets of the same width */
	int caches_timed;      /* 1: cache speeds were measured on this machine; 0: assumed */
	int memory_timed;      /* the same for memory */
	double cache_bytes[TULLE_MACHINE_CACHES]; /* of one core; the third: of all */

	/* Bytes per second that all threads together read sequentially. */
	double read_bandwidth[TULLE_MACHINE_LEVELS];

	/* Seconds per element that one thread reads at random, by plain loads. */
	double gather_seconds[TULLE_MACHINE_LEVELS];

	double region_seconds; /* of an empty parallel region; 0: one thread, or not measured */
	int64_t serial_below;  /* nonzeros + rows below which a multiplication uses one thread */

	/* Instruction sets with the same vector width as the context's; they differ in how they gather.
	 * NULL after the last. */
	const char *sets[TULLE_MACHINE_SETS];

	/* Seconds per element that each of these sets gathers from the first cache, measured once per
	 * process in 50 us; 0: not measured, or the only set. fastest_gather is the fastest of them, or
	 * the context's set if nothing was measured. */
	double set_gather_seconds[TULLE_MACHINE_SETS];
	const char *fastest_gather;
} tulle_machine_info;

/* The machine as seen by a plan that names this wisdom file (NULL: none). Nothing is timed except
 * gathers, once per process, if the processor's model does not show whether they are slow. */
TULLE_API tulle_status tulle_machine_describe(tulle_context *context, const char *wisdom,
                                              tulle_machine_info *info);

/* Measure caches, memory and parallel regions in at most 0.3 s, and keep the results in this
 * process and in the wisdom file (NULL: none). If the machine is too busy, caches_timed is 0
 * afterwards and nothing is kept. This is not an error, nor is a file that cannot be written. */
TULLE_API tulle_status tulle_machine_measure(tulle_context *context, const char *wisdom,
                                             tulle_machine_info *info);

/* How fast the kernels of one instruction set read a table sequentially and gather from it at
 * random, on the calling thread. */
typedef struct {
	size_t size;           /* = sizeof(tulle_machine_table) */
	double read_bandwidth; /* bytes per second */
	double gather_seconds; /* per f64 element */
} tulle_machine_table;

/* Measure with a table of 4096 to 2^32 bytes, in about 5 ms plus the time to fill it. isa NULL: the
 * context's instruction set. */
TULLE_API tulle_status tulle_machine_time_table(tulle_context *context, const char *isa,
                                                size_t bytes, tulle_machine_table *out);

#ifdef __cplusplus
}
#endif

#endif
