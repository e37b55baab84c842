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
#define FLAG_STORED 0
#define FLAG_SCALAR TULLE__ANY_TYPE
#define FLAG_COMPLEX TULLE__HAS_COMPLEX
#define GETS_EVERYWHERE 0
#define GETS_WIDENED 1
#define GETS_STORED 1
#define GETS_SCALAR 0
#define GETS_COMPLEX 0
#define ONLY_EVERYWHERE 0
#define ONLY_WIDENED 0
#define ONLY_STORED 1
#define ONLY_SCALAR 0
#define ONLY_COMPLEX 0
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
		.stored = ONLY_##kernels,                                        \
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
	if ((int)type < (int)TULLE_F32 || (int)type > (int)TULLE_BF16)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "%s = %d is neither TULLE_F32, TULLE_F64, TULLE_C64, TULLE_C128, "
		                   "TULLE_F16 nor TULLE_BF16",
		                   argument, (int)type);
	if (!tulle__type_of(type)->built)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s: this build has no %s values (TULLE_TYPES)",
		                   argument, tulle__type_of(type)->name);
	return TULLE_OK;
}

tulle_status tulle__check_compute_type(const char *argument, tulle_value_type type)
{
	const tulle_status s = tulle__check_value_type(argument, type);

	return s == TULLE_OK ? tulle__check_wide_type(argument, type) : s;
}

tulle_status tulle__check_wide_type(const char *what, tulle_value_type type)
{
	const tulle__type *t = tulle__type_of(type);

	return t && !t->stored
	           ? TULLE_OK
	           : tulle__fail(TULLE_E_UNSUPPORTED,
	                         "%s: %s is only for matrices from arrays and their plans; use f32",
	                         what, t ? t->name : "this type");
}

tulle_status tulle__check_real_type(const char *what, tulle_value_type type)
{
	const tulle__type *t = tulle__type_of(type);

	return t && t->parts == 1
	           ? TULLE_OK
	           : tulle__fail(TULLE_E_UNSUPPORTED, "%s: no complex values, these are %s", what,
	                         t ? t->name : "unknown");
}

/* Types of plans whose vectors are f64, and the types of their matrices. */
static const struct {
	int type;
	tulle_value_type given;
} mixed[] = { { TULLE__TYPE_f32f64, TULLE_F32 },
	          { TULLE__TYPE_f16f64, TULLE_F16 },
	          { TULLE__TYPE_bf16f64, TULLE_BF16 } };

enum { MIXED = sizeof mixed / sizeof *mixed };

tulle_value_type tulle__given_type(tulle_value_type type)
{
	for (int n = 0; n < (int)MIXED; n++)
		if ((int)type == mixed[n].type)
			return mixed[n].given;
	return type;
}

int tulle__mixed_type(tulle_value_type given, tulle_value_type vectors)
{
	for (int n = 0; n < (int)MIXED; n++)
		if (vectors == TULLE_F64 && given == mixed[n].given)
			return mixed[n].type;
	return TULLE__NO_TYPE;
}
