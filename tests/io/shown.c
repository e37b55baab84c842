/* shown.c -- every character of Unicode is shown or hidden as its category says; so is every byte. */
#include "check.h"

#include "core/text.h"
#include "core/unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* UTF-8 of any number below 0x110000, surrogates included. */
static size_t encode(uint32_t c, char to[5])
{
	const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t k = n - 1; k > 0; k--, c >>= 6)
		to[k] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(n == 1 ? c : (0xf00u >> n & 0xff) | c);
	to[n] = '\0';
	return n;
}

/* The text as it looks when each of its bytes is hidden. */
static void hide(const char *text, size_t bytes, char *to)
{
	for (size_t n = 0; n < bytes; n++)
		to += sprintf(to, "\\x%02x", (unsigned char)text[n]);
}

static void check_character(uint32_t c, const char *fate)
{
	char text[5], hidden[17], shown[60];
	const size_t bytes = encode(c, text);

	hide(text, bytes, hidden);
	tulle__show(shown, sizeof shown, text, bytes);
	if (strcmp(fate, "any") == 0)
		CHECK_THAT(strcmp(shown, hidden) == 0 || strcmp(shown, text) == 0, "U+%04X: %s", c, shown);
	else
		CHECK_THAT(strcmp(shown, strcmp(fate, "shown") == 0 ? text : hidden) == 0,
		           "U+%04X must be %s, and comes out as %s", c, fate, shown);
}

static void check_characters(void)
{
	FILE *const table = popen(TESTS_UNICODE, "r");
	unsigned first, last, next = 0;
	char fate[10];

	while (table && fscanf(table, "%x %x %9s", &first, &last, fate) == 3 && first == next) {
		for (; next <= last; next++)
			check_character(next, fate);
	}
	CHECK_EQUAL(next, 0x110000);
	CHECK(table && pclose(table) == 0);
	check_group("characters");
}

/* Sequences of up to four bytes, all first two and some others: decoded as their encoding, or not. */
static void check_bytes(void)
{
	static const unsigned char others[] = { 0,    'a',  0x7f, 0x80, 0x8f, 0x90,
		                                    0x9f, 0xa0, 0xbf, 0xc0, 0xff };
	const size_t count = sizeof others;

	for (uint32_t n = 0; n < 0x10000 * count * count; n++) {
		const uint32_t third = n >> 16;
		const char text[4] = { (char)(n & 0xff), (char)(n >> 8 & 0xff), (char)others[third % count],
			                   (char)others[third / count] };
		uint32_t c = 0;
		char again[5];
		const size_t bytes = tulle__utf8_decode(text, sizeof text, &c);

		if (bytes > 0 && (encode(c, again) != bytes || memcmp(again, text, bytes) != 0))
			CHECK_THAT(0, "%02x %02x is taken for U+%04X", text[0] & 0xff, text[1] & 0xff, c);
		for (size_t cut = 0; cut < bytes; cut++)
			if (tulle__utf8_decode(text, cut, &c) != 0)
				CHECK_THAT(0, "%zu of %zu bytes of U+%04X are enough", cut, bytes, c);
	}
	CHECK(count > 0);
	check_group("bytes");
}

int main(void)
{
	check_characters();
	check_bytes();
	return check_end();
}
