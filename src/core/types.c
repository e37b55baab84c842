/* types.c -- the descriptors of the value types. */
#include "core/types.h"

#include "core/format.h"
#include "core/status.h"

/* One definition per type. */
/* clang-format off */
#define ONE(name, compute, parts, kernels, one, ...)                                \
	_Static_assert(sizeof(tulle__##name) <= TULLE__LARGEST_VALUE, #name " is too large"); \
	static const tulle__##name one_##name = { one };
TULLE__EACH_TYPE(ONE, )

#define FLAG_EVERYWHERE 0
#define FLAG_WIDENED 0
#define FLAG_SCALAR TULLE__ANY_TYPE
#define FLAG_COMPLEX TULLE__HAS_COMPLEX
#define GETS_EVERYWHERE 0
#define GETS_WIDENED 1
#define GETS_SCALAR 0
#define GETS_COMPLEX 0
#define DESCRIBE(name_, compute_, parts_, kernels, ...)                  \
	[TULLE__TYPE_##name_] = {                                            \
		.name = #name_,                                                  \
		.type = (tulle_value_type)TULLE__TYPE_##name_,                   \
		.compute = (tulle_value_type)TULLE__TYPE_##compute_,             \
		.size = sizeof(tulle__##name_),                                  \
		.parts = parts_,                                                 \
		.part_size = sizeof(tulle__##name_) / parts_,                    \
		.flag = FLAG_##kernels,                                          \
		.widened = GETS_##kernels,                                       \
		.built = 0 TULLE__BUILT_##name_(+1),                             \
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
	if (type != TULLE_F32 && type != TULLE_F64 && type != TULLE_C64 && type != TULLE_C128)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "%s = %d is neither TULLE_F32, TULLE_F64, TULLE_C64 nor TULLE_C128",
		                   argument, (int)type);
	if (!tulle__type_of(type)->built)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s: this build has no %s values (TULLE_TYPES)",
		                   argument, tulle__type_of(type)->name);
	return TULLE_OK;
}

tulle_status tulle__check_real_type(const char *what, tulle_value_type type)
{
	const tulle__type *t = tulle__type_of(type);

	return t && t->parts == 1
	           ? TULLE_OK
	           : tulle__fail(TULLE_E_UNSUPPORTED, "%s: no complex values, these are %s", what,
	                         t ? t->name : "unknown");
}
