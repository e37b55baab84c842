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

/* No operation has a subnormal float: the caller may have set the processor to take these for 0. */
static inline float tulle__from_f16(uint16_t h)
{
	const uint32_t sign = (uint32_t)(h & 0x8000) << 16, magnitude = h & 0x7fff;
	const float small = (float)magnitude * 0x1p-24F;

	if (magnitude < 0x400) /* subnormal, or 0 */
		return sign ? -small : small;
	if (magnitude >= 0x7c00) /* infinite or NaN */
		return tulle__float_of_bits(sign | 0x7f800000 | magnitude << 13);
	return tulle__float_of_bits(sign | ((magnitude << 13) + (112U << 23))); /* another bias */
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

/* The nearest number of 16 bits, ties to even. */
static inline double tulle__rounded_half(double v, int bf16)
{
	const int fraction = bf16 ? TULLE__BF16_FRACTION : TULLE__F16_FRACTION;
	const double smallest = bf16 ? 0x1p-126 : 0x1p-14, top = bf16 ? 0x1p128 : 0x1p16;
	const double unit = bf16 ? 0x1p-133 : 0x1p-24; /* of subnormal numbers */

	if (v > -smallest && v < smallest) { /* in these units, a sum with this drops the rest */
		const double sum = 0x1.8p52 * unit;

		return v == 0 ? v : (v + sum) - sum;
	}
	v = tulle__round_fraction(v, fraction);
	return v >= top ? __builtin_inf() : v <= -top ? -__builtin_inf() : v;
}

/* Of numbers that 16 bits hold: exact. NaN stays one. */
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
	if (exponent < 1023 + TULLE__F16_SMALLEST) /* subnormal, or 0: in units of the smallest */
		return (uint16_t)(sign << 15 | (uint64_t)((sign ? -v : v) * 0x1p24));
	return (uint16_t)(sign << 15 | (exponent - 1023 + 15) << 10 | fraction);
}

#endif
