/* source.h -- where the text of a matrix comes from: a plain file, a gzip file, a member of a tar
 * archive, or a tar archive in a gzip file. What it is, is seen from the bytes, not from the name.
 *
 *     file --read()--> [inflate] --> [one member of tar] --> text
 *
 * read() and not mmap(): a file that another process shortens must end as an error, not as SIGBUS. */
#ifndef TULLE_IO_SOURCE_H
#define TULLE_IO_SOURCE_H

#include "core/env.h"

typedef struct tulle__inflater tulle__inflater;

enum { TULLE__TAR_BLOCK = 512, TULLE__SOURCE_INPUT = 1 << 18, TULLE__NAME_BYTES = 160 };

typedef struct {
	tulle__env *env;
	int fd;
	int64_t file_bytes;        /* as fstat said */
	_Atomic int64_t taken;     /* bytes of the file read so far */
	tulle__inflater *inflater; /* NULL: the file is not compressed */
	unsigned char *input;      /* compressed bytes, TULLE__SOURCE_INPUT of them */
	int tar;                   /* 1: the text is a member of an archive */
	int64_t left;              /* bytes of text still to come, or more */
	int64_t given;             /* bytes of text handed out */

	/* The first bytes, read to see what they are and handed out again. */
	char head[TULLE__TAR_BLOCK];
	size_t head_begin, head_end;

	/* The first failure. Kept here and not with tulle__fail(), because it may happen on a thread of
	 * the team; tulle__source_fail() says it on the caller's. */
	tulle_status status;
	char problem[200];
	char name[TULLE__NAME_BYTES]; /* of the file, safe to show */
} tulle__source;

/* Refuses what is not a regular file: a FIFO would block, a device never ends. On failure nothing is
 * left open. */
tulle_status tulle__source_open(tulle__env *env, const char *path, tulle__source *s);
void tulle__source_close(tulle__source *s);

/* Up to `bytes` bytes of text; fewer only at the end or after a failure (s->status says which). */
size_t tulle__source_read(tulle__source *s, char *to, size_t bytes);

/* No more text than this can still come: the yardstick for every count a file claims. Deflate never
 * makes more than 1032 bytes of one. */
int64_t tulle__source_bound(const tulle__source *s);

/* Has more text been read than `entries` entries of a compressed file need, by far? A small file can
 * unpack to any amount of blank lines and comments. 16 MiB, 16 times the file's size and 1 KiB per entry
 * are allowed. A file that is not compressed holds all of its text, so any amount is. */
int tulle__source_is_padded(const tulle__source *s, int64_t entries);
tulle_status tulle__source_refuse_padding(const tulle__source *s, int64_t line, int64_t entries);

/* The part of the file that has been read, 0 to 1. */
double tulle__source_fraction(const tulle__source *s);

/* Say the kept failure with the file's name before it. */
tulle_status tulle__source_fail(const tulle__source *s);

/* ---- the layers, for source.c ---- */

/* Keep a failure; the first one stays. */
void tulle__source_problem(tulle__source *s, tulle_status status, const char *what);

/* Bytes of the file as they are, and after inflate. */
size_t tulle__source_read_file(tulle__source *s, void *to, size_t bytes);
size_t tulle__source_read_raw(tulle__source *s, char *to, size_t bytes);
void tulle__source_rewind(tulle__source *s);

/* ISA-L when it is there, zlib otherwise. NULL after a failure that is kept in s. */
tulle__inflater *tulle__inflate_open(tulle__source *s);
size_t tulle__inflate_read(tulle__inflater *z, tulle__source *s, char *to, size_t bytes);
void tulle__inflate_rewind(tulle__inflater *z);
void tulle__inflate_close(tulle__inflater *z, tulle__env *env);

/* Does this block open a tar archive? If so, stand before the text of the matrix in it. */
int tulle__tar_begins(const char *block);
void tulle__tar_enter(tulle__source *s, const char *path);

#endif
