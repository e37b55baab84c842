/* copies.h -- private copies of y, one per part that scatters, summed in the order of the parts.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_COPIES_H
#define TULLE_LOOPS_COPIES_H

#include "core/kernel.h"
#include "loops/store.h"

/* Elements i .. end-1 of y; copy c begins at copy + c * length. */
TULLE_INLINE void add_copies(const target *to, const T *copy, int64_t copies, int64_t length,
                             int64_t i, int64_t end)
{
	for (; i + VLEN <= end; i += VLEN) {
		vec sum = vload(copy + i);

		for (int64_t c = 1; c < copies; c++)
			sum = vadd(sum, vload(copy + c * length + i));
		store_each(to, i, sum);
	}
	for (; i < end; i++) {
		T sum = copy[i];

		for (int64_t c = 1; c < copies; c++)
			sum += copy[c * length + i];
		store(to, i, sum);
	}
}

#endif
