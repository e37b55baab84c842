/* gzip.c -- text to gzip, one member for each piece, so that pieces can be packed in parallel. */
#include "io/gzip.h"

#include "core/memory.h"

#include <zlib.h>

enum { GZIP_WRAPPER = 18, GZIP_WINDOW = 16 + MAX_WBITS, MEMORY_LEVEL = 8 };

voidpf tulle__zlib_alloc(voidpf env, uInt count, uInt size)
{
	void *block;

	tulle__alloc(env, count, size, &block);
	return block;
}

void tulle__zlib_free(voidpf env, voidpf block)
{
	tulle__free(env, block);
}

size_t tulle__gzip_bound(size_t bytes)
{
	return compressBound(bytes) + GZIP_WRAPPER;
}

size_t tulle__gzip(tulle__env *env, const char *from, size_t bytes, char *to)
{
	z_stream z = { .zalloc = tulle__zlib_alloc, .zfree = tulle__zlib_free, .opaque = env };
	size_t made = 0;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
	                 Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	z.next_in = (unsigned char *)(uintptr_t)from;
	z.avail_in = (uInt)bytes;
	z.next_out = (unsigned char *)to;
	z.avail_out = (uInt)tulle__gzip_bound(bytes);
	if (deflate(&z, Z_FINISH) == Z_STREAM_END)
		made = z.total_out;
	deflateEnd(&z);
	return made;
}
