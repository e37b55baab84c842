/* value_features.c -- which class the values of a matrix are of, judged by some of them: in the formats that
 * have classes, which get values of some types widened. */
#include "analysis/features.h"

#include "csr/value_codes.h"

#include <string.h>

enum { SAMPLES = 512 };

tulle_status tulle__analyze_values(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	const tulle__type *type = tulle__type_of(a->value_type);
	unsigned char sample[SAMPLES * TULLE__LARGEST_VALUE];
	tulle__value_code code;
	tulle_status s;

	if (!a->val || a->nnz == 0) {
		f->values = TULLE__ONES;
		return TULLE_OK;
	}
	for (int64_t n = 0; n < SAMPLES; n++) {
		const int64_t k = tulle__sample(a->nnz, SAMPLES, n);
		const double wide = tulle__value_real(a->value_type, a->val, k);
		const float single = (float)wide;

		if (!type->widened)
			tulle__value_move(sample, n, a->val, k, type->size);
		else if (type->compute == TULLE_F32)
			memcpy(sample + (size_t)n * sizeof single, &single, sizeof single);
		else
			memcpy(sample + (size_t)n * sizeof wide, &wide, sizeof wide);
	}
	s = tulle__classify(env, SAMPLES, type->widened ? type->compute : a->value_type, sample, &code);
	f->values = code.class;
	if (type->stored && (code.class == TULLE__OWN || code.class == TULLE__SINGLE))
		f->values = tulle__given_type(a->value_type) == TULLE_BF16 ? TULLE__BF16 : TULLE__F16;
	return s;
}
