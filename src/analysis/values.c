/* values.c -- which class the values of a matrix are of, judged by some of them. */
#include "analysis/features.h"

#include "csr/values.h"

enum { SAMPLES = 512 };

tulle_status tulle__look_at_values(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	const size_t size = tulle__value_size(a->value_type);
	double sample[SAMPLES]; /* or as many floats */
	tulle__value_code code;
	tulle_status s;

	if (!a->val || a->nnz == 0) {
		f->values = TULLE__ONES;
		return TULLE_OK;
	}
	for (int64_t n = 0; n < SAMPLES; n++)
		memcpy((char *)sample + (size_t)n * size,
		       (const char *)a->val + (size_t)tulle__sample(a->nnz, SAMPLES, n) * size, size);
	s = tulle__classify(env, SAMPLES, a->value_type, sample, &code);
	f->values = code.class;
	return s;
}
