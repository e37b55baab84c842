/* memory.h -- the one place where bytes are counted, limited and got.
 *
 * Blocks are aligned to a cache line, so every array starts where a vector load wants it. */
#ifndef TULLE_CORE_MEMORY_H
#define TULLE_CORE_MEMORY_H

#include "core/env.h"

enum { TULLE__ALIGN = 64 };

/* An array of `count` elements of `size` bytes, not cleared. count == 0 gives a valid block.
 * TULLE_E_MEMORY, or TULLE_E_LIMIT when the context's limit is in the way; *out is NULL then. */
tulle_status tulle__alloc(tulle__env *env, int64_t count, size_t size, void *out);

/* The same, filled with zero bytes. */
tulle_status tulle__alloc_zero(tulle__env *env, int64_t count, size_t size, void *out);

/* Accepts NULL. */
void tulle__free(tulle__env *env, const void *block);

/* The functions behind a context that brings none of its own. */
void *tulle__default_alloc(void *user, size_t bytes, size_t align);
void tulle__default_free(void *user, void *block, size_t bytes);

#endif
