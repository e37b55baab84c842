/* strip_rows.h -- products of a strip: consecutive rows with an entry at the same distance from the diagonal, whose values,
 * x and sums are contiguous.
 *
 * Included by kernel files only, after core/kernel.h. */
#ifndef TULLE_LOOPS_STRIP_ROWS_H
#define TULLE_LOOPS_STRIP_ROWS_H

#include "core/kernel.h"
#include "loops/prefetch.h"

/* Row r of a strip: own[r] += val[r] * xj[r], and mirrored[r] += its mirror image * xi[r]. */
typedef struct {
	const T *val, *xi, *xj;
	T *own, *mirrored;
	signs mirror;
} strip;

enum { OWN = 1, MIRRORED = 2 };

TULLE_INLINE vec load_rows(const T *p, vmask m, int all)
{
	return all ? vload(p) : vload_first(p, m);
}

TULLE_INLINE void store_rows(T *p, vec v, vmask m, int all)
{
	if (all)
		vstore(p, v);
	else
		vstore_first(p, v, m);
}

/* Rows r .. r+VLEN-1, or those in m. `what`: which sums. */
TULLE_INLINE void strip_step(const strip *t, int64_t r, vmask m, int all, int what)
{
	const vec v = load_rows(t->val + r, m, all);

	if (what & OWN)
		store_rows(t->own + r, vfma(v, load_rows(t->xj + r, m, all), load_rows(t->own + r, m, all)),
		           m, all);
	if (what & MIRRORED)
		store_rows(t->mirrored + r,
		           vfma_image(v, vimage_of(load_rows(t->xi + r, m, all), t->mirror),
		                      load_rows(t->mirrored + r, m, all)),
		           m, all);
}

TULLE_INLINE void strip_rows(const strip *t, int64_t n, int what)
{
	int64_t r = 0;

	for (; r + VLEN <= n; r += VLEN) {
		if (what & OWN)
			prefetch_ahead(t->val + r, sizeof *t->val);
		strip_step(t, r, vfirst(0), 1, what);
	}
	if (r < n)
		strip_step(t, r, vfirst(n - r), 0, what);
}

#endif
