/* registry.c -- the formats of this build, from formats.def. */
#include "core/format.h"

#include <string.h>

#define FORMAT_IN(folder, name) FORMAT(name)

#define FORMAT(name) extern const tulle__format tulle__format_##name;
#include "formats/formats.def"
#undef FORMAT

#define FORMAT(name) &tulle__format_##name,
static const tulle__format *const formats[] = {
#include "formats/formats.def"
};
#undef FORMAT

enum { FORMATS = sizeof formats / sizeof *formats };

const tulle__format *tulle__format_at(int n)
{
	return n >= 0 && n < FORMATS ? formats[n] : NULL;
}

const tulle__format *tulle__baseline_format(void)
{
	int n = 0;

	while (!(formats[n]->flags & TULLE__BASELINE))
		n++;
	return formats[n];
}

const tulle__format *tulle__format_named(const char *name, size_t length)
{
	for (int n = 0; n < FORMATS; n++)
		if (strlen(formats[n]->name) == length && memcmp(formats[n]->name, name, length) == 0)
			return formats[n];
	return NULL;
}
