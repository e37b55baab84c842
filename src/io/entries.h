/* entries.h -- lines of text to entries of a matrix; one slice of lines at a time, on any thread. */
#ifndef TULLE_IO_ENTRIES_H
#define TULLE_IO_ENTRIES_H

#include "io/io.h"

typedef enum {
	TULLE__LINE_GOOD,
	TULLE__LINE_ROW, /* no row number, or not one of this matrix */
	TULLE__LINE_COLUMN,
	TULLE__LINE_VALUE,   /* no number */
	TULLE__LINE_LARGE,   /* finite in the file, but not in the value type */
	TULLE__LINE_INTEGER, /* a fraction or exponent in a file of integers */
	TULLE__LINE_UPPER,   /* above the diagonal, or on it in a skew matrix */
	TULLE__LINE_REST,    /* something after the last number */
	TULLE__LINE_LONG,    /* more than TULLE__LINE_MAX bytes */
	TULLE__LINE_EXTRA    /* all entries were there already */
} tulle__line_problem;

/* Whole lines, each ended by a newline; at least TULLE__TEXT_SLACK bytes are readable after `end`. */
typedef struct {
	const char *begin, *end;
	int64_t lines;   /* in it, and of those */
	int64_t entries; /* not blank; both set by tulle__count_lines */
	tulle__line_problem problem;
	const char *where; /* the line that has it */
} tulle__slice;

void tulle__count_lines(tulle__slice *s);

/* Parse a slice whose first entry is number `first` of the file, counted from zero. */
void tulle__parse_lines(const tulle__file *file, tulle__slice *s, int64_t first);

/* The failure "name:line: what" for a line that tulle__parse_lines refused. */
tulle_status tulle__line_fail(const tulle__file *file, const char *name, int64_t line,
                              tulle__line_problem problem, const char *text);

#endif
