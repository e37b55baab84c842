/* unicode.h -- which Unicode characters are safe to display.
 *
 * Needs nothing else from the library, so that the command can compile it as well. */
#ifndef TULLE_CORE_UNICODE_H
#define TULLE_CORE_UNICODE_H

#include <stddef.h>
#include <stdint.h>

/* Decode the well-formed UTF-8 character at `text`, of which `bytes` bytes are available. Returns
 * its length; 0: it is not well-formed. */
size_t tulle__utf8_decode(const char *text, size_t bytes, uint32_t *character);

/* 1: the character is displayed as itself and does not affect other output. 0: control and format
 * characters (line ends, writing direction, zero width, tags), characters that are ignored in display
 * by default, private use, and noncharacters. */
int tulle__is_printable(uint32_t character);

#endif
