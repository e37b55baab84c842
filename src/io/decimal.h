/* decimal.h -- decimal text to binary numbers and back: exact, without locale or rounding mode.
 *
 * Reading is the method of Lemire ("Number parsing at a gigabyte per second", 2021): up to 19 digits
 * w and a power of ten q give w * 5^q from a table of 128-bit powers, and the rounded result is
 * proven right for them (Mushtak & Lemire 2023). Longer numbers are cut to 19 digits; when the cut
 * could matter (about one in 10^3 of them) decimal.c compares big integers. Only integers are used,
 * so the caller's rounding mode has no say.
 *
 * Text to read is followed by at least TULLE__TEXT_SLACK readable bytes, the first of which cannot
 * continue a number (a newline, say): the loops need no end pointer. */
#ifndef TULLE_IO_DECIMAL_H
#define TULLE_IO_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TULLE__TEXT_SLACK = 16, TULLE__POWER_MIN = -342, TULLE__POWER_MAX = 324 };

__extension__ typedef unsigned __int128 tulle__u128;

/* 5^q for q in POWER_MIN .. POWER_MAX, scaled to 128 bits with the top bit set and cut there; one
 * more in the last place for q in -27 .. -1, where the product with a multiple of 5^-q must not fall
 * short. Filled by tulle__decimal_start(). */
typedef struct {
	uint64_t high, low;
} tulle__power;
extern tulle__power tulle__powers[TULLE__POWER_MAX - TULLE__POWER_MIN + 1];

/* Make the table, once in a process; call it before anything else here. Takes a quarter of a
 * millisecond. */
void tulle__decimal_start(void);

/* The two binary formats, as the algorithm sees them. */
typedef struct {
	int bits;             /* of the mantissa, without the hidden one */
	int bias;             /* the lowest exponent, as a negative number */
	int top;              /* the exponent of infinity */
	int tie_min, tie_max; /* powers of ten whose products can lie exactly half-way */
	int q_min, q_max;     /* powers of ten under which all is 0 and over which all is infinity */
} tulle__binary;

static const tulle__binary tulle__binary64 = { 52, -1023, 0x7ff, -4, 23, -342, 308 };
static const tulle__binary tulle__binary32 = { 23, -127, 0xff, -17, 10, -64, 38 };

/* The bits of w * 10^q, rounded to nearest, ties to even; w has at most 19 digits. */
static inline __attribute__((always_inline)) uint64_t tulle__scale(const tulle__binary *f,
                                                                   uint64_t w, int64_t q)
{
	const tulle__power *t;
	tulle__u128 product, more;
	uint64_t high, low, mantissa;
	int64_t exponent;
	int zeros, upper, shift;

	if (w == 0 || q < f->q_min)
		return 0;
	if (q > f->q_max)
		return (uint64_t)f->top << f->bits;
	t = &tulle__powers[q - TULLE__POWER_MIN];
	zeros = __builtin_clzll(w);
	w <<= zeros;
	product = (tulle__u128)w * t->high;
	high = (uint64_t)(product >> 64);
	low = (uint64_t)product;
	/* The second half of the power matters only when the bits that decide are all ones. */
	if ((high & (UINT64_MAX >> (f->bits + 3))) == UINT64_MAX >> (f->bits + 3)) {
		more = (tulle__u128)w * t->low;
		low += (uint64_t)(more >> 64);
		high += low < (uint64_t)(more >> 64);
	}
	upper = (int)(high >> 63);
	shift = upper + 64 - f->bits - 3;
	mantissa = high >> shift;
	/* 217706 / 65536 is just over log2(10): the exponent of 10^q. */
	exponent = ((217706 * q) >> 16) + 63 + upper - zeros - f->bias;
	if (exponent <= 0) { /* subnormal, or nothing */
		if (exponent <= -63)
			return 0;
		mantissa >>= 1 - exponent;
		mantissa += mantissa & 1;
		return mantissa >> 1; /* may grow into the smallest normal number: same bits */
	}
	/* Exactly half-way: undo the rounding up that the odd last bit would cause. */
	if (low <= 1 && q >= f->tie_min && q <= f->tie_max && (mantissa & 3) == 1 &&
	    mantissa << shift == high)
		mantissa &= ~(uint64_t)1;
	mantissa += mantissa & 1;
	mantissa >>= 1;
	/* The hidden bit adds one to the exponent field, as does a mantissa that rounded up to two. */
	mantissa += (uint64_t)(exponent - 1) << f->bits;
	return mantissa < (uint64_t)f->top << f->bits ? mantissa : (uint64_t)f->top << f->bits;
}

static inline int tulle__is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Eight digits at once: no, or their value. */
static inline int tulle__eight_digits(const char *p, uint64_t *value)
{
	uint64_t v;

	memcpy(&v, p, 8);
	if ((((v + 0x4646464646464646) | (v - 0x3030303030303030)) & 0x8080808080808080) != 0)
		return 0;
	v -= 0x3030303030303030;
	v = v * 10 + (v >> 8);
	*value = ((v & 0x000000ff000000ff) * 0x000f424000000064 +
	          ((v >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
	         32;
	return 1;
}

/* What is not short, plain and decimal: many digits, inf, nan. Same contract as tulle__read. */
const char *tulle__read_slow(const tulle__binary *f, const char *p, uint64_t *bits);

/* Read the number that begins at p: [+-] digits [. digits] [e [+-] digits], or inf, infinity, nan in
 * any case. Gives its bits, sign included, and where it ends; NULL when there is no number. */
static inline __attribute__((always_inline)) const char *tulle__read(const tulle__binary *f,
                                                                     const char *p, uint64_t *bits)
{
	const char *const token = p, *first, *point = NULL;
	const int negative = *p == '-';
	uint64_t w = 0, eight;
	int64_t q = 0, e = 0;

	p += negative | (*p == '+');
	first = p;
	for (; tulle__is_digit(*p); p++)
		w = w * 10 + (uint64_t)(*p - '0');
	if (*p == '.') {
		point = ++p;
		for (; tulle__eight_digits(p, &eight); p += 8)
			w = w * 100000000 + eight;
		for (; tulle__is_digit(*p); p++)
			w = w * 10 + (uint64_t)(*p - '0');
		q = point - p;
	}
	if (p - first - (point != NULL) == 0 || p - first - (point != NULL) > 19)
		return tulle__read_slow(f, token, bits);
	if ((*p | 0x20) == 'e') {
		const char *s = p + 1;
		const int down = *s == '-';

		s += down | (*s == '+');
		if (tulle__is_digit(*s)) {
			for (; tulle__is_digit(*s); s++)
				e = e < 100000 ? e * 10 + (*s - '0') : e;
			q += down ? -e : e;
			p = s;
		}
	}
	*bits = tulle__scale(f, w, q) | (uint64_t)negative << (f == &tulle__binary64 ? 63 : 31);
	return p;
}

static inline const char *tulle__read_f64(const char *p, double *value)
{
	uint64_t bits;

	p = tulle__read(&tulle__binary64, p, &bits);
	if (p)
		memcpy(value, &bits, sizeof *value);
	return p;
}

enum { TULLE__NUMBER_BYTES = 32 }; /* room that any number written here fits in */

/* Write the shortest digits that read back to the same bits, and of those the closest to the value.
 * Returns the length; no zero byte is written. */
size_t tulle__write_f64(double value, char *to);
size_t tulle__write_f32(float value, char *to);

#endif
