/* carries.h -- sums of rows that are split between parts, added from the sums of their pieces.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_CARRIES_H
#define TULLE_LOOPS_CARRIES_H

#include "core/kernel.h"
#include "core/split.h"
#include "loops/store.h"

/* In the order of the parts, so that the bits do not depend on which part finished first. */
TULLE_INLINE void add_split_rows(const target *to, const T *scratch, const tulle__split_row *split,
                                 int64_t splits)
{
	for (int64_t s = 0; s < splits; s++) {
		T sum = scratch[2 * split[s].first + 1];

		for (int64_t p = split[s].first + 1; p <= split[s].last; p++)
			sum += scratch[2 * p];
		store(to, split[s].row, sum);
	}
}

#endif
