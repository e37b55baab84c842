/* store.h -- the end of a row: y[i] = alpha * sum + beta * b[i].
 *
 * Included by kernel files only, after core/kernel.h. A single row rounds like a row in a vector, so the result
 * does not depend on how neighbouring rows are stored. b is not read if beta is 0: y may hold anything then,
 * including NaN. */
#ifndef TULLE_LOOPS_STORE_H
#define TULLE_LOOPS_STORE_H

#include "core/kernel.h"

typedef struct {
	const T *b;
	T *y;
	T alpha, beta;
} target;

TULLE_INLINE target target_of(const tulle__call *c)
{
	return (target){ c->b, c->y, factor(c->alpha), factor(c->beta) };
}

TULLE_INLINE void store(const target *to, int64_t i, T sum)
{
	const T y = sscale(to->alpha, sum);

	to->y[i] = to->beta == 0 ? y : sscale_add(to->beta, to->b[i], y);
}

/* Rows i .. i+VLEN-1, one per lane. */
TULLE_INLINE void store_each(const target *to, int64_t i, vec sum)
{
	vec y = vscale(to->alpha, sum);

	if (to->beta != 0)
		y = vscale_add(to->beta, vload(to->b + i), y);
	vstore(to->y + i, y);
}

/* The first n of them, with the same bits as store_each. */
TULLE_INLINE void store_first(const target *to, int64_t i, vec sum, int64_t n)
{
	const vmask m = vfirst(n);
	vec y = vscale(to->alpha, sum);

	if (to->beta != 0)
		y = vscale_add(to->beta, vload_first(to->b + i, m), y);
	vstore_first(to->y + i, y, m);
}

#endif
