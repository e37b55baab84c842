/* entries.c -- the hot loop of reading: lines of text to rows, columns and values.
 *
 * A line has its numbers between blanks or tabs and ends with a newline, or carriage return and
 * newline. Blank lines may stand anywhere. Every slice ends with a newline and no number can contain
 * one, so no loop needs to look for the end of the text. */
#include "io/entries.h"

#include "csr/csr_matrix.h"
#include "io/decimal.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- counting ---- */

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

enum { BLOCK = 64 };

/* Nothing but blanks and line ends? Counted, so that the compiler makes vector code of it. */
static int is_blank_block(const char *p)
{
	unsigned char count = 0;

	for (int n = 0; n < BLOCK; n++)
		count = (unsigned char)(count + (p[n] == '\n') + (p[n] == ' ') + (p[n] == '\t') +
		                        (p[n] == '\r'));
	return count == BLOCK;
}

/* Skip blank lines by whole blocks. `line` is the start of a line, and so is the result. */
static const char *skip_blank_lines(const char *line, const char *end)
{
	const char *p = line;

	while (end - p >= BLOCK && is_blank_block(p))
		p += BLOCK;
	while (p > line && p[-1] != '\n')
		p--;
	return p;
}

static int64_t count_entries(const tulle__slice *s)
{
	int64_t entries = 0;

	for (const char *p = s->begin; p < s->end;) {
		while (is_blank(*p))
			p++;
		if (*p == '\n') {
			p = skip_blank_lines(p + 1, s->end);
		} else {
			p = (const char *)memchr(p, '\n', (size_t)(s->end - p)) + 1;
			entries++;
		}
	}
	return entries;
}

/* Lines, and lines that might be blank, in blocks short enough for byte counters: the compiler makes
 * vector code of this. Only a slice with suspicious lines is looked at line by line. */
void tulle__count_lines(tulle__slice *s)
{
	const char *p = s->begin;
	int64_t suspicious = p < s->end && *p <= ' ';

	s->lines = 0;
	while (p < s->end) {
		const int64_t bytes = s->end - p < 255 ? s->end - p : 255;
		unsigned char lines = 0, blanks = 0;

		for (int64_t n = 0; n < bytes; n++) {
			const unsigned char newline = p[n] == '\n';

			lines = (unsigned char)(lines + newline);
			blanks = (unsigned char)(blanks + (newline & (p[n + 1] <= ' ')));
		}
		s->lines += lines;
		suspicious += blanks;
		p += bytes;
	}
	s->entries = suspicious ? count_entries(s) : s->lines;
}

/* ---- parsing ---- */

INLINE const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* A number from 1 to `most`, made zero-based. NULL: no such number here. Up to 18 digits cannot wrap;
 * more are legal only as leading zeros. */
INLINE const char *read_index(const char *p, int64_t most, int64_t *index)
{
	const char *first = p;
	uint64_t v = 0;

	for (; tulle__is_digit(*p); p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (__builtin_expect(p - first > 18, 0)) {
		while (*first == '0')
			first++;
		if (p - first > 18)
			return NULL;
	}
	*index = (int64_t)v - 1;
	return v - 1 < (uint64_t)most ? p : NULL;
}

typedef struct {
	tulle_index_type index_type;
	tulle_value_type value_type; /* of a part */
	int parts;                   /* of a value; 0: a pattern */
} shape;

static int is_whole(const char *p, const char *end)
{
	p += *p == '-' || *p == '+';
	while (p < end && tulle__is_digit(*p))
		p++;
	return p == end;
}

/* Store the number at p as part k of the values. */
INLINE const char *read_part(const tulle__file *file, const shape t, const char *p, int64_t k,
                             tulle__line_problem *problem)
{
	const tulle__binary *const f = t.value_type == TULLE_F64 ? &tulle__binary64 : &tulle__binary32;
	const char *const token = p;
	uint64_t bits;

	p = tulle__read(f, p, &bits);
	if (!p) {
		*problem = TULLE__LINE_VALUE;
		return NULL;
	}
	if (t.value_type == TULLE_F64) {
		memcpy((double *)file->val + k, &bits, 8);
	} else {
		const uint32_t half = (uint32_t)bits;

		memcpy((float *)file->val + k, &half, 4);
	}
	if (__builtin_expect(((bits >> f->bits) & (uint64_t)f->top) == (uint64_t)f->top, 0) &&
	    (p[-1] == '.' || tulle__is_digit(p[-1]))) {
		*problem = TULLE__LINE_LARGE; /* infinity that was not spelled so */
		return NULL;
	}
	if (__builtin_expect(file->header.field == TULLE__INTEGER, 0) && !is_whole(token, p)) {
		*problem = TULLE__LINE_INTEGER;
		return NULL;
	}
	return p;
}

/* The same as value k. A real number becomes a complex one without an imaginary part. */
INLINE const char *read_value(const tulle__file *file, const shape t, const char *p, int64_t k,
                              tulle__line_problem *problem)
{
	static const double none = 0;

	p = read_part(file, t, p, t.parts * k, problem);
	if (!p || t.parts == 1)
		return p;
	if (file->header.field != TULLE__COMPLEX) {
		memcpy((char *)file->val + (size_t)(2 * k + 1) * (t.value_type == TULLE_F64 ? 8 : 4), &none,
		       t.value_type == TULLE_F64 ? 8 : 4);
		return p;
	}
	if (!is_blank(*p)) {
		*problem = TULLE__LINE_VALUE;
		return NULL;
	}
	return read_part(file, t, skip_blanks(p), 2 * k + 1, problem);
}

/* What follows the value: the imaginary part, if it is dropped, then the end of the line. */
INLINE const char *end_line(const tulle__file *file, const shape t, const char *p,
                            tulle__line_problem *problem)
{
	if (__builtin_expect(t.parts < 2 && file->header.field == TULLE__COMPLEX, 0)) {
		double imaginary;

		if (!is_blank(*p) || !(p = tulle__read_f64(skip_blanks(p), &imaginary))) {
			*problem = TULLE__LINE_VALUE;
			return NULL;
		}
	}
	while (is_blank(*p))
		p++;
	if (*p != '\n') {
		*problem = TULLE__LINE_REST;
		return NULL;
	}
	return p + 1;
}

/* One line of a coordinate file. */
INLINE const char *read_entry(const tulle__file *file, const shape t, const char *p, int64_t k,
                              tulle__line_problem *problem)
{
	const int64_t least = file->header.kind == TULLE_GENERAL     ? INT64_MIN
	                      : file->header.kind == TULLE_SYMMETRIC ? 0
	                                                             : 1;
	int64_t i, j;

	p = read_index(p, file->header.rows, &i);
	if (!p || !is_blank(*p)) {
		*problem = TULLE__LINE_ROW;
		return NULL;
	}
	p = read_index(skip_blanks(p), file->header.cols, &j);
	if (!p || (t.parts && !is_blank(*p))) {
		*problem = TULLE__LINE_COLUMN;
		return NULL;
	}
	if (i - j < least) {
		*problem = TULLE__LINE_UPPER;
		return NULL;
	}
	tulle__index_set(file->row, t.index_type, k, i);
	tulle__index_set(file->col, t.index_type, k, j);
	if (t.parts && !(p = read_value(file, t, skip_blanks(p), k, problem)))
		return NULL;
	return end_line(file, t, p, problem);
}

/* ---- arrays: the place of an element follows from its number ---- */

typedef struct {
	int64_t i, j;
} place;

/* Column by column: column j has rows - j elements of a triangle, one less without the diagonal. */
static int64_t column_begin(const tulle__header *h, int64_t j)
{
	const int64_t n = h->kind == TULLE_SKEW ? h->rows - 1 : h->rows;

	return h->kind == TULLE_GENERAL ? j * h->rows : j * n - j * (j - 1) / 2;
}

static int64_t first_row(const tulle__header *h, int64_t j)
{
	return h->kind == TULLE_GENERAL ? 0 : h->kind == TULLE_SYMMETRIC ? j : j + 1;
}

static place place_of(const tulle__header *h, int64_t k)
{
	int64_t low = 0, high = h->cols; /* column_begin(low) <= k < column_begin(high) */

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;

		if (column_begin(h, middle) <= k)
			low = middle;
		else
			high = middle;
	}
	return (place){ first_row(h, low) + k - column_begin(h, low), low };
}

