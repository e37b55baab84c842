/* say.h -- text for people, written into a buffer of the caller that may be too small. */
#ifndef TULLE_API_SAY_H
#define TULLE_API_SAY_H

#include <stddef.h>

typedef struct {
	char *text;          /* NULL: count the characters only; then size is 0 */
	size_t size, length; /* of the buffer; of the whole text, however much of it fits */
} tulle__page;

/* Adds to the text as printf does. */
__attribute__((format(printf, 2, 3))) void tulle__say(tulle__page *to, const char *format, ...);

/* ---- lines ---- */

enum { TULLE__INDENT = 12 };

/* A name, then words, wrapped and indented. */
void tulle__say_words(tulle__page *to, int indent, const char *name, const char *words);
__attribute__((format(printf, 3, 4))) void tulle__say_item(tulle__page *to, const char *name,
                                                           const char *format, ...);

/* ---- figures ---- */

typedef struct {
	char text[32];
} tulle__figure;

typedef struct {
	const char *name;
	double per_second;
} tulle__unit;

tulle__figure tulle__figure_of(double value); /* four significant digits below 10,000 */
tulle__figure tulle__count_of(double value);
tulle__unit tulle__unit_for(double seconds);
tulle__figure tulle__time_of(double seconds); /* "1.234 ms" */

#endif
