/* text.c -- bytes of unknown origin made safe to show. */
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* The length of a well-formed UTF-8 sequence that is not a control character (C1: U+0080 to U+009F
 * steer terminals too), 0 if there is none here. */
static size_t sequence(const unsigned char *p, size_t bytes)
{
	const size_t n = p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

	if (n == 0 || n > bytes)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xe0 && p[1] < 0xa0) ||
	    (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] >= 0x90) || (p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0xa8))
		return 0; /* the last: line separators and direction marks */
	return n;
}

void tulle__show(char *to, size_t room, const char *from, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)from;
	size_t used = 0;

	for (size_t i = 0; i < bytes;) {
		const size_t n = p[i] >= 0x20 && p[i] < 0x7f ? 1 : sequence(p + i, bytes - i);

		if (used + 4 + 4 > room) { /* the longest piece and "..." with its zero */
			memcpy(to + used, "...", 3);
			used += 3;
			break;
		}
		if (n > 0) {
			memcpy(to + used, from + i, n);
			used += n;
			i += n;
		} else {
			used += (size_t)snprintf(to + used, 5, "\\x%02x", p[i]);
			i++;
		}
	}
	to[used] = '\0';
}

tulle__shown tulle__show_name(const char *name, size_t bytes)
{
	tulle__shown shown;

	tulle__show(shown.text, sizeof shown.text, name, bytes);
	return shown;
}
