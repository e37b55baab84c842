/* decimal.c -- the rare paths of reading numbers, and writing them with the fewest digits. */
#include "io/decimal.h"

/* ---- big integers: enough of them to compare two numbers of at most 2700 bits ---- */

enum { LIMBS = 64, DIGITS = 768 };

typedef struct {
	int used;
	uint64_t limb[LIMBS];
} big;

static void big_mul_add(big *a, uint64_t by, uint64_t add)
{
	for (int n = 0; n < a->used; n++) {
		const tulle__u128 v = (tulle__u128)a->limb[n] * by + add;

		a->limb[n] = (uint64_t)v;
		add = (uint64_t)(v >> 64);
	}
	if (add)
		a->limb[a->used++] = add;
}

static void big_mul_five(big *a, int64_t power)
{
	for (; power >= 27; power -= 27)
		big_mul_add(a, 7450580596923828125, 0);
	for (; power > 0; power--)
		big_mul_add(a, 5, 0);
}

static void big_shift(big *a, int64_t bits)
{
	const int limbs = (int)(bits / 64), rest = (int)(bits % 64);

	big_mul_add(a, (uint64_t)1 << rest, 0);
	if (limbs > 0 && a->used > 0) {
		memmove(a->limb + limbs, a->limb, (size_t)a->used * sizeof *a->limb);
		memset(a->limb, 0, (size_t)limbs * sizeof *a->limb);
		a->used += limbs;
	}
}

static int big_compare(const big *a, const big *b)
{
	for (int n = (a->used > b->used ? a->used : b->used) - 1; n >= 0; n--)
		if (a->limb[n] != b->limb[n])
			return a->limb[n] < b->limb[n] ? -1 : 1;
	return 0;
}

/* ---- reading ---- */

/* A decimal number taken apart: the digits from the first that is not zero, the point left out. */
typedef struct {
	const char *digits, *end; /* end: after the last digit */
	int64_t count;            /* of digits, without leading zeros */
	int64_t power;            /* value = digits as an integer * 10^power */
} decimal;

/* The lower of two neighbours is known; is the number above, below or at the middle between them?
 * digits * 10^power against (2 mantissa + 1) * 2^(exponent - 1), both made integers. Digits past the
 * 768th cannot decide but by being there at all: they count as a single one. */
static int beyond_middle(const tulle__binary *f, const decimal *d, uint64_t lower)
{
	const int64_t field = (int64_t)(lower >> f->bits);
	const uint64_t fraction = lower & (((uint64_t)1 << f->bits) - 1);
	const uint64_t mantissa = field ? fraction | (uint64_t)1 << f->bits : fraction;
	const int64_t exponent = (field ? field : 1) + f->bias - f->bits;
	big left = { 0 }, right = { .used = 1, .limb = { 2 * mantissa + 1 } };
	int64_t power = d->power + d->count, taken = 0, twos;
	int more = 0, order;

	for (const char *p = d->digits; p < d->end; p++) {
		if (*p == '.')
			continue;
		if (taken < DIGITS) {
			big_mul_add(&left, 10, (uint64_t)(*p - '0'));
			taken++;
		} else {
			more |= *p != '0';
		}
	}
	if (more) {
		big_mul_add(&left, 10, 1);
		taken++;
	}
	power -= taken;
	big_mul_five(power > 0 ? &left : &right, power > 0 ? power : -power);
	twos = power - (exponent - 1);
	big_shift(twos > 0 ? &left : &right, twos > 0 ? twos : -twos);
	order = big_compare(&left, &right);
	return order > 0 || (order == 0 && (mantissa & 1));
}

/* More than 19 digits: both roundings of the cut number agree, or the big integers decide. */
static uint64_t read_long(const tulle__binary *f, const decimal *d)
{
	const int64_t power = d->power + d->count - 19;
	const char *p = d->digits;
	uint64_t w = 0, lower;

	for (int n = 0; n < 19; p++) {
		if (*p != '.') {
			w = w * 10 + (uint64_t)(*p - '0');
			n++;
		}
	}
	lower = tulle__scale(f, w, power);
	if (lower == tulle__scale(f, w + 1, power))
		return lower;
	return lower + (uint64_t)beyond_middle(f, d, lower);
}

static int word(const char *p, const char *lower)
{
	for (; *lower; p++, lower++)
		if ((*p | 0x20) != *lower)
			return 0;
	return 1;
}

const char *tulle__read_slow(const tulle__binary *f, const char *p, uint64_t *bits)
{
	const uint64_t sign = *p == '-' ? (uint64_t)(f->top + 1) << f->bits : 0;
	const uint64_t infinity = (uint64_t)f->top << f->bits;
	decimal d = { 0 };
	int digits = 0, point = 0;
	int64_t e = 0;

	p += *p == '-' || *p == '+';
	if (word(p, "inf")) {
		*bits = infinity | sign;
		return word(p, "infinity") ? p + 8 : p + 3;
	}
	if (word(p, "nan")) {
		*bits = infinity | (uint64_t)1 << (f->bits - 1) | sign;
		return p + 3;
	}
	for (; tulle__is_digit(*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = 1;
			continue;
		}
		digits = 1;
		d.power -= point;
		if (d.count == 0 && *p == '0')
			continue;
		if (d.count++ == 0)
			d.digits = p;
	}
	d.end = p;
	if (!digits)
		return NULL;
	if ((*p | 0x20) == 'e') {
		const char *s = p + 1;
		const int down = *s == '-';

		s += down || *s == '+';
		if (tulle__is_digit(*s)) {
			for (; tulle__is_digit(*s); s++)
				e = e < INT64_MAX / 100 ? e * 10 + (*s - '0') : e;
			d.power += down ? -e : e;
			p = s;
		}
	}
	if (d.count > 19) {
		*bits = read_long(f, &d) | sign;
	} else {
		uint64_t w = 0;

		for (const char *s = d.digits; d.count > 0 && s < d.end; s++)
			if (*s != '.')
				w = w * 10 + (uint64_t)(*s - '0');
		*bits = tulle__scale(f, w, d.power) | sign;
	}
	return p;
}

