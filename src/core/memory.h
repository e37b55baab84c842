/* memory.h -- the one place where bytes are counted, limited and got.
 *
 * Blocks are aligned to a cache line, so every array starts where a vector load wants it. */
#ifndef TULLE_CORE_MEMORY_H
#define TULLE_CORE_MEMORY_H

#include "core/env.h"

enum { TULLE__ALIGN = 64 };

/* ---- sizes ----
 *
 * What does not fit becomes the largest number of its type, which every later step keeps and no
 * allocation grants. */

/* Rows, columns and entries of a matrix, and the end of a piece of a batch's arrays. The bytes of an
 * array with an element for each of them, and for each of any two of them together, fit in
 * ptrdiff_t: what is checked against this once needs no check afterwards. */
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

/* Bytes of `count` elements. SIZE_MAX when that is negative or more than ptrdiff_t holds. */
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
 * TULLE_E_MEMORY, or TULLE_E_LIMIT when the context's limit is in the way; *out is NULL then. */
tulle_status tulle__alloc(tulle__env *env, int64_t count, size_t size, void *out);

/* The same, filled with zero bytes. */
tulle_status tulle__alloc_zero(tulle__env *env, int64_t count, size_t size, void *out);

/* Allocations of the calling thread fail as soon as *stop is not 0, so that what it makes ends early. */
void tulle__refuse_memory_when(const atomic_int *stop);

/* Accepts NULL. */
void tulle__free(tulle__env *env, void *block);

/* The allocation functions of a context that was given none. */
void *tulle__default_alloc(void *user, size_t bytes, size_t align);
void tulle__default_free(void *user, void *block, size_t bytes);

#endif
