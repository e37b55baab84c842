/* text.c -- displays and compares untrusted text. */
#include "core/text.h"

#include "core/unicode.h"

#include <stdio.h>
#include <string.h>

void tulle__show(char *to, size_t room, const char *from, size_t bytes)
{
	size_t used = 0;

	for (size_t i = 0; i < bytes;) {
		uint32_t c;
		const size_t n = tulle__utf8_decode(from + i, bytes - i, &c);

		if (used + 4 + 4 > room) { /* the longest piece, "..." and the zero byte */
			memcpy(to + used, "...", 3);
			used += 3;
			break;
		}
		if (n > 0 && tulle__is_printable(c)) {
			memcpy(to + used, from + i, n);
			used += n;
			i += n;
		} else {
			used += (size_t)snprintf(to + used, 5, "\\x%02x", (unsigned char)from[i]);
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

/* strerror_r in the POSIX form; the GNU one has another type under the same name. The number stays if the system has
 * no words for it. */
tulle__system_words tulle__system_error(int error)
{
	tulle__system_words words;

	snprintf(words.text, sizeof words.text, "system error %d", error);
	(void)strerror_r(error, words.text, sizeof words.text);
	return words;
}

int tulle__ends_with(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);

	return n >= m && memcmp(text + n - m, end, m) == 0;
}
