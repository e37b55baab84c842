/* lines.c -- blanks inside a line never change what a file means, however long they make it: the file
 * reads as without them, or the line is refused for its length. */
#include "files.h"

#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MM "%%MatrixMarket matrix "

/* Good files, and bad ones that a cut line would make good. */
static const char *const texts[] = {
	MM "coordinate real general\n%c\n\n3 3 12\n1 1 5\n",
	MM "coordinate real general\n%c\n \n3 3 2\n1 1 5\n\n3 2 -1.5\n",
	MM "coordinate real general\n3 30 1\n1 1 5\n",
	MM "coordinate real general\n1 1 1 1\n1 1 5\n",
	MM "coordinate real general symmetric\n1 1 1\n1 1 5\n",
	MM "coordinate real symmetric\n2 2 1\n2 1 5\n",
	MM "array real general\n1 2\n10\n25\n",
	MM "coordinate pattern general\n1 1 1\n1 1 1\n",
};

/* What comes of a file, in words: a status, or the shape and the entries. */
static void tell(const char *path, bytes *out)
{
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *a = NULL;
	const tulle_status s = tulle_matrix_read(NULL, path, NULL, &a);

	out->count = 0;
	bytes_print(out, "%s", tulle_status_name(s));
	if (s != TULLE_OK)
		return;
	tulle_matrix_view_csr(a, &v);
	bytes_print(out, " %lldx%lld", (long long)v.rows, (long long)v.cols);
	bytes_add(out, v.row_ptr, (size_t)(v.rows + 1) * (v.offset_type == TULLE_I32 ? 4 : 8));
	bytes_add(out, v.col, (size_t)v.nnz * (v.column_type == TULLE_I32 ? 4 : 8));
	bytes_add(out, v.val, v.val ? (size_t)v.nnz * value_size(v.value_type) : 0);
	tulle_matrix_destroy(a);
}

static int same(const bytes *a, const bytes *b)
{
	return a->count == b->count && memcmp(a->at, b->at, a->count) == 0;
}

static void add_blanks(bytes *b, size_t count)
{
	static char blanks[3 * TULLE__LINE_MAX];

	memset(blanks, ' ', sizeof blanks);
	bytes_add(b, blanks, count);
}

/* One line of a text: with its newline begin .. end. */
typedef struct {
	const char *text, *begin, *end;
	int number, comment;
} line;

/* The text with `inside` blanks at `gap`, and then that line filled up to `length` bytes. */
static bytes pad(const line *l, const char *gap, size_t inside, size_t length)
{
	const size_t have = (size_t)(l->end - l->begin) + inside;
	bytes b = { 0 };

	bytes_add(&b, l->text, (size_t)(gap - l->text));
	add_blanks(&b, inside);
	bytes_add(&b, gap, (size_t)(l->end - 1 - gap));
	add_blanks(&b, length > have ? length - have : 0);
	bytes_add(&b, l->end - 1, strlen(l->end - 1));
	return b;
}

static void check_padded(const line *l, const char *gap, size_t inside, size_t length)
{
	bytes padded = pad(l, gap, inside, length), plain = { 0 }, now = { 0 };
	char words[40];

	check_about("line %d of %s: %zu blanks before %.5s, %zu bytes", l->number, l->text, inside, gap,
	            length);
	tell(file_text("lines.mtx", l->text), &plain);
	tell(file_put("lines.mtx", padded.at, padded.count), &now);
	if (!same(&plain, &now)) {
		CHECK_THAT(!l->comment && length > TULLE__LINE_MAX && strcmp(now.at, "TULLE_E_MATRIX") == 0,
		           "%.40s; without the blanks %.40s", now.at, plain.at);
		/* Of the first line a cut first word may be what is named. */
		snprintf(words, sizeof words, ":%d:%s", l->number, l->number > 1 ? " 65536 bytes" : "");
		CHECK_WORDS(tulle_last_error(), words);
	}
	check_about(" ");
	free(padded.at);
	free(plain.at);
	free(now.at);
}

/* Blanks before each word and after the last; of a comment only after it. */
static int check_line(const line *l)
{
	static const size_t lengths[] = { TULLE__LINE_MAX - 1,    TULLE__LINE_MAX, TULLE__LINE_MAX + 1,
		                              TULLE__LINE_MAX + 2,    70000,           2 * TULLE__LINE_MAX,
		                              2 * TULLE__LINE_MAX + 1 };
	int count = 0;

	for (const char *gap = l->begin; gap < l->end; gap++) {
		const int between = gap == l->begin || gap[-1] == ' ' || *gap == '\n';

		if (l->comment ? *gap != '\n' : !between)
			continue;
		for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++, count += 2) {
			check_padded(l, gap, 0, lengths[n]);
			check_padded(l, gap, lengths[n] - (size_t)(l->end - l->begin), lengths[n]);
		}
		/* The next word crosses the end of what is kept of a line that is too long. */
		for (size_t n = 0; n < 3; n++, count++)
			check_padded(l, gap, sizeof((tulle__feed *)0)->start - n - (size_t)(gap - l->begin),
			             70000);
	}
	return count;
}

int main(void)
{
	int count = 0;

	for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
		line l = { .text = texts[n], .end = texts[n] };

		while (*l.end) {
			l.begin = l.end;
			l.end = strchr(l.begin, '\n') + 1;
			l.number++;
			l.comment = l.number > 1 && *l.begin == '%';
			count += check_line(&l);
		}
	}
	check_group("%d lines of blanks", count);
	return check_end();
}
