/* text.h -- displays and compares untrusted text. */
#ifndef TULLE_CORE_TEXT_H
#define TULLE_CORE_TEXT_H

#include <stddef.h>

/* Copy `bytes` bytes so that they are safe to print: bytes that do not belong to a printable character
 * (core/unicode.h) become \xNN, a backslash is kept, and text that does not fit is cut and marked with
 * "...". Always ends with a zero byte; `room` is at least 8. */
void tulle__show(char *to, size_t room, const char *from, size_t bytes);

/* The same for a name in a message: at most 47 bytes, to leave room for the rest. */
typedef struct {
	char text[48];
} tulle__shown;

tulle__shown tulle__show_name(const char *name, size_t bytes);

/* What the system says of an error number (errno). */
typedef struct {
	char text[120];
} tulle__system_words;

tulle__system_words tulle__system_error(int error);

int tulle__ends_with(const char *text, const char *end);

#endif
