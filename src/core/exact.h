/* exact.h -- a sum with its rounding error. */
#ifndef TULLE_CORE_EXACT_H
#define TULLE_CORE_EXACT_H

#include "core/inline.h"

typedef struct {
	double sum, lost;
} tulle__exact;

TULLE_INLINE void tulle__exact_add(tulle__exact *s, double x)
{
	const double sum = s->sum + x, part = sum - s->sum;

	s->lost += (s->sum - (sum - part)) + (x - part); /* Knuth's two-sum, for operands in any
	                                                    order */
	s->sum = sum;
}

TULLE_INLINE double tulle__exact_sum(const tulle__exact *s)
{
	return s->sum + s->lost;
}

#endif
