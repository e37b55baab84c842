/* wisdom.h -- measurements of earlier runs, in a text file that the caller names.
 *
 * The file is a cache of measurements, not of decisions: a plan for another number of multiplications
 * can use them, and only what is missing is measured. docs/wisdom.md describes the file. These calls
 * return soon, whatever the file contains and whoever else writes to it. Problems cause a log line and
 * no error. Many threads and processes may call them. */
#ifndef TULLE_PLANNER_WISDOM_H
#define TULLE_PLANNER_WISDOM_H

#include "core/env.h"

enum { TULLE__WISDOM_NUMBERS = 16, TULLE__WISDOM_NAME = 24, TULLE__WISDOM_VERSION_MAX = 999999 };

typedef struct {
	uint64_t matrix;  /* fingerprint of its structure; 0: the record concerns the machine alone */
	uint64_t machine; /* signature: processor, instruction set, caches, threads */
	char name[TULLE__WISDOM_NAME]; /* "sell", "machine": printable ASCII without blanks */
	int version; /* of the format's layout, 0 to TULLE__WISDOM_VERSION_MAX: times of other versions
	                */
	             /* are not used */
	int count;   /* of the numbers */
	double
	    number[TULLE__WISDOM_NUMBERS]; /* finite and not negative, e.g. seconds; 0 after the last */
} tulle__wisdom_record;

/* The records of this matrix (or 0) on this machine: the newest of each name and version, the newest
 * last, at most `most` of them. Returns 0 if there is no such file, if it is not a wisdom file, or
 * if it cannot be read. Takes no lock, and about as long as reading the file, of which at most 4 MiB
 * are read. */
int tulle__wisdom_find(tulle__env *env, const char *path, uint64_t matrix, uint64_t machine,
                       tulle__wisdom_record *out, int most);

/* Add records. Creates the file, but no folder. Lines that other processes add at the same time are
 * kept. Waits at most half a second for the lock. */
void tulle__wisdom_add(tulle__env *env, const char *path, const tulle__wisdom_record *record,
                       int count);

/* Each valid record, in the order of the file. TULLE_E_IO if it cannot be read or is not a wisdom file. A
 * missing file has no records. */
tulle_status tulle__wisdom_walk(tulle__env *env, const char *path,
                                void (*visit)(void *user, const tulle__wisdom_record *r),
                                void *user);

/* Remove and count all records of a matrix (NULL: of any) on a machine (NULL: on any). Lines that other
 * processes add at the same time are kept. TULLE_E_IO if the file cannot be rewritten; it is then
 * unchanged. A missing file has no records. */
tulle_status tulle__wisdom_forget(tulle__env *env, const char *path, const uint64_t *matrix,
                                  const uint64_t *machine, int64_t *forgotten);

#endif
