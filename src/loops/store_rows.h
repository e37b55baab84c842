/* store_rows.h -- the end of rows in any order: y[row[l]] = alpha * sum[l] + beta * b[row[l]].
 *
 * Included by kernel files only, after core/kernel.h, where columns are 32 bits wide. */
#ifndef TULLE_LOOPS_STORE_ROWS_H
#define TULLE_LOOPS_STORE_ROWS_H

#include "core/kernel.h"
#include "loops/store.h"

/* The first n lanes are rows row[0], row[1], ... */
TULLE_INLINE void store_first_at(const target *to, const int32_t *row, vec sum, int n)
{
	const vmask m = vfirst(n);
	vec y = vscale(to->alpha, sum);

	if (to->beta != 0)
		y = vscale_add(to->beta, vgather_first(to->b, row, m), y);
	vscatter_first(to->y, row, y, m);
}

/* y[row[l]] += sum[l]: for rows whose first part was stored earlier. */
TULLE_INLINE void add_first_at(T *y, const int32_t *row, vec sum, int n)
{
	const vmask m = vfirst(n);

	vscatter_first(y, row, vadd(vgather_first(y, row, m), sum), m);
}

#endif
