/* value_features.c -- which class the values of a matrix are of, judged by some of them. */
#include "analysis/features.h"

#include "csr/value_codes.h"

enum { SAMPLES = 512 };

tulle_status tulle__analyze_values(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	const size_t size = tulle__value_size(a->value_type);
	unsigned char sample[SAMPLES * TULLE__LARGEST_VALUE];
	tulle__value_code code;
	tulle_status s;

	if (!a->val || a->nnz == 0) {
		f->values = TULLE__ONES;
		return TULLE_OK;
	}
	for (int64_t n = 0; n < SAMPLES; n++)
		tulle__value_move(sample, n, a->val, tulle__sample(a->nnz, SAMPLES, n), size);
	s = tulle__classify(env, SAMPLES, a->value_type, sample, &code);
	f->values = code.class;
	return s;
}
