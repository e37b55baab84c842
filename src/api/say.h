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

#endif
