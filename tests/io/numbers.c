/* numbers.c -- decimal text to binary and back, against the system's own functions.
 *
 * Reading: random tokens of many kinds give the bits of strtod and strtof and end where they end,
 * in another locale and rounding mode too. Writing: what is written reads back to the same bits, and
 * no shorter one does. Usage: numbers [--count N]. */
#include "support.h"

#include "io/decimal.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1600 };

static uint64_t state = 20240229;

static double any_double(void)
{
	const uint64_t bits = random_next(&state);
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static float any_float(void)
{
	const uint32_t bits = (uint32_t)random_next(&state);
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static int below(int n)
{
	return (int)random_below(&state, n);
}

static char *some_digits(char *p, int count)
{
	while (count-- > 0)
		*p++ = (char)('0' + below(10));
	return p;
}

/* Digits that nobody would write, with the point and the exponent anywhere. */
static void odd_token(char *p)
{
	static const char *const signs[] = { "", "+", "-", "+-" };

	if (below(2))
		*p++ = "+-"[below(2)];
	for (int zeros = below(4) ? 0 : below(30); zeros > 0; zeros--)
		*p++ = '0';
	p = some_digits(p, below(40));
	if (below(2)) {
		*p++ = '.';
		p = some_digits(p, below(below(8) ? 30 : 800));
	}
	if (below(2))
		p += sprintf(p, "%c%s%d", "eE"[below(2)], signs[below(4)], below(400));
	*p = '\0';
}

/* The middle between two neighbours, all its digits, or with the last one changed: the hardest. */
static void middle_token(char *p)
{
	double d = fabs(any_double());
	long double middle;
	size_t n;

	if (!isfinite(d))
		d = 1;
	middle = ((long double)d + (long double)nextafter(d, INFINITY)) / 2;
	n = (size_t)sprintf(p, "%.*Le", below(3) ? 770 : 17 + below(20), middle);
	if (below(2)) {
		char *const last = strchr(p, 'e') - 1;

		*last = (char)('0' + below(10));
	}
	p[n] = '\0';
}

static void make_token(char *p)
{
	static const char *const words[] = { "inf", "-inf", "nan", "Infinity", "+INF", "infinit",
		                                 "in",  "-",    "+",   ".",        "",     "e5",
		                                 "1e",  "1e+",  "0x1", "1.5.2",    "--1",  "1d5",
		                                 "-.5", "5.",   "-0",  "+.e1" };

	switch (below(10)) {
	case 0: sprintf(p, "%.17g", any_double()); break;
	case 1: sprintf(p, "%.*e", below(25), any_double()); break;
	case 2: sprintf(p, "%.6g", random_unit(&state) * 1000); break;
	case 3: sprintf(p, "%.16f", random_unit(&state)); break;
	case 4: sprintf(p, "%.*e", below(12) + 15, any_double() * 0x1p-1022); break;
	case 5: sprintf(p, "%.*g", 7 + below(5), (double)any_float()); break;
	case 6: sprintf(p, "%d", below(1000000)); break;
	case 7: sprintf(p, "%s", words[below(sizeof words / sizeof *words)]); break;
	case 8: middle_token(p); break;
	default: odd_token(p); break;
	}
}

/* strtod reads what we do not: hexadecimal numbers and nan with something in parentheses. */
static int is_foreign(const char *p)
{
	p += *p == '-' || *p == '+';
	return p[0] == '0' && (p[1] | 0x20) == 'x';
}

static const char *read_f32(const char *p, float *value)
{
	uint64_t bits = 0;
	uint32_t half;

	p = tulle__read(&tulle__binary32, p, &bits);
	half = (uint32_t)bits;
	if (p)
		memcpy(value, &half, sizeof *value);
	return p;
}

static void check_token(char *text)
{
	double d = 0, d_wanted;
	float f = 0, f_wanted;
	const char *end, *f_end;
	char *d_stop, *f_stop;
	const size_t n = strlen(text);

	memset(text + n, 0, TULLE__TEXT_SLACK);
	text[n] = '\n';
	end = tulle__read_f64(text, &d);
	f_end = read_f32(text, &f);
	d_wanted = strtod(text, &d_stop);
	f_wanted = strtof(text, &f_stop);
	if (d_stop == text || is_foreign(text)) {
		CHECK_THAT(!end || is_foreign(text), "read a number from %s", text);
		return;
	}
	CHECK_THAT(end == d_stop && f_end == f_stop, "ends elsewhere: %s", text);
	CHECK_THAT(memcmp(&d, &d_wanted, sizeof d) == 0, "%a, not %a: %s", d, d_wanted, text);
	CHECK_THAT(memcmp(&f, &f_wanted, sizeof f) == 0, "%a, not %a: %s", (double)f, (double)f_wanted,
	           text);
}

static void check_reading(long count)
{
	char text[ROOM + TULLE__TEXT_SLACK];

	for (long n = 0; n < count; n++) {
		make_token(text);
		check_token(text);
	}
	check_group("%ld tokens read as strtod and strtof read them", count);
}

/* In the digits' decimal places: "0.00120" has two. */
static int significant(const char *p, size_t bytes)
{
	int count = 0, zeros = 0;

	for (size_t n = 0; n < bytes && p[n] != 'e'; n++) {
		if (p[n] < '0' || p[n] > '9' || (p[n] == '0' && count == 0))
			continue;
		count++;
		zeros = p[n] == '0' ? zeros + 1 : 0;
	}
	return count - zeros;
}

/* Correctly rounded to p digits is the closest of its length: if even that fails, all do, but for
 * the numbers above a power of two, whose interval is lopsided. */
static void check_written(double value, int single, const char *text, size_t bytes)
{
	char shorter[64];
	const int digits = significant(text, bytes);

	CHECK_THAT(bytes <= TULLE__NUMBER_BYTES, "%.*s: %zu bytes", (int)bytes, text, bytes);
	CHECK_THAT(digits <= (single ? 9 : 17), "%.*s: %d digits", (int)bytes, text, digits);
	if (digits > 1) {
		snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
		CHECK_THAT(single ? strtof(shorter, NULL) != (float)value : strtod(shorter, NULL) != value,
		           "%.*s, but %s is shorter", (int)bytes, text, shorter);
	}
}

static void check_writing(long count)
{
	for (long n = 0; n < count; n++) {
		const double d = n % 4 ? any_double() : (double)below(1000000) / (double)(1 + below(1000));
		const float f = n % 4 ? any_float() : (float)d;
		char text[TULLE__NUMBER_BYTES + TULLE__TEXT_SLACK] = "";
		double d_back;
		float f_back;
		size_t bytes;

		if (!isfinite(d) || !isfinite(f))
			continue;
		bytes = tulle__write_f64(d, text);
		text[bytes] = '\0';
		d_back = strtod(text, NULL);
		CHECK_THAT(memcmp(&d, &d_back, sizeof d) == 0, "%a written as %s", d, text);
		check_written(d, 0, text, bytes);
		bytes = tulle__write_f32(f, text);
		text[bytes] = '\0';
		f_back = strtof(text, NULL);
		CHECK_THAT(memcmp(&f, &f_back, sizeof f) == 0, "%a written as %s", (double)f, text);
		check_written((double)f, 1, text, bytes);
	}
	check_group("%ld numbers written", count);
}

/* Known answers: the ends of the range, ties, and the famous ones. */
static void check_pinned(void)
{
	static const struct {
		const char *text;
		uint64_t bits;
	} pinned[] = {
		{ "0", 0 },
		{ "-0.0", 0x8000000000000000 },
		{ "4.9406564584124654e-324", 1 },
		{ "2.4703282292062327e-324", 0 },
		{ "2.4703282292062328e-324", 1 },
		{ "2.2250738585072011e-308", 0x000fffffffffffff },
		{ "2.2250738585072014e-308", 0x0010000000000000 },
		{ "1.7976931348623157e308", 0x7fefffffffffffff },
		{ "1.7976931348623159e308", 0x7ff0000000000000 },
		{ "1e309", 0x7ff0000000000000 },
		{ "9007199254740993", 0x4340000000000000 },
		{ "9007199254740993.000000000000000000000000001", 0x4340000000000001 },
		{ "9007199254740995", 0x4340000000000002 },
		{ "0.1", 0x3fb999999999999a },
		{ "1e23", 0x44b52d02c7e14af6 },
		{ "8.5e22", 0x44b1ffdbf6b2b2eb },
		{ "123456789012345678901234567890", 0x45f8ee90ff6c373e },
	};

	for (size_t n = 0; n < sizeof pinned / sizeof *pinned; n++) {
		char text[100 + TULLE__TEXT_SLACK] = "";
		double d = 0;
		uint64_t bits;

		snprintf(text, 100, "%s\n", pinned[n].text);
		CHECK(tulle__read_f64(text, &d) != NULL);
		memcpy(&bits, &d, sizeof bits);
		CHECK_THAT(bits == pinned[n].bits, "%s: %016llx", pinned[n].text, (unsigned long long)bits);
	}
	check_group("pinned numbers");
}

static void check_infinite(void)
{
	char text[TULLE__NUMBER_BYTES];

	CHECK(tulle__write_f64((double)INFINITY, text) == 3 && memcmp(text, "inf", 3) == 0);
	CHECK(tulle__write_f32(-INFINITY, text) == 4 && memcmp(text, "-inf", 4) == 0);
	CHECK(tulle__write_f64((double)NAN, text) == 3 && memcmp(text, "nan", 3) == 0);
	check_group("infinity and NaN");
}

/* The same bits whatever the host program has set. */
static void check_surroundings(void)
{
	static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	char text[64 + TULLE__TEXT_SLACK] = "";
	const int comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
	double d, again;

	for (int n = 0; n < 2000; n++) {
		snprintf(text, 64, "%d%c%06de%d\n", below(10), '.', below(1000000), below(80) - 40);
		tulle__read_f64(text, &d);
		for (int m = 0; m < 3; m++) {
			fesetround(modes[m]);
			CHECK(tulle__read_f64(text, &again) && memcmp(&d, &again, sizeof d) == 0);
		}
		fesetround(FE_TONEAREST);
	}
	setlocale(LC_NUMERIC, "C");
	check_group("rounding modes%s", comma ? ", German locale" : "");
}

int main(int argc, char **argv)
{
	const long count = argc > 2 ? atol(argv[2]) : 200000;

	tulle__decimal_start();
	check_pinned();
	check_infinite();
	check_surroundings();
	check_reading(count);
	check_writing(count / 4);
	return check_end();
}
