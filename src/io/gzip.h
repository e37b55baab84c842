/* gzip.h -- text to gzip, and zlib's memory taken from a context. */
#ifndef TULLE_IO_GZIP_H
#define TULLE_IO_GZIP_H

#include "core/env.h"

#define ZLIB_CONST /* next_in is const */
#include <zlib.h>

/* What zlib's `opaque` points to. zlib only says that there was no memory, or not even that; the
 * status of the allocation that failed is kept here, its sentence is this thread's latest. */
typedef struct {
	tulle__env *env;
	tulle_status status;
} tulle__zlib_memory;

voidpf tulle__zlib_alloc(voidpf memory, uInt count, uInt size);
void tulle__zlib_free(voidpf memory, voidpf block);

/* What a result of zlib other than Z_OK means, when the data cannot be at fault. */
tulle_status tulle__zlib_fail(const tulle__zlib_memory *memory, int result);

/* A gzip member of its own from `bytes` bytes (below 2^30); members in a row are one gzip file. `to`
 * has room for tulle__gzip_bound(bytes); *made is the length. TULLE_E_MEMORY or TULLE_E_LIMIT. */
size_t tulle__gzip_bound(size_t bytes);
tulle_status tulle__gzip(tulle__env *env, const char *from, size_t bytes, char *to, size_t *made);

#endif
