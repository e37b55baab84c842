/* records.h -- what the tests of wisdom share: records, a log that is kept, forged lines. */
#ifndef TESTS_WISDOM_RECORDS_H
#define TESTS_WISDOM_RECORDS_H

#include "io/files.h"
#include "planner/wisdom_text.h"

/* One caller with a log of its own. */
typedef struct {
	tulle__env env;
	int lines, warnings; /* logged so far */
	char last[600];      /* of them */
} caller;

void caller_begin(caller *c);

/* Nothing is left allocated. */
void caller_end(caller *c);

/* Different (of a matrix, machine, name, version, turn) have different numbers: a record that was never
 * written shows. */
tulle__wisdom_record record_make(uint64_t of, uint64_t machine, const char *name, int version,
                                 int turn);
int record_same(const tulle__wisdom_record *a, const tulle__wisdom_record *b);

/* The record of this turn of one matrix on one machine, for who cares only whether there is one: added
 * to a file; and how many of that matrix there are. */
tulle__wisdom_record some_record(int turn);
void add_some(caller *c, const char *path, int turn);
int find_some(caller *c, const char *path);

/* Its line appended. */
void record_print(bytes *text, const tulle__wisdom_record *r);

/* Add, again while the lock is taken: on a busy machine another may keep it for long. */
void add_surely(caller *c, const char *path, const tulle__wisdom_record *r, int count);

/* The file has this record as the newest of its key. */
int file_has(caller *c, const char *path, const tulle__wisdom_record *r);

double seconds(void);

/* A text as a file would be read: in a block of exactly its size and slack. Free it. */
char *text_with_slack(const char *text, size_t count);

#endif
