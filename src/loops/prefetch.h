/* prefetch.h -- what streams by is asked for well before it is needed.
 *
 * Short loops with work between them leave the hardware's prefetcher behind, most of all when the
 * matrix comes from beyond the L2 cache. Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_PREFETCH_H
#define TULLE_LOOPS_PREFETCH_H

#include "core/kernel.h"
#include "loops/columns.h"

/* Nonzeros between a prefetch and its use. Both were measured where the way to gather is the faster one:
 * on Cascade Lake, whose L2 cache is half as large, 128 is 1 to 3 % faster than 512. */
#ifdef TULLE_LOADS
enum { AHEAD = 128 };
#else
enum { AHEAD = 512 };
#endif

/* An array of which each nonzero takes `bytes`, being read at `at`; the end is no concern. */
TULLE_INLINE void prefetch_ahead(const void *at, size_t bytes)
{
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
