/* check.c -- counting and printing for check.h. */
#include "check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED = 20 }; /* failures in full; the rest are only counted */

static atomic_long checks, failures;
static long group_checks, group_failures;
static _Thread_local char about[256];

void check_about(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(about, sizeof about, format, args);
	va_end(args);
}

static int failed(const char *file, int line, const char *text)
{
	if (atomic_fetch_add(&failures, 1) < PRINTED) {
		printf("%s:%d: FAILED: %s%s%s\n", file, line, text, *about ? "  in " : "", about);
		fflush(stdout);
	}
	return 0;
}

int check_at(const char *file, int line, int ok, const char *format, ...)
{
	char text[512];
	va_list args;

	atomic_fetch_add_explicit(&checks, 1, memory_order_relaxed);
	if (ok)
		return 1;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return failed(file, line, text);
}

int check_equal_at(const char *file, int line, const char *what, int64_t got, int64_t want)
{
	return check_at(file, line, got == want, "%s is %" PRId64 ", not %" PRId64, what, got, want);
}

int check_words_at(const char *file, int line, const char *text, const char *words)
{
	char word[64];
	int used, all = 1;

	for (; sscanf(words, " %63[^ ]%n", word, &used) == 1; words += used)
		all &= check_at(file, line, strstr(text, word) != NULL, "\"%s\" does not say \"%s\"", text,
		                word);
	return all;
}

void check_group(const char *format, ...)
{
	const long done = atomic_load(&checks) - group_checks;
	const long bad = atomic_load(&failures) - group_failures;
	va_list args;

	group_checks += done;
	group_failures += bad;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %ld checks", done);
	if (bad > 0)
		printf(", %ld FAILED", bad);
	printf("\n");
	fflush(stdout);
	*about = 0;
}

long check_failures(void)
{
	return atomic_load(&failures);
}

int check_end(void)
{
	const long done = atomic_load(&checks), bad = atomic_load(&failures);

	printf("%ld checks, %ld failures\n", done, bad);
	return done == 0 || bad > 0;
}
