/* wisdom.h -- what earlier runs measured, in a text file that the caller names.
 *
 * The file is a cache of measurements, not of decisions: a plan for another number of multiplications
 * can use them, and only what is missing is measured. docs/wisdom.md describes the file. Whatever it
 * holds, however it is broken and whoever else writes to it, these calls come back soon, and no error
 * of theirs reaches the solve: a log line is all. They may be called by many threads and processes. */
#ifndef TULLE_PLANNER_WISDOM_H
#define TULLE_PLANNER_WISDOM_H

#include "core/env.h"

enum { TULLE__WISDOM_NUMBERS = 16, TULLE__WISDOM_NAME = 24, TULLE__WISDOM_VERSION_MAX = 999999 };

typedef struct {
	uint64_t matrix;  /* fingerprint of its structure; 0 for what concerns the machine alone */
	uint64_t machine; /* signature: processor, instruction set, caches, threads */
	char name[TULLE__WISDOM_NAME]; /* "sell", "machine": printable ASCII without blanks */
	int version; /* of that format's layout, 0 to TULLE__WISDOM_VERSION_MAX: another one's times */
	             /* are not believed */
	int count;   /* of the numbers */
	double
	    number[TULLE__WISDOM_NUMBERS]; /* finite and not negative, e.g. seconds; 0 after the last */
} tulle__wisdom_record;

/* The records of this matrix (or 0) on this machine: the newest of each name and version, the newest
 * last, at most `most` of them. 0 when there is no such file, when it is not ours, or when it cannot
 * be read. Takes no lock, and about as long as reading the file: at most 4 MiB are. */
int tulle__wisdom_find(tulle__env *env, const char *path, uint64_t matrix, uint64_t machine,
                       tulle__wisdom_record *out, int most);

/* Add records; makes the file, but no folder. What other processes add at the same time is kept. Waits
 * at most half a second for them. */
void tulle__wisdom_add(tulle__env *env, const char *path, const tulle__wisdom_record *record,
                       int count);

/* Each record that counts, in the order of the file. TULLE_E_IO when it cannot be read or is not ours. One
 * that is not there has none. */
tulle_status tulle__wisdom_walk(tulle__env *env, const char *path,
                                void (*visit)(void *user, const tulle__wisdom_record *r),
                                void *user);

/* Take out all records of a matrix (NULL: of any) on a machine (NULL: on any), and count them. What other
 * processes add at the same time is kept. TULLE_E_IO when the file cannot be rewritten; it is then as it
 * was. One that is not there has no records. */
tulle_status tulle__wisdom_forget(tulle__env *env, const char *path, const uint64_t *matrix,
                                  const uint64_t *machine, int64_t *forgotten);

#endif
