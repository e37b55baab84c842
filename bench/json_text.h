/* json_text.h -- strings and members of JSON objects. */
#ifndef BENCH_JSON_TEXT_H
#define BENCH_JSON_TEXT_H

#include <stdio.h>

void json_string(FILE *out, const char *text);

/* "key": "text", with something before and after. */
void json_text(FILE *out, const char *start, const char *key, const char *text, const char *end);

/* "key": value; null for what is not finite. */
void json_number(FILE *out, const char *key, double value, const char *end);

#endif
