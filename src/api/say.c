/* say.c -- printf to a buffer that may be too small; lines and figures of explanations. */
#include "api/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tulle__say(tulle__page *to, const char *format, ...)
{
	const size_t left = to->length < to->size ? to->size - to->length : 0;
	va_list words;
	int n;

	va_start(words, format);
	n = vsnprintf(left > 0 ? to->text + to->length : NULL, left, format, words);
	va_end(words);
	to->length += n > 0 ? (size_t)n : 0;
}

/* ---- lines ---- */

enum { WIDTH = 96 };

void tulle__say_words(tulle__page *to, int indent, const char *name, const char *words)
{
	int column = indent;

	tulle__say(to, "%-*s", indent, name);
	while (*words) {
		const int length = (int)strcspn(words, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			tulle__say(to, "\n%*s", indent, "");
			column = indent;
		}
		column += length + (column > indent);
		tulle__say(to, "%s%.*s", column > indent + length ? " " : "", length, words);
		words += length;
		words += strspn(words, " ");
	}
	tulle__say(to, "\n");
}

void tulle__say_item(tulle__page *to, const char *name, const char *format, ...)
{
	char text[640];
	va_list words;

	va_start(words, format);
	vsnprintf(text, sizeof text, format, words);
	va_end(words);
	tulle__say_words(to, TULLE__INDENT, name, text);
}

/* ---- figures ---- */

tulle__figure tulle__figure_of(double value)
{
	const int places = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
	tulle__figure f;

	if (value < 1e7)
		snprintf(f.text, sizeof f.text, "%.*f", places, value);
	else
		snprintf(f.text, sizeof f.text, "%.3g", value);
	return f;
}

tulle__figure tulle__count_of(double value)
{
	tulle__figure f;

	snprintf(f.text, sizeof f.text, value < 1e9 ? "%.0f" : "%.3g", value);
	return f;
}

tulle__unit tulle__unit_for(double seconds)
{
	static const tulle__unit units[] = { { "us", 1e6 }, { "ms", 1e3 }, { "s", 1 } };

	return units[seconds < 1e-3 ? 0 : seconds < 1 ? 1 : 2];
}

tulle__figure tulle__time_of(double seconds)
{
	const tulle__unit u = tulle__unit_for(seconds);
	tulle__figure f;

	snprintf(f.text, sizeof f.text, "%.24s %s", tulle__figure_of(seconds * u.per_second).text,
	         u.name);
	return f;
}
