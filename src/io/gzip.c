/* gzip.c -- text to gzip, one member for each piece, so that pieces can be packed in parallel. */
#include "io/gzip.h"

#include "core/memory.h"
#include "core/status.h"

#include <zlib.h>

enum { GZIP_WRAPPER = 18, GZIP_WINDOW = 16 + MAX_WBITS, MEMORY_LEVEL = 8 };

voidpf tulle__zlib_alloc(voidpf memory, uInt count, uInt size)
{
	tulle__zlib_memory *const m = memory;
	void *block;
	const tulle_status s = tulle__alloc(m->env, count, size, &block);

	if (s != TULLE_OK)
		m->status = s;
	return block;
}

void tulle__zlib_free(voidpf memory, voidpf block)
{
	tulle__free(((tulle__zlib_memory *)memory)->env, block);
}

tulle_status tulle__zlib_fail(const tulle__zlib_memory *memory, int result)
{
	return memory->status != TULLE_OK ? memory->status
	                                  : tulle__fail(TULLE_E_INTERNAL, "zlib fails with %d", result);
}

size_t tulle__gzip_bound(size_t bytes)
{
	return compressBound(bytes) + GZIP_WRAPPER;
}

tulle_status tulle__gzip(tulle__env *env, const char *from, size_t bytes, char *to, size_t *made)
{
	tulle__zlib_memory memory = { env, TULLE_OK };
	z_stream z = { .zalloc = tulle__zlib_alloc, .zfree = tulle__zlib_free, .opaque = &memory };
	int result = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
	                          Z_DEFAULT_STRATEGY);

	*made = 0;
	if (result != Z_OK)
		return tulle__zlib_fail(&memory, result);
	z.next_in = (const unsigned char *)from;
	z.avail_in = (uInt)bytes;
	z.next_out = (unsigned char *)to;
	z.avail_out = (uInt)tulle__gzip_bound(bytes);
	result = deflate(&z, Z_FINISH);
	*made = z.total_out;
	deflateEnd(&z);
	return result == Z_STREAM_END ? TULLE_OK : tulle__zlib_fail(&memory, result);
}
