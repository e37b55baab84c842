/* problems.c -- why a line was refused, in words. */
#include "core/status.h"
#include "core/text.h"
#include "io/decimal.h"
#include "io/entries.h"

#include <inttypes.h>
#include <string.h>

static int is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Word n of the line, counted from zero. The line ends with a newline. */
static const char *find_word(const char *line, int n, const char **end)
{
	for (;;) {
		while (is_space(*line))
			line++;
		for (*end = line; **end != '\n' && !is_space(**end);)
			++*end;
		if (n-- == 0)
			return line;
		line = *end;
	}
}

static void show_word(char *to, size_t room, const char *line, int n)
{
	const char *end, *const word = find_word(line, n, &end);

	tulle__show(to, room, word, (size_t)(end - word));
}

/* The word that is no number: of a complex value the second part, if the first is one and the second is not missing. */
static int value_word(const tulle__file *file, const char *line)
{
	const int first = file->header.array ? 0 : 2;
	const char *end, *const word = find_word(line, first, &end);
	double value;

	if (file->header.field != TULLE__COMPLEX || tulle__read_f64(word, &value) != end)
		return first;
	return find_word(line, first + 1, &end) == end ? first : first + 1;
}

tulle_status tulle__line_fail(const tulle__file *file, const char *name, int64_t line,
                              tulle__line_problem problem, const char *text)
{
	const tulle__header *const h = &file->header;
	const int numbers = (h->array ? 0 : 2) + (h->field == TULLE__PATTERN   ? 0
	                                          : h->field == TULLE__COMPLEX ? 2
	                                                                       : 1);
	char word[48], other[48];

	switch (problem) {
	case TULLE__LINE_ROW:
		show_word(word, sizeof word, text, 0);
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64 ": the row must be a number from 1 to %" PRId64
		                   ", not \"%s\"",
		                   name, line, h->rows, word);
	case TULLE__LINE_COLUMN:
		show_word(word, sizeof word, text, 1);
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64 ": the column must be a number from 1 to %" PRId64
		                   ", not \"%s\"",
		                   name, line, h->cols, word);
	case TULLE__LINE_VALUE:
		show_word(word, sizeof word, text, value_word(file, text));
		return tulle__fail(TULLE_E_MATRIX, "%s:%" PRId64 ": the value must be a number, not \"%s\"",
		                   name, line, word);
	case TULLE__LINE_LARGE:
		show_word(word, sizeof word, text, h->array ? 0 : 2);
		other[0] = '\0'; /* either part may be the large one */
		if (tulle__type_of(file->value_type)->parts == 2 && h->field == TULLE__COMPLEX)
			show_word(other, sizeof other, text, h->array ? 1 : 3);
		return tulle__fail(TULLE_E_MATRIX, "%s:%" PRId64 ": the value %s%s%s is too large for %s",
		                   name, line, word, other[0] ? " " : "", other,
		                   tulle__type_of(file->value_type)->part_size == 8 ? "double precision"
		                                                                    : "single precision");
	case TULLE__LINE_INTEGER:
		show_word(word, sizeof word, text, h->array ? 0 : 2);
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64 ": the value must be an integer, not \"%s\"", name, line,
		                   word);
	case TULLE__LINE_UPPER:
		show_word(word, sizeof word, text, 0);
		show_word(other, sizeof other, text, 1);
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64
		                   ": entry (%s, %s) is %s the diagonal, but a %s file stores "
		                   "only the triangle below",
		                   name, line, word, other, strcmp(word, other) == 0 ? "on" : "above",
		                   tulle__symmetry_word(h));
	case TULLE__LINE_REST:
		show_word(word, sizeof word, text, numbers);
		if (word[0])
			return tulle__fail(TULLE_E_MATRIX,
			                   "%s:%" PRId64 ": the line must end after %d numbers, but has \"%s\"",
			                   name, line, numbers, word);
		show_word(word, sizeof word, text, numbers - 1);
		return tulle__fail(TULLE_E_MATRIX, "%s:%" PRId64 ": the %s must be a number, not \"%s\"",
		                   name, line, h->field == TULLE__PATTERN ? "column" : "value", word);
	case TULLE__LINE_LONG:
		return tulle__fail(TULLE_E_MATRIX, "%s:%" PRId64 ": the line has more than %d bytes", name,
		                   line, TULLE__LINE_MAX);
	case TULLE__LINE_EXTRA:
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s:%" PRId64 ": there are more entries than the %" PRId64
		                   " that line %" PRId64 " says",
		                   name, line, h->entries, h->size_line);
	case TULLE__LINE_GOOD: break;
	}
	return tulle__fail(TULLE_E_INTERNAL, "%s:%" PRId64 ": refused without a reason", name, line);
}
