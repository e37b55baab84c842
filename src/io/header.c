/* header.c -- the lines of a Matrix Market file before its entries.
 *
 *     %%MatrixMarket matrix coordinate real symmetric     the banner, words in any case
 *     % anything                                          comments
 *     3 3 4                                               rows columns entries (array: rows columns)
 */
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/decimal.h"
#include "io/io.h"

#include <inttypes.h>
#include <string.h>

static const char *const field_words[] = { "real", "integer", "pattern", "complex" };

const char *tulle__layout_word(const tulle__header *h)
{
	return h->array ? "array" : "coordinate";
}

const char *tulle__field_word(const tulle__header *h)
{
	return field_words[h->field];
}

const char *tulle__symmetry_word(const tulle__header *h)
{
	return h->hermitian                 ? "hermitian"
	       : h->kind == TULLE_SYMMETRIC ? "symmetric"
	       : h->kind == TULLE_SKEW      ? "skew-symmetric"
	                                    : "general";
}

typedef struct {
	const char *at;
	size_t bytes;
	int cut; /* 1: the line goes on after that; only a comment may */
} span;

/* A line that fills the buffer: keep its start, drop the rest. */
static span cut_line(tulle__feed *f)
{
	const char *newline;

	memcpy(f->start, f->buffer + f->begin, sizeof f->start);
	do {
		f->end = tulle__source_read(f->source, f->buffer, TULLE__LINE_MAX);
		newline = memchr(f->buffer, '\n', f->end);
	} while (!newline && f->end > 0 && !tulle__source_is_padded(f->source, 0));
	f->begin = newline ? (size_t)(newline - f->buffer) + 1 : 0;
	return (span){ f->start, sizeof f->start, 1 };
}

/* The next line without its end. 0: no more text, or too much of it. */
static int next_line(tulle__feed *f, span *line)
{
	if (tulle__source_is_padded(f->source, 0))
		return 0;
	for (;;) {
		char *const from = f->buffer + f->begin;
		const size_t have = f->end - f->begin;
		const char *const newline = memchr(from, '\n', have);
		size_t got;

		if (newline) {
			*line = (span){ from, (size_t)(newline - from), 0 };
			f->begin += line->bytes + 1;
			break;
		}
		if (have == TULLE__LINE_MAX) {
			*line = cut_line(f);
			break;
		}
		memmove(f->buffer, from, have);
		got = tulle__source_read(f->source, f->buffer + have, TULLE__LINE_MAX - have);
		f->begin = 0;
		f->end = have + got;
		if (got == 0) {
			*line = (span){ f->buffer, have, 0 };
			f->begin = have;
			if (have == 0)
				return 0;
			break;
		}
	}
	if (line->bytes > 0 && line->at[line->bytes - 1] == '\r')
		line->bytes--;
	f->line++;
	return 1;
}

/* Take the next word off a line; empty at its end. */
static span next_word(span *line)
{
	span word = { .cut = 0 };

	while (line->bytes > 0 && (*line->at == ' ' || *line->at == '\t')) {
		line->at++;
		line->bytes--;
	}
	word.at = line->at;
	while (line->bytes > 0 && *line->at != ' ' && *line->at != '\t') {
		line->at++;
		line->bytes--;
	}
	word.bytes = (size_t)(line->at - word.at);
	return word;
}

static int is_word(span word, const char *lower)
{
	if (word.bytes != strlen(lower))
		return 0;
	for (size_t n = 0; n < word.bytes; n++) {
		const char c = word.at[n];

		if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lower[n])
			return 0;
	}
	return 1;
}

static tulle_status bad(const tulle__feed *f, const char *what, span word)
{
	char shown[48];

	if (f->source->status != TULLE_OK)
		return tulle__source_fail(f->source);
	tulle__show(shown, sizeof shown, word.at, word.bytes);
	return tulle__fail(TULLE_E_MATRIX, "%s:%" PRId64 ": %s, not \"%s\"", f->source->name, f->line,
	                   what, shown);
}

static tulle_status refuse(const tulle__feed *f, const char *what)
{
	if (f->source->status != TULLE_OK)
		return tulle__source_fail(f->source);
	return tulle__fail(TULLE_E_MATRIX, "%s:%" PRId64 ": %s", f->source->name, f->line, what);
}

/* What was cut off could be anything: another number, or more digits of the last one. */
static tulle_status refuse_long(const tulle__feed *f)
{
	if (f->source->status != TULLE_OK)
		return tulle__source_fail(f->source);
	return tulle__fail(TULLE_E_MATRIX,
	                   "%s:%" PRId64 ": line is longer than %d bytes; only comments may be",
	                   f->source->name, f->line, TULLE__LINE_MAX);
}

