/* say.c -- printf into a page that may be too small. */
#include "api/say.h"

#include <stdarg.h>
#include <stdio.h>

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
