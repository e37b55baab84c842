/* scatter.h -- parts that add into columns of y: each part has a private copy of its columns, and the
 * copies are summed in the order of the parts.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_SCATTER_H
#define TULLE_LOOPS_SCATTER_H

#include "core/kernel.h"
#include "core/split.h"
#include "loops/store.h"

/* The copy of a part, all zero. Column j is element j - copy->begin. */
TULLE_INLINE T *open_copy(T *scratch, const tulle__copy *copy)
{
	T *to = scratch + copy->at;
	const int64_t length = copy->end - copy->begin;

	for (int64_t j = 0; j < length; j++)
		to[j] = 0;
	return to;
}

TULLE_INLINE void add_to(T *sum, const T *from, int64_t n)
{
	int64_t i = 0;

	for (; i + VLEN <= n; i += VLEN)
		vstore(sum + i, vadd(vload(sum + i), vload(from + i)));
	for (; i < n; i++)
		sum[i] += from[i];
}

TULLE_INLINE void store_sums(const target *to, int64_t j, const T *sum, int64_t n)
{
	int64_t i = 0;

	for (; i + VLEN <= n; i += VLEN)
		store_each(to, j + i, vload(sum + i));
	for (; i < n; i++)
		store(to, j + i, sum[i]);
}

/* Elements j .. end-1 of y, a few at a time, so that their sums stay in L1. */
TULLE_INLINE void sum_copies(const target *to, const T *scratch, const tulle__copy *copy,
                             int64_t copies, int64_t j, int64_t end)
{
	enum { BLOCK = 256 };
	T sum[BLOCK];

	for (int64_t stop; j < end; j = stop) {
		stop = j + BLOCK < end ? j + BLOCK : end;
		for (int i = 0; i < BLOCK; i++)
			sum[i] = 0;
		for (int64_t c = 0; c < copies; c++) {
			const int64_t from = copy[c].begin > j ? copy[c].begin : j;
			const int64_t past = copy[c].end < stop ? copy[c].end : stop;

			if (from < past)
				add_to(sum + (from - j), scratch + copy[c].at + (from - copy[c].begin),
				       past - from);
		}
		store_sums(to, j, sum, stop - j);
	}
}

/* One part of the phase that sums the copies, for a y of `length` elements. */
TULLE_INLINE void add_copies_of(const target *to, const T *scratch, const tulle__scatter_parts *by,
                                int64_t length, int64_t part)
{
	sum_copies(to, scratch, by->copy, by->parts, tulle__cut(length, by->column_parts, part),
	           tulle__cut(length, by->column_parts, part + 1));
}

#endif