static tulle_status read_banner(tulle__feed *f, tulle__header *h)
{
	span line, word;

	if (!next_line(f, &line)) {
		f->line = 1;
		return refuse(f, "the file is empty");
	}
	word = next_word(&line);
	if (!is_word(word, "%%matrixmarket"))
		return bad(f, "the first word must be %%MatrixMarket", word);
	if (line.cut)
		return refuse_long(f);
	word = next_word(&line);
	if (!is_word(word, "matrix"))
		return bad(f, "the word after %%MatrixMarket must be matrix", word);
	word = next_word(&line);
	h->array = is_word(word, "array");
	if (!h->array && !is_word(word, "coordinate"))
		return bad(f, "the layout must be coordinate or array", word);
	word = next_word(&line);
	if (is_word(word, "real") || is_word(word, "double"))
		h->field = TULLE__REAL;
	else if (is_word(word, "integer") || is_word(word, "unsigned-integer"))
		h->field = TULLE__INTEGER;
	else if (is_word(word, "pattern"))
		h->field = TULLE__PATTERN;
	else if (is_word(word, "complex"))
		h->field = TULLE__COMPLEX;
	else
		return bad(f, "the field must be real, integer, pattern or complex", word);
	word = next_word(&line);
	h->hermitian = is_word(word, "hermitian");
	if (h->hermitian || is_word(word, "symmetric"))
		h->kind = TULLE_SYMMETRIC;
	else if (is_word(word, "skew-symmetric"))
		h->kind = TULLE_SKEW;
	else if (!is_word(word, "general"))
		return bad(f, "the symmetry must be general, symmetric, skew-symmetric or hermitian", word);
	word = next_word(&line);
	if (word.bytes > 0)
		return bad(f, "the first line must end after the symmetry", word);
	if (h->array && h->field == TULLE__PATTERN)
		return refuse(f, "an array cannot be a pattern");
	if (h->kind == TULLE_SKEW && h->field == TULLE__PATTERN)
		return refuse(f, "a pattern cannot be skew-symmetric");
	if (h->hermitian && h->field != TULLE__COMPLEX)
		return refuse(f, "only a complex matrix can be hermitian");
	return TULLE_OK;
}

/* A count: digits only, and no more than a matrix may have. */
static int read_count(span word, int64_t *value)
{
	*value = 0;
	for (size_t n = 0; n < word.bytes; n++)
		if (!tulle__is_digit(word.at[n]) || __builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, word.at[n] - '0', value))
			return 0;
	return word.bytes > 0 && *value <= TULLE__MOST;
}

/* Elements of an array file: all, the lower triangle, or the part below the diagonal. */
static int64_t array_entries(const tulle__header *h)
{
	const int64_t n = h->rows;

	if (h->kind == TULLE_GENERAL)
		return tulle__times(n, h->cols);
	return n > 0 ? tulle__times(n, h->kind == TULLE_SKEW ? n - 1 : n + 1) / 2 : 0;
}

/* No count is believed that the rest of the file cannot hold: the shortest entry is "1 1" and a
 * newline, which the last line may lack; in an array "1" and a newline. */
static tulle_status check_entries(const tulle__feed *f, const tulle__header *h)
{
	const int64_t ahead = tulle__source_bound(f->source), waiting = (int64_t)(f->end - f->begin);
	const int64_t bytes = ahead < INT64_MAX - waiting - 1 ? ahead + waiting : INT64_MAX - 1;

	if (h->entries > (bytes + 1) / (h->array ? 2 : 4))
		return tulle__fail(
		    TULLE_E_MATRIX,
		    "%s:%" PRId64 ": %" PRId64 " entries do not fit in the %" PRId64 " bytes that follow%s",
		    f->source->name, f->line, h->entries, bytes, f->source->inflater ? " at most" : "");
	return TULLE_OK;
}

static tulle_status read_size(tulle__feed *f, tulle__header *h, span line)
{
	span word = next_word(&line);

	h->size_line = f->line;
	if (!read_count(word, &h->rows))
		return bad(f, "the number of rows must be a whole number below 2^59", word);
	word = next_word(&line);
	if (!read_count(word, &h->cols))
		return bad(f, "the number of columns must be a whole number below 2^59", word);
	word = next_word(&line);
	if (!h->array) {
		if (!read_count(word, &h->entries))
			return bad(f, "the number of entries must be a whole number below 2^59", word);
		word = next_word(&line);
	}
	if (word.bytes > 0)
		return bad(f, "the size line must end here", word);
	if (h->kind != TULLE_GENERAL && h->rows != h->cols)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64 ": %" PRId64 " rows and %" PRId64
		                   " columns: a %s matrix is square",
		                   f->source->name, f->line, h->rows, h->cols, tulle__symmetry_word(h));
	if (h->array)
		h->entries = array_entries(h);
	if (h->entries > TULLE__MOST)
		return refuse(f, "rows times columns make 2^59 entries or more");
	return check_entries(f, h);
}

/* Collect comments, one line each, until the buffer is full. */
static void keep_comment(tulle__header *h, span line, size_t *used)
{
	while (line.bytes > 0 && *line.at == '%') {
		line.at++;
		line.bytes--;
	}
	if (*used + 9 > sizeof h->comment) /* a newline and the least that tulle__show wants */
		return;
	if (*used > 0)
		h->comment[(*used)++] = '\n';
	tulle__show(h->comment + *used, sizeof h->comment - *used, line.at, line.bytes);
	*used += strlen(h->comment + *used);
}

tulle_status tulle__read_header(tulle__feed *f, tulle__header *h)
{
	tulle_status status;
	size_t used = 0;
	span line;

	memset(h, 0, sizeof *h);
	status = read_banner(f, h);
	if (status != TULLE_OK)
		return status;
	while (next_line(f, &line)) {
		span rest = line;

		if (line.bytes > 0 && *line.at == '%')
			keep_comment(h, line, &used);
		else if (line.cut)
			return refuse_long(f);
		else if (next_word(&rest).bytes > 0)
			return read_size(f, h, line);
	}
	f->line++;
	if (tulle__source_is_padded(f->source, 0))
		return tulle__source_refuse_padding(f->source, f->line, 0);
	return refuse(f, "the file ends before the line with the size");
}
