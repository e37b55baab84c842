/* types.h -- value types: how a number is stored, and the type of computations.
 *
 * types.def lists them. Values of a matrix are stored in its value type; x, y, sums and factors are
 * of that type's compute type, which for f32 and f64 is the type itself. Code that moves values needs
 * only their size; other code uses the descriptor. Public functions reject invalid type numbers, so
 * the code below them may rely on a descriptor. */
#ifndef TULLE_CORE_TYPES_H
#define TULLE_CORE_TYPES_H

#include "core/halves.h"
#include "core/inline.h"
#include "tulle.h"
#include "value_types.h" /* written by src/CMakeLists.txt: TULLE__BUILT_NAME, a type that this build has */

#include <string.h>

/* ---- the list ---- */

typedef float tulle__f32;
typedef double tulle__f64;
typedef float _Complex tulle__c64;
typedef double _Complex tulle__c128;
typedef struct {
	uint16_t bits; /* core/halves.h */
} tulle__f16, tulle__bf16;
typedef float tulle__f32f64;
typedef tulle__f16 tulle__f16f64;
typedef tulle__bf16 tulle__bf16f64;

/* tulle__widen_NAME: a stored value in its compute type. */
static inline tulle__f32 tulle__widen_f32(tulle__f32 stored)
{
	return stored;
}

static inline tulle__f64 tulle__widen_f64(tulle__f64 stored)
{
	return stored;
}

static inline tulle__c64 tulle__widen_c64(tulle__c64 stored)
{
	return stored;
}

static inline tulle__c128 tulle__widen_c128(tulle__c128 stored)
{
	return stored;
}

static inline tulle__f32 tulle__widen_f16(tulle__f16 stored)
{
	return tulle__from_f16(stored.bits);
}

static inline tulle__f32 tulle__widen_bf16(tulle__bf16 stored)
{
	return tulle__from_bf16(stored.bits);
}

static inline tulle__f64 tulle__widen_f32f64(tulle__f32f64 stored)
{
	return stored;
}

static inline tulle__f64 tulle__widen_f16f64(tulle__f16f64 stored)
{
	return tulle__from_f16(stored.bits);
}

static inline tulle__f64 tulle__widen_bf16f64(tulle__bf16f64 stored)
{
	return tulle__from_bf16(stored.bits);
}

#include "core/types.def"
#ifdef TULLE__MORE_TYPES_FILE
#include TULLE__MORE_TYPES_FILE /* more C types, tulle__widen_NAME and TULLE__MORE_TYPES */
#else
#define TULLE__MORE_TYPES(TYPE, ...)
#endif

#define TULLE__EACH_TYPE(TYPE, ...) \
	TULLE__TYPES(TYPE, __VA_ARGS__) \
	TULLE__MORE_TYPES(TYPE, __VA_ARGS__)

#define TULLE__NUMBER(name, ...) TULLE__TYPE_##name,
enum { TULLE__NO_TYPE, TULLE__EACH_TYPE(TULLE__NUMBER, ) TULLE__VALUE_TYPES };
#undef TULLE__NUMBER

_Static_assert(TULLE__TYPE_f32 == (int)TULLE_F32 && TULLE__TYPE_f64 == (int)TULLE_F64 &&
                   TULLE__TYPE_c64 == (int)TULLE_C64 && TULLE__TYPE_c128 == (int)TULLE_C128 &&
                   TULLE__TYPE_f16 == (int)TULLE_F16 && TULLE__TYPE_bf16 == (int)TULLE_BF16,
               "the list begins with the types of tulle_value_type, in their order");
_Static_assert(sizeof(tulle__c64) == sizeof(tulle_c64) && sizeof(tulle__c128) == sizeof(tulle_c128),
               "callers' complex numbers are C's");

enum { TULLE__LARGEST_VALUE = 16 }; /* bytes: a complex number of doubles */

/* ---- descriptors ---- */

typedef struct {
	const char *name;
	tulle_value_type type, compute;
	size_t size;      /* bytes of a stored value */
	size_t part_size; /* bytes of each part: 2, 4 or 8 */
	int parts;        /* 1: real, 2: complex */
	int flag;         /* that formats with kernels for it have (core/format.h); 0: all have some */
	int widened;      /* formats without kernels for it get its values in a wider type */
	int stored;       /* no format has kernels for it: it has 16 bits */
	int built;        /* this build has kernels for it */
	int is_double;    /* values may be of class SINGLE (core/values.h) */
	const void *one;
} tulle__type;