/* ---- writing ---- */

/* floor(x * 2^-127 * power), its last bit set if anything is lost: comparisons with even numbers
 * come out as if nothing were. */
static uint64_t round_to_odd(tulle__power g, uint64_t x)
{
	const tulle__u128 low = (tulle__u128)g.low * x, high = (tulle__u128)g.high * x + (low >> 64);

	return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The shortest decimal in the rounding interval of c * 2^q: Schubfach (Giulietti 2020), which works
 * on four times the value so that the ends of the interval are integers. `closer`: c is a power of
 * two, the number below is nearer. */
static uint64_t shortest(uint64_t c, int q, int closer, int *power)
{
	const int odd = (int)(c & 1);
	const int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22; /* floor(log10) of the interval */
	const int h = q + ((-k * 1741647) >> 19) + 1;
	tulle__power g = tulle__powers[-k - TULLE__POWER_MIN];
	uint64_t low, value, high, s;

	/* The method wants the next number up; the table already has it for these. */
	if (-k < -27 || -k >= 0) {
		g.low++;
		g.high += g.low == 0;
	}
	low = round_to_odd(g, (4 * c - 2 + (uint64_t)closer) << h) + (uint64_t)odd;
	value = round_to_odd(g, (4 * c) << h);
	high = round_to_odd(g, (4 * c + 2) << h) - (uint64_t)odd;
	s = value / 4;
	if (s >= 10) {
		const uint64_t ten = s / 10;
		const int down = low <= 40 * ten, up = 40 * ten + 40 <= high;

		if (down != up) {
			*power = k + 1;
			return ten + (uint64_t)up;
		}
	}
	*power = k;
	if ((low <= 4 * s) != (4 * s + 4 <= high))
		return s + (4 * s + 4 <= high);
	return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
}

static size_t copy(char *to, const char *what)
{
	memcpy(to, what, strlen(what));
	return strlen(what);
}

/* 123, 1.5, 0.0012 while that is short; 1.5e-07 otherwise. */
static size_t lay_out(uint64_t digits, int power, char *to)
{
	char text[20];
	char *p = to;
	int n = 0, point;

	while (digits % 10 == 0) {
		digits /= 10;
		power++;
	}
	for (; digits > 0; digits /= 10)
		text[sizeof text - (size_t)++n] = (char)('0' + digits % 10);
	const char *const d = text + sizeof text - n;

	point = n + power; /* digits before the point */
	if (point > 0 && point <= 17) {
		for (int i = 0; i < n || i < point; i++) {
			if (i == point)
				*p++ = '.';
			*p++ = i < n ? d[i] : '0';
		}
	} else if (point <= 0 && point > -4) {
		p += copy(p, "0.");
		for (int i = point; i < n; i++)
			*p++ = i < 0 ? '0' : d[i];
	} else {
		int e = point - 1;

		*p++ = d[0];
		if (n > 1) {
			*p++ = '.';
			memcpy(p, d + 1, (size_t)n - 1);
			p += n - 1;
		}
		*p++ = 'e';
		if (e < 0) {
			*p++ = '-';
			e = -e;
		}
		if (e >= 100)
			*p++ = (char)('0' + e / 100);
		if (e >= 10)
			*p++ = (char)('0' + e / 10 % 10);
		*p++ = (char)('0' + e % 10);
	}
	return (size_t)(p - to);
}

static size_t write_bits(const tulle__binary *f, uint64_t bits, char *to)
{
	const uint64_t fraction = bits & (((uint64_t)1 << f->bits) - 1);
	const int field = (int)(bits >> f->bits) & f->top;
	const uint64_t c = field ? fraction | (uint64_t)1 << f->bits : fraction;
	const int q = (field ? field : 1) + f->bias - f->bits;
	size_t sign = 0;
	uint64_t digits;
	int power;

	if (field == f->top && fraction)
		return copy(to, "nan");
	if (bits >> f->bits > (uint64_t)f->top)
		to[sign++] = '-';
	if (field == f->top)
		return sign + copy(to + sign, "inf");
	if (c == 0)
		return sign + copy(to + sign, "0");
	digits = shortest(c, q, fraction == 0 && field > 1, &power);
	return sign + lay_out(digits, power, to + sign);
}

size_t tulle__write_f64(double value, char *to)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return write_bits(&tulle__binary64, bits, to);
}

size_t tulle__write_f32(float value, char *to)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return write_bits(&tulle__binary32, bits, to);
}
