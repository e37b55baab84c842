/* summed.h -- lines of a wisdom file from any bytes, with check sums that no fuzzer guesses. */
#ifndef FUZZ_SUMMED_H
#define FUZZ_SUMMED_H

#include "core/hash.h"
#include "fuzz.h"
#include "planner/wisdom_text.h"

#include <inttypes.h>
#include <string.h>

/* The bytes and their slack, in a block of exactly that size. A '#' at the end of a line becomes the right check sum, and a
 * '@' the number of `machine`, unless that is 0. */
static inline char *summed_text(const uint8_t *data, size_t size, uint64_t machine, size_t *count)
{
	enum { DIGITS = 16 };
	char *text = malloc(size * (DIGITS + 1) + TULLE__WISDOM_SLACK), *shrunk;
	size_t n = 0, line = 0;

	REQUIRE(text);
	for (size_t k = 0; k < size; k++) {
		const int sum = data[k] == '#' && (k + 1 == size || data[k + 1] == '\n');

		if (sum || (data[k] == '@' && machine)) {
			char digits[DIGITS + 1];

			snprintf(digits, sizeof digits, "%016" PRIx64,
			         sum ? tulle__hash(0, text + line, n - line) : machine);
			memcpy(text + n, digits, DIGITS);
			n += DIGITS;
		} else {
			text[n++] = (char)data[k];
			line = data[k] == '\n' ? n : line;
		}
	}
	memset(text + n, '\n', TULLE__WISDOM_SLACK);
	*count = n;
	shrunk = realloc(text, n + TULLE__WISDOM_SLACK);
	REQUIRE(shrunk);
	return shrunk;
}

#endif
