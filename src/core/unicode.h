/* unicode.h -- characters of unknown origin: which of them are safe to show.
 *
 * Needs nothing else of the library, so that the command compiles it, too. */
#ifndef TULLE_CORE_UNICODE_H
#define TULLE_CORE_UNICODE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the well-formed UTF-8 character at `text`, of which `bytes` are there, and the
 * character; 0: there is none. */
size_t tulle__utf8_decode(const char *text, size_t bytes, uint32_t *character);

/* 1: the character is shown as itself and changes nothing else on the screen. 0: control and format
 * characters (line ends, writing direction, zero width, tags), characters that Unicode says to ignore
 * in display, private use, and what is no character. */
int tulle__is_printable(uint32_t character);

#endif