/* The descriptor, or NULL for an invalid type number. */
const tulle__type *tulle__type_of(tulle_value_type type);

/* TULLE_E_ARGUMENT for a type that is not public; `argument` is its name in the message. */
tulle_status tulle__check_value_type(const char *argument, tulle_value_type type);

/* The same where a type is also computed in: TULLE_E_UNSUPPORTED for f16 and bf16. */
tulle_status tulle__check_compute_type(const char *argument, tulle_value_type type);

/* TULLE_E_UNSUPPORTED for a complex type, or for one of 16 bits; `what` cannot have it. */
tulle_status tulle__check_real_type(const char *what, tulle_value_type type);
tulle_status tulle__check_wide_type(const char *what, tulle_value_type type);

/* The type of a matrix as its caller named it; and the type of its plans for vectors of another type,
 * TULLE__NO_TYPE if there are none. */
tulle_value_type tulle__given_type(tulle_value_type type);
int tulle__mixed_type(tulle_value_type given, tulle_value_type vectors);

/* One case per type. */
/* clang-format off */
#define TULLE__SIZE(name, ...) \
	case TULLE__TYPE_##name: return sizeof(tulle__##name);
#define TULLE__COMPUTE_SIZE(name, compute, ...) \
	case TULLE__TYPE_##name: return sizeof(tulle__##compute);
#define TULLE__ALIGN(name, compute, parts, ...) \
	case TULLE__TYPE_##name: return sizeof(tulle__##compute) / parts;
#define TULLE__REAL(name, ...) \
	case TULLE__TYPE_##name: return (double)tulle__widen_##name(((const tulle__##name *)val)[k]);
/* clang-format on */

/* Bytes of a stored value; those of the largest type for an invalid type number, which public
 * functions reject. A constant if `type` is one. */
static inline size_t tulle__value_size(tulle_value_type type)
{
	switch ((int)type) {
		TULLE__EACH_TYPE(TULLE__SIZE, )
	default: return TULLE__LARGEST_VALUE;
	}
}

/* Bytes of an element of x and y, and of a sum. */
static inline size_t tulle__element_size(tulle_value_type type)
{
	switch ((int)type) {
		/* NOLINTNEXTLINE(bugprone-branch-clone): several types are computed in one */
		TULLE__EACH_TYPE(TULLE__COMPUTE_SIZE, )
	default: return TULLE__LARGEST_VALUE;
	}
}

/* Value k as a double; the real part of a complex one. */
static inline double tulle__value_real(tulle_value_type type, const void *val, int64_t k)
{
	switch ((int)type) {
		TULLE__EACH_TYPE(TULLE__REAL, )
	default: return 0;
	}
}

/* What addresses of elements are multiples of: the size of a part. */
static inline size_t tulle__element_align(tulle_value_type type)
{
	switch ((int)type) {
		/* NOLINTNEXTLINE(bugprone-branch-clone): likewise */
		TULLE__EACH_TYPE(TULLE__ALIGN, )
	default: return TULLE__LARGEST_VALUE;
	}
}

#undef TULLE__SIZE
#undef TULLE__COMPUTE_SIZE
#undef TULLE__ALIGN
#undef TULLE__REAL

/* ---- values by size, a constant where speed matters ---- */

/* Value `at` of `to` becomes value k of `from`. */
TULLE_INLINE void tulle__value_move(void *to, int64_t at, const void *from, int64_t k, size_t size)
{
	char *t = (char *)to + (size_t)at * size;
	const char *f = (const char *)from + (size_t)k * size;

	switch (size) { /* a copy of constant size compiles to a load and a store */
	case 4: memcpy(t, f, 4); break;
	case 8: memcpy(t, f, 8); break;
	case 16: memcpy(t, f, 16); break;
	default: memcpy(t, f, size); break;
	}
}

/* Pointer to value k; to a one if there are no values. */
TULLE_INLINE const void *tulle__value_or_one(const void *val, int64_t k, size_t size,
                                             const void *one)
{
	return val ? (const char *)val + (size_t)k * size : one;
}

/* All bits zero, as in padding. This is zero in every type. */
TULLE_INLINE const void *tulle__zero(void)
{
	static const unsigned char zero[TULLE__LARGEST_VALUE];

	return zero;
}

static inline int tulle__value_is_zero(const void *val, int64_t k, size_t size)
{
	return memcmp((const char *)val + (size_t)k * size, tulle__zero(), size) == 0;
}

