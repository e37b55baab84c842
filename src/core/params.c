/* params.c -- reads "kernel=vector,sigma=16" against "kernel=auto,vector sigma=1..4096:1024". */
#include "core/params_text.h"

#include "core/status.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece of text without a terminating zero. */
typedef struct {
	const char *at;
	size_t length;
} span;

static int same(span a, span b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Cut the text before the next `separator` off `rest`. */
static span cut(span *rest, char separator)
{
	const char *end = memchr(rest->at, separator, rest->length);
	span head = { rest->at, end ? (size_t)(end - rest->at) : rest->length };
	const size_t used = head.length + (end != NULL);

	rest->at += used;
	rest->length -= used;
	return head;
}

static int is_range(span choices)
{
	return choices.length > 0 && choices.at[0] >= '0' && choices.at[0] <= '9';
}

static int read_number(span text, int64_t *out)
{
	int64_t n = 0;

	if (text.length == 0 || text.length > 18)
		return 0;
	for (size_t i = 0; i < text.length; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return 0;
		n = 10 * n + (text.at[i] - '0');
	}
	*out = n;
	return 1;
}

/* Number of `word` in a list, counted from `first`. */
static int find_word(span list, span word, int64_t first, int64_t *out)
{
	for (int64_t n = first; list.length > 0; n++) {
		if (same(cut(&list, ','), word)) {
			*out = n;
			return 1;
		}
	}
	return 0;
}

/* "low..high:default", then words. */
static int find_in_range(span choices, span word, int64_t *out)
{
	const span range = cut(&choices, ',');
	const int64_t low = strtoll(range.at, NULL, 10);
	const char *dots = memchr(range.at, '.', range.length);
	const char *colon = memchr(range.at, ':', range.length);
	const int64_t high = strtoll(dots + 2, NULL, 10);

	if (!word.at) {
		*out = strtoll(colon + 1, NULL, 10);
		return 1;
	}
	if (read_number(word, out))
		return *out >= low && *out <= high;
	return find_word(choices, word, high + 1, out);
}

/* Value of `word` among `choices`; word.at == NULL asks for the default. */
static int find_choice(span choices, span word, int64_t *out)
{
	if (is_range(choices))
		return find_in_range(choices, word, out);
	if (!word.at) {
		*out = 0;
		return 1;
	}
	return find_word(choices, word, 0, out);
}

tulle_status tulle__params_parse(const char *tunables, const char *text, tulle__params *out)
{
	span rest = { tunables, strlen(tunables) };
	span names[TULLE__MAX_PARAMS], choices[TULLE__MAX_PARAMS];
	int count = 0;

	memset(out, 0, sizeof *out);
	for (; rest.length > 0; count++) {
		span tunable = cut(&rest, ' ');

		names[count] = cut(&tunable, '=');
		choices[count] = tunable;
		find_choice(tunable, (span){ NULL, 0 }, &out->value[count]);
	}
	rest = (span){ text ? text : "", text ? strlen(text) : 0 };
	while (rest.length > 0) {
		span word = cut(&rest, ',');
		const span name = cut(&word, '=');
		int n = 0;

		while (n < count && !same(names[n], name))
			n++;
		if (n == count)
			return tulle__fail(TULLE_E_ARGUMENT, "format option \"%s\": not one of \"%s\"",
			                   tulle__show_name(name.at, name.length).text, tunables);
		if (!find_choice(choices[n], word, &out->value[n]))
			return tulle__fail(TULLE_E_ARGUMENT, "format option %.*s = \"%s\": not in \"%.*s\"",
			                   (int)name.length, name.at,
			                   tulle__show_name(word.at, word.length).text, (int)choices[n].length,
			                   choices[n].at);
	}
	return TULLE_OK;
}

/* Word n of a list. */
static span word_at(span list, int64_t n)
{
	span word = cut(&list, ',');

	while (n-- > 0)
		word = cut(&list, ',');
	return word;
}

/* The text of `number` among `choices`; `digits` has room for 24 bytes. */
static span choice_text(span choices, int64_t number, char *digits)
{
	if (is_range(choices)) {
		const span range = cut(&choices, ',');
		const char *dots = memchr(range.at, '.', range.length);
		const int64_t high = strtoll(dots + 2, NULL, 10);

		if (number <= high)
			return (span){ digits, (size_t)snprintf(digits, 24, "%" PRId64, number) };
		number -= high + 1;
	}
	return word_at(choices, number);
}

size_t tulle__params_write(const char *tunables, const tulle__params *params, char *to, size_t room)
{
	span rest = { tunables, strlen(tunables) };
	size_t used = 0;

	to[0] = '\0';
	for (int n = 0; rest.length > 0 && used < room; n++) {
		span choices = cut(&rest, ' ');
		const span name = cut(&choices, '=');
		char digits[24];
		const span value = choice_text(choices, params->value[n], digits);

		used += (size_t)snprintf(to + used, room - used, "%s%.*s=%.*s", n ? "," : "",
		                         (int)name.length, name.at, (int)value.length, value.at);
	}
	return used;
}
