/* types.c -- the descriptors of the value types. */
#include "core/types.h"

#include "core/status.h"

/* One definition per type. */
/* clang-format off */
#define ONE(name, compute, parts, kernels, one, ...)                                \
	_Static_assert(sizeof(tulle__##name) <= TULLE__LARGEST_VALUE, #name " is too large"); \
	static const tulle__##name one_##name = { one };
TULLE__EACH_TYPE(ONE, )

#define IS_EVERYWHERE 1
#define IS_WIDENED 0
#define IS_SCALAR 0
#define GETS_EVERYWHERE 0
#define GETS_WIDENED 1
#define GETS_SCALAR 0
#define DESCRIBE(name_, compute_, parts_, kernels, ...)                  \
	[TULLE__TYPE_##name_] = {                                            \
		.name = #name_,                                                  \
		.type = (tulle_value_type)TULLE__TYPE_##name_,                   \
		.compute = (tulle_value_type)TULLE__TYPE_##compute_,             \
		.size = sizeof(tulle__##name_),                                  \
		.parts = parts_,                                                 \
		.part_size = sizeof(tulle__##name_) / parts_,                    \
		.everywhere = IS_##kernels,                                      \
		.widened = GETS_##kernels,                                       \
		.is_double = _Generic((tulle__##name_ *)0, double *: 1, default: 0), \
		.one = &one_##name_,                                             \
	},
/* clang-format on */

static const tulle__type types[TULLE__VALUE_TYPES] = { TULLE__EACH_TYPE(DESCRIBE, ) };

const tulle__type *tulle__type_of(tulle_value_type type)
{
	const int number = (int)type;

	return number > TULLE__NO_TYPE && number < TULLE__VALUE_TYPES ? &types[number] : NULL;
}

tulle_status tulle__check_value_type(const char *argument, tulle_value_type type)
{
	if (type != TULLE_F32 && type != TULLE_F64)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %d is neither TULLE_F32 nor TULLE_F64", argument,
		                   (int)type);
	return TULLE_OK;
}