/* The bits of a number of 2, 4 or 8 bytes: a real value, or a part of a complex one. */
TULLE_INLINE uint64_t tulle__bits(const void *at, size_t size)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (size) {
	case 2: memcpy(&two, at, 2); return two;
	case 4: memcpy(&four, at, 4); return four;
	default: memcpy(&eight, at, 8); return eight;
	}
}

TULLE_INLINE void tulle__set_bits(void *at, size_t size, uint64_t bits)
{
	const uint16_t two = (uint16_t)(bits & UINT16_MAX);
	const uint32_t four = (uint32_t)(bits & UINT32_MAX);

	switch (size) {
	case 2: memcpy(at, &two, 2); break;
	case 4: memcpy(at, &four, 4); break;
	default: memcpy(at, &bits, 8); break;
	}
}

/* ---- signs ---- */

static inline uint64_t tulle__sign_bit(const tulle__type *type)
{
	return (uint64_t)1 << (8 * type->part_size - 1);
}

/* Negate value k. Only sign bits change, so nothing is rounded and a NaN keeps its other bits. */
static inline void tulle__value_negate(const tulle__type *type, void *val, int64_t k)
{
	char *at = (char *)val + (size_t)k * type->size;

	for (int p = 0; p < type->parts; p++, at += type->part_size)
		tulle__set_bits(at, type->part_size,
		                tulle__bits(at, type->part_size) ^ tulle__sign_bit(type));
}

/* Value k becomes its complex conjugate; a real one stays. */
static inline void tulle__value_conjugate(const tulle__type *type, void *val, int64_t k)
{
	char *im = (char *)val + (size_t)k * type->size + type->part_size;

	if (type->parts == 2)
		tulle__set_bits(im, type->part_size,
		                tulle__bits(im, type->part_size) ^ tulle__sign_bit(type));
}

/* How one value relates to another one, compared by their bits: a set. Real values are no conjugates. */
enum {
	TULLE__UNRELATED = 0,
	TULLE__EQUAL = 1,
	TULLE__OPPOSITE = 2,
	TULLE__CONJUGATE = 4, /* the sign of the imaginary part differs */
	TULLE__CONJUGATE_ZERO =
	    8 /* the same, except that an imaginary part of zero has the same sign */
};

static inline unsigned tulle__value_compare(const tulle__type *type, const void *val, int64_t k,
                                            int64_t m)
{
	const char *a = (const char *)val + (size_t)k * type->size;
	const char *b = (const char *)val + (size_t)m * type->size;
	const size_t size = type->part_size;
	const uint64_t sign = tulle__sign_bit(type);
	const uint64_t re = tulle__bits(a, size) ^ tulle__bits(b, size);

	if (type->parts == 1)
		return re == 0 ? TULLE__EQUAL : re == sign ? TULLE__OPPOSITE : TULLE__UNRELATED;
	a += size;
	b += size;
	const uint64_t im = tulle__bits(a, size) ^ tulle__bits(b, size);
	const int is_zero = (tulle__bits(a, size) & ~sign) == 0;

	return (re == 0 && im == 0 ? TULLE__EQUAL : 0) |
	       (re == sign && im == sign ? TULLE__OPPOSITE : 0) |
	       (re == 0 && im == sign ? TULLE__CONJUGATE : 0) |
	       (re == 0 && im == (is_zero ? 0 : sign) ? TULLE__CONJUGATE_ZERO : 0);
}

/* ---- factors ---- */

/* alpha or beta of any compute type. */
typedef struct {
	double re, im;
} tulle__scalar;

static inline tulle__scalar tulle__real(double re)
{
	return (tulle__scalar){ re, 0 };
}

static inline tulle__scalar tulle__of_c64(tulle_c64 s)
{
	return (tulle__scalar){ (double)s.re, (double)s.im };
}

static inline tulle__scalar tulle__of_c128(tulle_c128 s)
{
	return (tulle__scalar){ s.re, s.im };
}

static inline int tulle__is_zero(tulle__scalar s)
{
	return s.re == 0 && s.im == 0;
}

/* tulle__factor_NAME: the factor in the compute type of NAME. */
#define TULLE__FACTOR_1(s) (s).re
#define TULLE__FACTOR_2(s) __builtin_complex((s).re, (s).im)
#define TULLE__FACTOR(name, compute, parts, ...)                         \
	static inline tulle__##compute tulle__factor_##name(tulle__scalar s) \
	{                                                                    \
		return (tulle__##compute)TULLE__FACTOR_##parts(s);               \
	}
TULLE__EACH_TYPE(TULLE__FACTOR, )
#undef TULLE__FACTOR

#endif
