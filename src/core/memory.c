/* memory.c -- counted allocation. A header of one cache line before each block stores its size,
 * because the caller's free function needs it. */
#include "core/memory.h"

#include "core/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Large blocks begin at a huge page and request huge pages: with 4 KiB pages, hardware prefetching
 * restarts at each page, and gathers miss the TLB. */
enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 2 * HUGE_PAGE };

typedef union {
	size_t bytes; /* of the whole block, header included */
	unsigned char line[TULLE__ALIGN];
} header;

void *tulle__default_alloc(void *user, size_t bytes, size_t align)
{
	const int huge = bytes >= HUGE_FROM;
	void *block = NULL;

	(void)user;
	if (posix_memalign(&block, huge ? HUGE_PAGE : align, bytes) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	/* Only for huge pages that the block fills: its end must not occupy 2 MiB for a few bytes. This
	 * is a hint: a system without huge pages ignores it. */
	if (huge)
		(void)madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
	return block;
}

void tulle__default_free(void *user, void *block, size_t bytes)
{
	(void)user;
	(void)bytes;
	free(block);
}

static _Thread_local size_t beyond_limit;

void tulle__allow_beyond_limit(size_t bytes)
{
	beyond_limit = bytes;
}

/* Count before allocating: two threads that allocate at once cannot exceed the limit together. */
static int reserve(tulle__env *env, size_t bytes)
{
	const size_t before = atomic_fetch_add_explicit(&env->bytes_held, bytes, memory_order_relaxed);
	size_t limit;

	if (__builtin_add_overflow(env->memory_limit, beyond_limit, &limit))
		limit = SIZE_MAX;
	if (bytes <= limit && before <= limit - bytes)
		return 1;
	atomic_fetch_sub_explicit(&env->bytes_held, bytes, memory_order_relaxed);
	return 0;
}

static _Thread_local const atomic_int *stop_when;

void tulle__refuse_memory_when(const atomic_int *stop)
{
	stop_when = stop;
}

tulle_status tulle__alloc(tulle__env *env, int64_t count, size_t size, void *out)
{
	header *h;
	size_t bytes = tulle__bytes(count, size);
	void **block = out;

	*block = NULL;
	if (stop_when && atomic_load_explicit(stop_when, memory_order_relaxed))
		return tulle__fail(TULLE_E_MEMORY, "the operation was cancelled");
	/* An empty array gets one byte, so that its address is inside the block: leak checkers consider a
	 * pointer past the end as lost. */
	bytes += bytes == 0;
	if (__builtin_add_overflow(bytes, sizeof *h, &bytes) || bytes > PTRDIFF_MAX)
		return tulle__fail(TULLE_E_MEMORY, "%" PRId64 " elements of %zu bytes do not fit in memory",
		                   count, size);
	if (!reserve(env, bytes))
		return tulle__fail(TULLE_E_LIMIT,
		                   "%zu bytes more would pass the context's limit of %zu bytes", bytes,
		                   env->memory_limit);
	h = env->alloc(env->user, bytes, TULLE__ALIGN);
	if (!h) {
		atomic_fetch_sub_explicit(&env->bytes_held, bytes, memory_order_relaxed);
		return tulle__fail(TULLE_E_MEMORY, "the allocator refused %zu bytes", bytes);
	}
	atomic_fetch_add_explicit(&env->blocks_held, 1, memory_order_relaxed);
	h->bytes = bytes;
	*block = h + 1;
	return TULLE_OK;
}

tulle_status tulle__alloc_zero(tulle__env *env, int64_t count, size_t size, void *out)
{
	const tulle_status s = tulle__alloc(env, count, size, out);
	void *block = *(void **)out;

	if (block)
		memset(block, 0, tulle__bytes(count, size));
	return s;
}

void tulle__free(tulle__env *env, void *block)
{
	header *h;
	size_t bytes;

	if (!block)
		return;
	h = (header *)block - 1;
	bytes = h->bytes;
	env->free(env->user, h, bytes);
	atomic_fetch_sub_explicit(&env->bytes_held, bytes, memory_order_relaxed);
	atomic_fetch_sub_explicit(&env->blocks_held, 1, memory_order_relaxed);
}

/* ---- pages ---- */

int tulle__can_drop_pages(const tulle__env *env)
{
	return env->alloc == tulle__default_alloc;
}

void tulle__drop_pages(void *begin, size_t bytes)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t skip = (page - (uintptr_t)begin % page) % page;

	/* A hint: pages that the system keeps are freed with their block. */
	if (bytes > skip)
		(void)madvise((char *)begin + skip, (bytes - skip) / page * page, MADV_DONTNEED);
}
