/* prefetch.h -- prefetches of streamed arrays.
 *
 * The hardware prefetcher does not follow short loops with other work between them, above all if
 * the matrix is not in the L2 cache. Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_PREFETCH_H
#define TULLE_LOOPS_PREFETCH_H

#include "core/kernel.h"
#include "loops/columns.h"

/* Nonzeros between a prefetch and its use. Each was measured on a machine where its way to gather is the
 * faster one. On Cascade Lake, whose L2 cache is half as large, 128 is 1 to 3 % faster than 512. */
#ifdef TULLE_LOADS
enum { AHEAD = 128 };
#else
enum { AHEAD = 512 };
#endif

/* An array with `bytes` per nonzero that is being read at `at`. Prefetching beyond its end is
 * harmless. */
TULLE_INLINE void prefetch_ahead(const void *at, size_t bytes)
{
	__builtin_prefetch((const void *)((uintptr_t)at + AHEAD * bytes));
}

/* The columns of nonzeros; column `at` is being read. Strips have no stream of columns. */
TULLE_INLINE void prefetch_columns(const void *col, int64_t at, column_kind columns)
{
	if (columns == COLUMNS_NEAR)
		prefetch_ahead((const uint16_t *)col + at, sizeof(uint16_t));
	if (columns == COLUMNS_FAR)
		prefetch_ahead((const C *)col + at, sizeof(C));
}

#endif
