/* gzip.h -- text to gzip, and zlib's memory taken from a context. */
#ifndef TULLE_IO_GZIP_H
#define TULLE_IO_GZIP_H

#include "core/env.h"

#include <zlib.h>

voidpf tulle__zlib_alloc(voidpf env, uInt count, uInt size);
void tulle__zlib_free(voidpf env, voidpf block);

/* A gzip member of its own from `bytes` bytes (below 2^30); members in a row are one gzip file. `to`
 * has room for tulle__gzip_bound(bytes). Returns the length, 0 when there is no memory. */
size_t tulle__gzip_bound(size_t bytes);
size_t tulle__gzip(tulle__env *env, const char *from, size_t bytes, char *to);

#endif
