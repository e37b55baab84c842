/* json_text.c -- strings and members of JSON objects. */
#include "json_text.h"

#include <math.h>

void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

void json_text(FILE *out, const char *start, const char *key, const char *text, const char *end)
{
	fprintf(out, "%s\"%s\": ", start, key);
	json_string(out, text);
	fputs(end, out);
}

/* JSON has neither NaN nor infinity. */
void json_number(FILE *out, const char *key, double value, const char *end)
{
	if (isfinite(value))
		fprintf(out, "\"%s\": %.6g%s", key, value, end);
	else
		fprintf(out, "\"%s\": null%s", key, end);
}
