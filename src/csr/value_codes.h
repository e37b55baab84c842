/* value_codes.h -- the class of the values of a matrix, and the encoding of single values. */
#ifndef TULLE_CSR_VALUE_CODES_H
#define TULLE_CSR_VALUE_CODES_H

#include "core/env.h"
#include "core/halves.h"
#include "core/inline.h"
#include "core/values.h"
#include "csr/csr_matrix.h"

#include <string.h>

/* The class that stores nnz values in the fewest bytes; every value is examined. val == NULL: ones. Two values are
 * equal if their bits are equal. */
tulle_status tulle__classify(tulle__env *env, int64_t nnz, tulle_value_type type, const void *val,
                             tulle__value_code *out);

/* The same where doubles may be rounded as options.lossy says: the class is never OWN for them.
 * TULLE_E_UNSUPPORTED: the message names the first value that float cannot represent with its usual precision. For 16
 * bits the format checks this itself, because it depends on the chunks; out->rounded is then 0. */
tulle_status tulle__classify_rounded(tulle__env *env, const tulle__csr *a, int lossy,
                                     tulle__value_code *out);

/* The same where the values were widened from a type of 16 bits, and fit in it: the class is never OWN or SINGLE. */
tulle_status tulle__classify_given(tulle__env *env, const tulle__csr *a, tulle_value_type given,
                                   tulle__value_code *out);

/* Bound of the relative error of a value in this code. */
double tulle__code_error(const tulle__value_code *code);

/* Bytes of one value. */
static inline size_t tulle__code_size(tulle__value_class class, tulle_value_type type)
{
	return class == TULLE__ONES     ? 0
	       : class == TULLE__TABLE  ? 1
	       : class == TULLE__OWN    ? tulle__value_size(type)
	       : class == TULLE__SINGLE ? sizeof(float)
	                                : sizeof(uint16_t);
}

/* Memory for `slots` values of a class. Whole vectors may be read, so unused codes at the end must also be valid
 * indices of the table. */
tulle_status tulle__alloc_codes(tulle__env *env, int64_t slots, tulle__value_class class,
                                tulle_value_type type, void **out);

/* Description of a class for messages; NULL: values are stored in full. */
const char *tulle__class_name(tulle__value_class class);

/* ---- values of 16 bits ---- */

/* A value, divided by the scale of its chunk, which is a power of two, and rounded; and back. */
TULLE_INLINE void tulle__encode_half(uint16_t *slot, double scale, tulle__value_class class,
                                     double value)
{
	*slot = class == TULLE__BF16
	            ? tulle__to_bf16(tulle__round_fraction(value / scale, TULLE__BF16_FRACTION))
	            : tulle__to_f16(tulle__round_fraction(value / scale, TULLE__F16_FRACTION));
}

TULLE_INLINE double tulle__decode_half(uint16_t slot, double scale, tulle__value_class class)
{
	return (double)(class == TULLE__BF16 ? tulle__from_bf16(slot) : tulle__from_f16(slot)) * scale;
}

/* ---- one value ---- */

/* Where a value that is in the table is. */
static inline unsigned char tulle__find_value(const tulle__value_code *code, size_t size,
                                              const void *value)
{
	int n = 0;

	while (memcmp((const char *)&code->table + (size_t)n * size, value, size) != 0)
		n++;
	return (unsigned char)n;
}

/* Value to slot and back, for classes whose values need nothing else; ONES have no slots. `class`, which is code->class, and the `size` of
 * a value are constants where speed matters. */
TULLE_INLINE void tulle__encode_value(void *slots, int64_t slot, const tulle__value_code *code,
                                      tulle__value_class class, size_t size, const void *value)
{
	switch (class) {
	case TULLE__OWN: tulle__value_move(slots, slot, value, 0, size); break;
	case TULLE__SINGLE: ((float *)slots)[slot] = (float)*(const double *)value; break;
	case TULLE__TABLE: ((unsigned char *)slots)[slot] = tulle__find_value(code, size, value); break;
	default: break;
	}
}

TULLE_INLINE void tulle__decode_value(const void *slots, int64_t slot,
                                      const tulle__value_code *code, tulle__value_class class,
                                      size_t size, void *value)
{
	switch (class) {
	case TULLE__OWN: tulle__value_move(value, 0, slots, slot, size); break;
	case TULLE__SINGLE: *(double *)value = ((const float *)slots)[slot]; break;
	case TULLE__TABLE:
		tulle__value_move(value, 0, &code->table, ((const unsigned char *)slots)[slot], size);
		break;
	default: break;
	}
}

#endif
