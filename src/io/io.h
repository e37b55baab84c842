/* io.h -- matrix files: what the rest of the library asks of this folder.
 *
 *     source.c inflate.c tar.c    a file of any packing -> text
 *     header.c                    the lines before the entries
 *     entries.c                   lines of text -> row, column, value
 *     read.c                      windows of text, parsed while the next one is fetched
 *     decimal.c powers.c          numbers
 *     write.c                     CSR -> file
 */
#ifndef TULLE_IO_IO_H
#define TULLE_IO_IO_H

#include "core/env.h"
#include "csr/compact.h"
#include "csr/csr_matrix.h"
#include "io/source.h"

typedef enum { TULLE__REAL, TULLE__INTEGER, TULLE__PATTERN, TULLE__COMPLEX } tulle__field;

/* What a Matrix Market file says before its entries. */
typedef struct {
	int array; /* 1: all elements column by column; 0: coordinates */
	tulle__field field;
	tulle_kind kind;
	int hermitian; /* kind is TULLE_SYMMETRIC then: that is what its real part is */
	int64_t rows, cols;
	int64_t entries;    /* in the file */
	int64_t size_line;  /* the line that says so, for messages */
	char comment[1024]; /* the first comment lines, safe to show, as much as fits */
} tulle__header;

/* The words of the first line; they live as long as the library. */
const char *tulle__layout_word(const tulle__header *h);
const char *tulle__field_word(const tulle__header *h);
const char *tulle__symmetry_word(const tulle__header *h);

/* Text by the line, for the header. Comments may be of any length: of one that does not fit in the
 * buffer only the start is kept. Any other line has at most TULLE__LINE_MAX bytes with its newline. */
enum { TULLE__LINE_MAX = 1 << 16 };

typedef struct {
	tulle__source *source;
	char *buffer; /* TULLE__LINE_MAX bytes; begin .. end is text not yet used */
	size_t begin, end;
	int64_t line;     /* number of lines taken */
	char start[1200]; /* of a line that is too long for the buffer */
} tulle__feed;

/* Fails with "file:line: what". Afterwards the feed stands before the first entry. */
tulle_status tulle__read_header(tulle__feed *feed, tulle__header *h);

/* Zero-based triplets as they stand in the file, in blocks of the context's own. */
typedef struct {
	char name[TULLE__NAME_BYTES]; /* of the file, safe to show */
	tulle__header header;
	tulle_index_type index_type;
	tulle_value_type value_type;
	void *row, *col;
	void *val; /* NULL: all ones */
} tulle__file;

typedef struct {
	tulle_value_type value_type;
	int real_part;
	void (*progress)(void *user, double fraction);
	void *user;
	tulle_compact compact;
	int map;
} tulle__file_options;

tulle_status tulle__file_read(tulle__env *env, const char *path, const tulle__file_options *options,
                              tulle__file *out);
void tulle__file_release(tulle__env *env, tulle__file *file);

/* Put "file:line" of the size line before the kept sentence: what it asks for cannot be had. */
tulle_status tulle__file_refuse(const tulle__file *file, tulle_status status);

/* The header alone. */
typedef struct {
	tulle__header header;
	int64_t bytes;       /* of the file */
	const char *packing; /* "none", "gzip", "tar", "tar.gz" */
} tulle__look;

tulle_status tulle__file_look(tulle__env *env, const char *path, tulle__look *look);

/* Write a Matrix Market file, gzip when the name ends in .gz. Of a symmetric or skew matrix the lower
 * triangle is written. Rows and columns have the numbers of the lists. The file appears under its name only
 * when it is complete. */
tulle_status tulle__file_write(tulle__env *env, const tulle__csr *a, const tulle__lists *lists,
                               tulle_kind kind, const tulle_write_options *how, const char *path);

#endif