INLINE const char *read_element(const tulle__file *file, const shape t, const char *p, int64_t k,
                                place *at, tulle__line_problem *problem)
{
	if (!(p = read_value(file, t, p, k, problem)))
		return NULL;
	tulle__index_set(file->row, t.index_type, k, at->i);
	tulle__index_set(file->col, t.index_type, k, at->j);
	if (++at->i == file->header.rows)
		at->i = first_row(&file->header, ++at->j);
	return end_line(file, t, p, problem);
}

/* ---- the loop ---- */

INLINE void parse(const tulle__file *file, const shape t, int array, tulle__slice *s, int64_t first)
{
	const int64_t last = file->header.entries;
	place at = { 0, 0 };
	const char *p = s->begin;
	int64_t k = first;

	s->problem = TULLE__LINE_GOOD;
	if (array && k < last)
		at = place_of(&file->header, k);
	while (p < s->end) {
		const char *const line = p;

		while (is_blank(*p))
			p++;
		if (*p == '\n') {
			p = skip_blank_lines(p + 1, s->end);
			continue;
		}
		if (k == last)
			s->problem = TULLE__LINE_EXTRA;
		else
			p = array ? read_element(file, t, p, k, &at, &s->problem)
			          : read_entry(file, t, p, k, &s->problem);
		if (p && p - line > TULLE__LINE_MAX)
			s->problem = TULLE__LINE_LONG;
		if (s->problem != TULLE__LINE_GOOD) {
			s->where = line;
			return;
		}
		k++;
	}
}

static void parse_complex(const tulle__file *file, tulle__slice *s, int64_t first)
{
	const tulle_value_type part = file->value_type == TULLE_C64 ? TULLE_F32 : TULLE_F64;

	parse(file, (shape){ file->index_type, part, 2 }, file->header.array, s, first);
}

/* One copy of the loop for each combination of real types, so that none of them is asked for in it. */
void tulle__parse_lines(const tulle__file *file, tulle__slice *s, int64_t first)
{
	const int wide = file->index_type == TULLE_I64, array = file->header.array;

	if (!file->val)
		wide ? parse(file, (shape){ TULLE_I64, TULLE_F64, 0 }, 0, s, first)
		     : parse(file, (shape){ TULLE_I32, TULLE_F64, 0 }, 0, s, first);
	else if (tulle__type_of(file->value_type)->parts == 2)
		parse_complex(file, s, first);
	else if (array)
		parse(file, (shape){ file->index_type, file->value_type, 1 }, 1, s, first);
	else if (file->value_type == TULLE_F64)
		wide ? parse(file, (shape){ TULLE_I64, TULLE_F64, 1 }, 0, s, first)
		     : parse(file, (shape){ TULLE_I32, TULLE_F64, 1 }, 0, s, first);
	else
		wide ? parse(file, (shape){ TULLE_I64, TULLE_F32, 1 }, 0, s, first)
		     : parse(file, (shape){ TULLE_I32, TULLE_F32, 1 }, 0, s, first);
}
