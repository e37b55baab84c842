/* wisdom_text.h -- the text of a wisdom file: records to lines and back. Does not access files. */
#ifndef TULLE_PLANNER_WISDOM_TEXT_H
#define TULLE_PLANNER_WISDOM_TEXT_H

#include "planner/wisdom.h"

/* The first line. A file without it is not a wisdom file. */
#define TULLE__WISDOM_HEADER "tulle wisdom 1\n"

enum {
	TULLE__WISDOM_HEADER_BYTES = sizeof TULLE__WISDOM_HEADER - 1,
	TULLE__WISDOM_LINE_MIN = 16 + 1 + 16 + 1 + 1 + 1 + 1 + 1 + 16, /* without the newline */
	TULLE__WISDOM_LINE_MAX = 640,
	TULLE__WISDOM_SLACK = 16 /* readable bytes after a text, the first of them a newline */
};

/* The line of a record, newline included; `to` has room for TULLE__WISDOM_LINE_MAX bytes. Returns 0
 * if the record is not valid. */
size_t tulle__wisdom_write(const tulle__wisdom_record *r, char *to);

/* The record of the line [line, end), without its newline; returns 0 if it is damaged. */
int tulle__wisdom_read(const char *line, const char *end, tulle__wisdom_record *r);

/* See tulle__wisdom_find; the text has its slack. */
int tulle__wisdom_pick(const char *text, size_t bytes, uint64_t matrix, uint64_t machine,
                       tulle__wisdom_record *out, int most);

/* Each record of the text, in its order. The text has its slack, or ends with a newline. */
void tulle__wisdom_each(const char *text, size_t bytes,
                        void (*visit)(void *user, const tulle__wisdom_record *r), void *user);

/* Remove the records of this matrix (NULL: of any) on this machine (NULL: on any), and damaged lines.
 * The text has its slack, or ends with a newline. Returns the number of records. */
int64_t tulle__wisdom_drop(char *text, size_t *bytes, const uint64_t *matrix,
                           const uint64_t *machine);

/* Keep only complete lines that are the newest of their key (matrix, machine, name and version),
 * from the end backwards, up to `budget` bytes. Every line then ends with a newline. The text needs
 * its slack, and has none afterwards. */
tulle_status tulle__wisdom_sift(tulle__env *env, char *text, size_t *bytes, size_t budget,
                                int64_t *kept, int64_t *dropped);

#endif
