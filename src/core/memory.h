/* memory.h -- the only place where memory is counted, limited and allocated.
 *
 * Blocks are aligned to a cache line, so every array is aligned for vector loads. */
#ifndef TULLE_CORE_MEMORY_H
#define TULLE_CORE_MEMORY_H

#include "core/env.h"

enum { TULLE__ALIGN = 64 };

/* ---- sizes ----
 *
 * Results that overflow saturate at the largest number of their type. Later steps keep it, and no
 * allocation of that size succeeds. */

/* Limit for rows, columns and entries of a matrix, and for offsets in the arrays of a batch. The
 * bytes of an array with an element for each of them, or for the sum of any two of them, fit in
 * ptrdiff_t. A number that was checked against this limit needs no further check. */
#define TULLE__MOST (INT64_MAX / 16)

/* a * b and a + b of counts that are not negative. */
static inline int64_t tulle__times(int64_t a, int64_t b)
{
	int64_t product;

	return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static inline int64_t tulle__plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Bytes of `count` elements. SIZE_MAX if `count` is negative or the result exceeds ptrdiff_t. */
static inline size_t tulle__bytes(int64_t count, size_t size)
{
	size_t product;

	return count < 0 || __builtin_mul_overflow((size_t)count, size, &product) ||
	               product > PTRDIFF_MAX
	           ? SIZE_MAX
	           : product;
}

/* ---- blocks ---- */

/* An array of `count` elements of `size` bytes, not cleared. count == 0 gives a valid block.
 * TULLE_E_MEMORY, or TULLE_E_LIMIT if it would exceed the context's limit; *out is NULL then. */
tulle_status tulle__alloc(tulle__env *env, int64_t count, size_t size, void *out);

/* The same, filled with zero bytes. */
tulle_status tulle__alloc_zero(tulle__env *env, int64_t count, size_t size, void *out);

/* From now on allocations of the calling thread may pass a context's limit by `bytes`: that many bytes of other
 * blocks are dropped while the new ones are filled. 0: no more. */
void tulle__allow_beyond_limit(size_t bytes);

/* Allocations of the calling thread fail as soon as *stop is not 0, which ends its work early. */
void tulle__refuse_memory_when(const atomic_int *stop);

/* Accepts NULL. */
void tulle__free(tulle__env *env, void *block);

/* Give the memory of whole pages in `bytes` bytes from `begin` on back to the system, before their block is
 * freed. The contents are lost. Only for blocks of a context that has the default allocation functions: a
 * caller's memory may be of any kind. */
int tulle__can_drop_pages(const tulle__env *env);
void tulle__drop_pages(void *begin, size_t bytes);

/* The default allocation functions. */
void *tulle__default_alloc(void *user, size_t bytes, size_t align);
void tulle__default_free(void *user, void *block, size_t bytes);

#endif
