/* values.c -- which class the values of a matrix are of, judged by some of them. */
#include "analysis/features.h"

#include <string.h>

enum { SAMPLES = 512 };

static double value_at(const tulle__csr *a, int64_t k)
{
	return a->value_type == TULLE_F64 ? ((const double *)a->val)[k] : ((const float *)a->val)[k];
}

/* Two zeros, and a NaN and itself, are the same or not by their bits. */
static int same(double a, double b)
{
	uint64_t bits_a, bits_b;

	memcpy(&bits_a, &a, sizeof a);
	memcpy(&bits_b, &b, sizeof b);
	return bits_a == bits_b;
}

void tulle__look_at_values(const tulle__csr *a, tulle__features *f)
{
	double table[TULLE__TABLE_SIZE];
	int count = 0, fits = 1, single = 1;

	f->values = TULLE__ONES;
	if (!a->val || a->nnz == 0)
		return;
	for (int64_t n = 0; n < SAMPLES && (fits || single); n++) {
		const double value = value_at(a, tulle__sample(a->nnz, SAMPLES, n));
		int known = 0;

		single = single && same((double)(float)value, value);
		while (fits && known < count && !same(table[known], value))
			known++;
		if (known < count || !fits)
			continue;
		fits = count < TULLE__TABLE_SIZE;
		if (fits)
			table[count++] = value;
	}
	f->values = fits && count == 1 && table[0] == 1    ? TULLE__ONES
	            : fits                                 ? TULLE__TABLE
	            : single && a->value_type == TULLE_F64 ? TULLE__SINGLE
	                                                   : TULLE__OWN;
}
