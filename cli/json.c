/* json.c -- one JSON value on stdout, indented by two spaces per level; valid whatever characters
 * names contain. */
#include "cli.h"

#include "core/unicode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DEPTH = 16 };

static char closing[DEPTH];
static int depth, elements[DEPTH];

/* One UTF-16 unit, or two. */
static void put_escaped(uint32_t c)
{
	if (c < 0x10000)
		printf("\\u%04" PRIx32, c);
	else
		printf("\\u%04" PRIx32 "\\u%04" PRIx32, 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

/* A string: unsafe characters as \uXXXX, invalid UTF-8 as the replacement character. */
static void put_string(const char *text)
{
	putchar('"');
	while (*text) {
		uint32_t c = 0xfffd;
		const size_t n = tulle__utf8_decode(text, strnlen(text, 4), &c);

		if (c == '"' || c == '\\')
			printf("\\%c", (int)c);
		else if (n > 0 && tulle__is_printable(c))
			printf("%.*s", (int)n, text);
		else
			put_escaped(c);
		text += n > 0 ? n : 1;
	}
	putchar('"');
}

static void begin(const char *key)
{
	if (depth && elements[depth - 1]++)
		putchar(',');
	if (depth)
		printf("\n%*s", 2 * depth, "");
	if (key) {
		put_string(key);
		printf(": ");
	}
}

/* After the outermost value the line ends. */
static void end(void)
{
	if (!depth)
		putchar('\n');
}

void cli_json_open(const char *key, char bracket)
{
	begin(key);
	putchar(bracket);
	if (depth == DEPTH)
		cli_fail(CLI_INTERNAL, "JSON nested too deeply");
	closing[depth] = bracket == '{' ? '}' : ']';
	elements[depth++] = 0;
}

void cli_json_close(void)
{
	depth--;
	if (elements[depth])
		printf("\n%*s", 2 * depth, "");
	putchar(closing[depth]);
	end();
}

void cli_json_text(const char *key, const char *text)
{
	begin(key);
	put_string(text);
	end();
}

void cli_json_integer(const char *key, int64_t value)
{
	begin(key);
	printf("%" PRId64, value);
	end();
}

void cli_json_number(const char *key, double value)
{
	if (!isfinite(value)) {
		cli_json_null(key);
		return;
	}
	begin(key);
	printf("%.12g", value);
	end();
}

void cli_json_bool(const char *key, int value)
{
	begin(key);
	printf(value ? "true" : "false");
	end();
}

void cli_json_null(const char *key)
{
	begin(key);
	printf("null");
	end();
}

void cli_json_known(const char *key, double value)
{
	if (value > 0)
		cli_json_number(key, value);
	else
		cli_json_null(key);
}
