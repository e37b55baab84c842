/* halves.h -- numbers of 16 bits: bf16, the upper half of a float, and f16 of IEEE 754. */
#ifndef TULLE_CORE_HALVES_H
#define TULLE_CORE_HALVES_H

#include <stdint.h>
#include <string.h>

enum {
	TULLE__BF16_FRACTION = 7, /* bits after the leading one */
	TULLE__F16_FRACTION = 10,
	TULLE__F16_LARGEST = 15,   /* exponents of normal numbers */
	TULLE__F16_SMALLEST = -14, /* 2 to this power is the smallest */
	TULLE__BF16_SMALLEST = -126
};

static inline float tulle__float_of_bits(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

/* Both are exact. */
static inline float tulle__from_bf16(uint16_t h)
{
	return tulle__float_of_bits((uint32_t)h << 16);
}

static inline float tulle__from_f16(uint16_t h)
{
	const uint32_t sign = (uint32_t)(h & 0x8000) << 16, magnitude = h & 0x7fff;
	const float wide = tulle__float_of_bits(magnitude << 13) * 0x1p112F; /* another bias */

	if (magnitude >= 0x7c00) /* infinite or NaN */
		return tulle__float_of_bits(sign | 0x7f800000 | magnitude << 13);
	return sign ? -wide : wide;
}

/* The nearest double whose fraction has this many bits, ties to even: finite and normal, unless it is 0,
 * infinite or NaN. NaN stays one. */
static inline double tulle__round_fraction(double v, int fraction)
{
	const unsigned dropped = 52U - (unsigned)fraction;
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	if (v - v != 0)
		return v;
	bits += ((uint64_t)1 << (dropped - 1)) - 1 + (bits >> dropped & 1);
	bits = bits >> dropped << dropped;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Of what tulle__round_fraction() gives, in the range of normal numbers, or 0, infinite or NaN: exact. */
static inline uint16_t tulle__to_bf16(double v)
{
	const float narrow = (float)v;
	uint32_t bits;

	memcpy(&bits, &narrow, sizeof bits);
	return (uint16_t)(bits >> 16 | (v != v ? 0x40 : 0)); /* NaN stays one without its lower half */
}

static inline uint16_t tulle__to_f16(double v)
{
	uint64_t bits;
	uint64_t sign, exponent, fraction;

	memcpy(&bits, &v, sizeof bits);
	sign = bits >> 63;
	exponent = bits >> 52 & 0x7ff;
	fraction = bits >> 42 & 0x3ff;
	if (exponent == 0x7ff)
		return (uint16_t)(sign << 15 | 0x7c00 | fraction | (v != v ? 0x200 : 0));
	if (v == 0)
		return (uint16_t)(sign << 15);
	return (uint16_t)(sign << 15 | (exponent - 1023 + 15) << 10 | fraction);
}

#endif
