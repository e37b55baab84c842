/* prefetch.h -- what streams by is asked for well before it is needed.
 *
 * Short loops with work between them leave the hardware's prefetcher behind, most of all when the
 * matrix comes from beyond the L2 cache. Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_PREFETCH_H
#define TULLE_LOOPS_PREFETCH_H

#include "core/kernel.h"
#include "loops/columns.h"

/* An array of which each nonzero takes `bytes`, being read at `at`; the end is no concern. */
TULLE_INLINE void prefetch_ahead(const void *at, size_t bytes)
{
	enum { AHEAD = 512 }; /* nonzeros (measured) */

	__builtin_prefetch((const void *)((uintptr_t)at + AHEAD * bytes));
}

/* The columns of nonzeros, of which number `at` is being read. Those of strips are no stream. */
TULLE_INLINE void prefetch_columns(const void *col, int64_t at, column_kind columns)
{
	if (columns == COLUMNS_NEAR)
		prefetch_ahead((const uint16_t *)col + at, sizeof(uint16_t));
	if (columns == COLUMNS_FAR)
		prefetch_ahead((const C *)col + at, sizeof(C));
}

#endif
