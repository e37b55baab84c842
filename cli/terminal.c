/* terminal.c -- text output: messages, names that are safe to print, bold text, large numbers. */
#include "cli.h"

#include "core/unicode.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- safe text ------------------------------------------------------------------------------- */

int cli_safe_bytes(const char *text)
{
	uint32_t c;
	const size_t n = tulle__utf8_decode(text, strnlen(text, 4), &c);

	return n > 0 && tulle__is_printable(c) ? (int)n : 0;
}

const char *cli_safe(const char *text)
{
	/* All texts are in one list, so that leak checkers can reach them. */
	static struct kept {
		struct kept *before;
		char text[];
	} * last;
	struct kept *const kept = malloc(sizeof *kept + 4 * strlen(text) + 1);

	if (!kept)
		return "(no memory)";
	kept->before = last;
	last = kept;
	char *p = kept->text;
	while (*text) {
		const int n = cli_safe_bytes(text);

		if (n) {
			memcpy(p, text, (size_t)n);
			p += n;
			text += n;
		} else {
			p += sprintf(p, "\\x%02x", (unsigned char)*text++);
		}
	}
	*p = 0;
	return kept->text;
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *command;

void cli_set_command(const char *name)
{
	command = name;
}

enum { SENTENCE = 4096 };

void cli_warn(const char *text)
{
	cli_progress_end();
	fflush(stdout);
	fprintf(stderr, "tulle%s%s: %s\n", command ? " " : "", command ? command : "", cli_safe(text));
}

static void warn_of(const char *format, va_list words)
{
	char text[SENTENCE];

	vsnprintf(text, sizeof text, format, words);
	cli_warn(text);
}

_Noreturn void cli_fail(int code, const char *format, ...)
{
	va_list words;

	va_start(words, format);
	warn_of(format, words);
	va_end(words);
	exit(code);
}

_Noreturn void cli_usage(const char *format, ...)
{
	va_list words;

	va_start(words, format);
	warn_of(format, words);
	va_end(words);
	fprintf(stderr, "Try 'tulle help%s%s'.\n", command ? " " : "", command ? command : "");
	exit(CLI_USAGE);
}

static int code_of(tulle_status status, int reading)
{
	switch (status) {
	case TULLE_E_ARGUMENT: return CLI_USAGE;
	case TULLE_E_MATRIX: return CLI_INPUT;
	case TULLE_E_IO: return reading ? CLI_INPUT : CLI_OUTPUT;
	case TULLE_E_MEMORY:
	case TULLE_E_LIMIT: return CLI_MEMORY;
	case TULLE_E_TYPE:
	case TULLE_E_UNSUPPORTED: return reading ? CLI_INPUT : CLI_CANNOT;
	default: return CLI_INTERNAL;
	}
}

_Noreturn void cli_fail_status(tulle_status status, int reading)
{
	if (status == TULLE_E_ARGUMENT)
		cli_usage("%s", tulle_last_error());
	cli_warn(tulle_last_error());
	cli_advise(status, NULL);
	exit(code_of(status, reading));
}

_Noreturn void cli_fail_reading(tulle_status status, const char *path)
{
	cli_warn(tulle_last_error());
	cli_advise(status, path);
	exit(code_of(status, 1));
}

_Noreturn void cli_fail_plan(tulle_status status, const char *format)
{
	if (!format || (status != TULLE_E_ARGUMENT && status != TULLE_E_UNSUPPORTED))
		cli_fail_status(status, 0);
	cli_warn(tulle_last_error());
	cli_advise_format(status);
	exit(code_of(status, 0));
}

/* ---- weight ---------------------------------------------------------------------------------- */

static const char *sequence(const char *escape)
{
	static int wanted = -1;

	if (wanted < 0) {
		const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

		wanted = isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && *term &&
		         strcmp(term, "dumb") != 0;
	}
	return wanted ? escape : "";
}

const char *cli_bold(void)
{
	return sequence("\033[1m");
}

const char *cli_faint(void)
{
	return sequence("\033[2m");
}

const char *cli_underline(void)
{
	return sequence("\033[4m");
}

const char *cli_plain(void)
{
	return sequence("\033[0m");
}

int cli_has_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	/* The first variable that is set decides, as in setlocale(). */
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		const char *value = getenv(names[n]);

		if (value && *value)
			return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") ||
			       strstr(value, "utf-8");
	}
	return 0;
}

void cli_bar(int length, int width)
{
	const char *const full = cli_has_utf8() ? "\xe2\x96\x88" : "#";

	for (int n = 0; n < width; n++)
		fputs(n < length ? full : " ", stdout);
}

const char *cli_commas(int64_t number)
{
	static char buffers[8][32];
	static unsigned next;
	char *const buffer = buffers[next++ % 8];
	char *p = buffer + sizeof buffers[0] - 1;
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	int digits = 0;

	*p = 0;
	do {
		if (digits && digits % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + rest % 10);
		rest /= 10;
		digits++;
	} while (rest);
	if (number < 0)
		*--p = '-';
	return p;
}

const char *cli_count(int64_t number, const char *one, const char *several)
{
	static char buffers[4][64];
	static unsigned next;
	char *const buffer = buffers[next++ % 4];

	snprintf(buffer, sizeof buffers[0], "%s %s", cli_commas(number), number == 1 ? one : several);
	return buffer;
}
