/* files.h -- files of a test: made in a folder of their own, gone when the test ends. */
#ifndef TESTS_IO_FILES_H
#define TESTS_IO_FILES_H

#include "support.h"

#include <stddef.h>

/* The path of `name` in the folder; valid until the next call but three. */
const char *file_path(const char *name);

/* Write a file there and return its path. */
const char *file_put(const char *name, const void *bytes, size_t count);
const char *file_text(const char *name, const char *text);

/* What a file has; free() it. */
char *file_get(const char *path, size_t *count);

/* Files of that folder whose names end so. */
int file_count(const char *end);

/* Run in a child, which may lose rights or the like; its checks count here. */
void in_child(void (*run)(void));

/* A growing piece of bytes. */
typedef struct {
	char *at;
	size_t count, room;
} bytes;

void bytes_add(bytes *b, const void *from, size_t count);
void bytes_print(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One gzip member, or one tar member (`name` NULL: the two empty blocks at the end), appended. */
void bytes_add_gzip(bytes *b, const void *from, size_t count);
void bytes_add_tar(bytes *b, const char *name, const char *text);

/* Read must fail with this status, and say these words (blanks between them). */
void check_refused(const char *path, const tulle_read_options *how, tulle_status status,
                   const char *words);

/* Read must give the CSR that these words say: "2x3 0:0=1.5 1:2=-4" are the shape, then row, column
 * and value of every entry in order. A pattern has "0:0" alone. */
void check_entries(const char *path, const tulle_read_options *how, const char *entries);

#endif
