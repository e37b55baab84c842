/* prefetch.h -- what streams by is asked for well before it is needed.
 *
 * Short loops with work between them leave the hardware's prefetcher behind, most of all when the
 * matrix comes from beyond the L2 cache. Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_PREFETCH_H
#define TULLE_LOOPS_PREFETCH_H

#include "core/kernel.h"

/* An array of which each nonzero takes `bytes`, being read at `at`; the end is no concern. */
TULLE_INLINE void prefetch_ahead(const void *at, size_t bytes)
{
	enum { AHEAD = 512 }; /* nonzeros (measured) */

	__builtin_prefetch((const void *)((uintptr_t)at + AHEAD * bytes));
}

#endif
