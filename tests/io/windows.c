/* windows.c -- files larger than the reader's window: lines that cross its ends, lines of the longest
 * legal length, errors far into the file, and the same matrix at any number of threads. */
#include "files.h"

#include "io/io.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 70000, ENTRIES = 400000 };

typedef enum { PLAIN, BLANK_LINES, INDENTED, RETURNS, LONG_LINES, STYLES } style;

/* Entry k of the matrix that all the files hold. */
static int64_t row_of(int64_t k)
{
	return k * 7919 % ROWS;
}

static double value_of(int64_t k)
{
	return (double)(k % 1000) / 8 - (double)k;
}

static void add_padding(bytes *b, char c, size_t count)
{
	char piece[1000];

	memset(piece, c, sizeof piece);
	for (; count > 0; count -= count < sizeof piece ? count : sizeof piece)
		bytes_add(b, piece, count < sizeof piece ? count : sizeof piece);
}

static bytes make_text(style s, uint64_t seed)
{
	bytes b = { 0 };

	bytes_print(&b, "%%%%MatrixMarket matrix coordinate real general\n%%");
	add_padding(&b, 'c', 100000); /* a comment longer than the header's buffer */
	bytes_print(&b, "\n%d %d %d\n", ROWS, ROWS, ENTRIES);
	for (int64_t k = 0; k < ENTRIES; k++) {
		if (s == BLANK_LINES && random_below(&seed, 10) == 0)
			add_padding(&b, "\n \t"[random_below(&seed, 3)], (size_t)random_below(&seed, 30));
		if (s == BLANK_LINES && random_below(&seed, 4) == 0)
			bytes_add(&b, "\n", 1);
		if (s == INDENTED)
			add_padding(&b, ' ', (size_t)random_below(&seed, 20));
		bytes_print(&b, "%" PRId64 " %" PRId64 " %.17g", row_of(k) + 1, k % 1000 + 1, value_of(k));
		if (s == LONG_LINES && k % 1000 == 0)
			add_padding(&b, ' ', (size_t)random_below(&seed, TULLE__LINE_MAX - 60));
		bytes_add(&b, &"\r\n"[s != RETURNS], s == RETURNS ? 2 : 1);
	}
	return b;
}

static void check_matrix(tulle_context *context, const char *path)
{
	tulle_csr_view v = { .size = sizeof v };
	int32_t *next = grab(ROWS, sizeof *next);
	tulle_matrix *a = NULL;
	int wrong = 0;

	if (!CHECK_OK(tulle_matrix_read(context, path, NULL, &a)))
		return;
	tulle_matrix_view_csr(a, &v);
	CHECK(v.rows == ROWS && v.cols == ROWS && v.nnz == ENTRIES);
	memcpy(next, v.row_ptr, ROWS * sizeof *next);
	for (int64_t k = 0; k < ENTRIES; k++) {
		const int32_t at = next[row_of(k)]++;

		wrong +=
		    ((const int32_t *)v.col)[at] != k % 1000 || ((const double *)v.val)[at] != value_of(k);
	}
	CHECK_EQUAL(wrong, 0);
	tulle_matrix_destroy(a);
	free(next);
}

static void note(void *user, double fraction)
{
	double *const last = user;

	CHECK_THAT(fraction >= *last && fraction <= 1, "%g after %g", fraction, *last);
	*last = fraction;
}

static void check_styles(void)
{
	static const char *const names[STYLES] = { "plain", "blank lines", "indented", "returns",
		                                       "long lines" };

	for (style s = PLAIN; s < STYLES; s++) {
		bytes b = make_text(s, 17 + (uint64_t)s), z = { 0 };
		const char *const path = file_put("large.mtx", b.at, b.count);

		bytes_add_gzip(&z, b.at, b.count);
		file_put("large.mtx.gz", z.at, z.count);
		for (int threads = 1; threads <= 5; threads += 2) {
			const tulle_context_options how = { .size = sizeof how, .threads = threads };
			tulle_context *context = NULL;

			CHECK_OK(tulle_context_create(&how, &context));
			check_about("%s, %d threads", names[s], threads);
			check_matrix(context, path);
			check_matrix(context, file_path("large.mtx.gz"));
			tulle_context_destroy(context);
		}
		free(b.at);
		free(z.at);
		check_group("%s", names[s]);
	}
}

/* Errors name the right line wherever it lies. */
static void check_lines(void)
{
	bytes b = make_text(PLAIN, 1);
	const char *text = b.at;
	int64_t line = 1;
	size_t last;

	for (size_t n = 0; n < b.count; n++) {
		line += b.at[n] == '\n';
		if (b.at[n] == '\n' && line % 49999 == 0 && line > 10) {
			char *const at = b.at + n + 1, keep = *at;
			char words[60];

			*at = 'x';
			snprintf(words, sizeof words, "bad.mtx:%" PRId64 ": row", line);
			check_refused(file_put("bad.mtx", text, b.count), NULL, TULLE_E_MATRIX, words);
			*at = keep;
		}
	}
	for (last = b.count - 1; text[last - 1] != '\n';)
		last--;
	check_refused(file_put("bad.mtx", text, last), NULL, TULLE_E_MATRIX,
	              ":400003: ends 399999 400000");
	bytes_print(&b, "1 1 1\n");
	check_refused(file_put("bad.mtx", b.at, b.count), NULL, TULLE_E_MATRIX, ":400004: more");
	free(b.at);
	check_group("line numbers");
}

/* A line of TULLE__LINE_MAX bytes is legal, one byte more is not, wherever it lies in a window. */
static void check_longest(void)
{
	for (int extra = 0; extra < 2; extra++) {
		for (size_t before = 0; before < 3; before++) {
			bytes b = { 0 };

			bytes_print(&b, "%%%%MatrixMarket matrix array real general\n2 1\n");
			add_padding(&b, '\n', before * 2100000);
			bytes_add(&b, "1", 1);
			add_padding(&b, ' ', (size_t)TULLE__LINE_MAX - 2 + (size_t)extra);
			bytes_add(&b, "\n2", 2);
			if (extra)
				check_refused(file_put("long.mtx", b.at, b.count), NULL, TULLE_E_MATRIX,
				              "65536 bytes");
			else
				check_entries(file_put("long.mtx", b.at, b.count), NULL, "2x1 0:0=1 1:0=2");
			free(b.at);
		}
	}
	bytes b = { 0 };

	bytes_print(&b, "%%%%MatrixMarket matrix array real general\n2 1\n1\n");
	add_padding(&b, '7', 9000000);
	check_refused(file_put("endless.mtx", b.at, b.count), NULL, TULLE_E_MATRIX, ":4: 65536 bytes");
	free(b.at);
	check_group("longest lines");
}

/* Single digits between blanks and blank lines of any number, which are skipped by blocks: none is lost,
 * and an error still names its line. */
static void check_runs(void)
{
	enum { COUNT = 5000 };
	uint64_t seed = 11;
	bytes b = { 0 };
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *a = NULL;
	int64_t line = 3;
	int wrong = 0;

	bytes_print(&b, "%%%%MatrixMarket matrix array real general\n%d 1\n", COUNT);
	for (int n = 0; n < COUNT; n++) {
		for (int64_t k = random_below(&seed, 300); k > 0; k--) {
			const char c = "\n\n \t\r"[random_below(&seed, 5)];

			bytes_add(&b, &c, 1);
			line += c == '\n';
		}
		bytes_print(&b, "%d", n % 10);
		if (n == COUNT - 1)
			break;
		bytes_add(&b, "\n", 1);
		line++;
	}
	if (CHECK_OK(tulle_matrix_read(NULL, file_put("runs.mtx", b.at, b.count), NULL, &a))) {
		tulle_matrix_view_csr(a, &v);
		CHECK_EQUAL(v.nnz, COUNT);
		for (int n = 0; n < COUNT && v.nnz == COUNT; n++)
			wrong += ((const double *)v.val)[n] != n % 10;
		CHECK_EQUAL(wrong, 0);
	}
	b.at[b.count - 1] = 'x';
	char words[40];

	snprintf(words, sizeof words, ":%" PRId64 ": value x", line);
	check_refused(file_put("runs.mtx", b.at, b.count), NULL, TULLE_E_MATRIX, words);
	tulle_matrix_destroy(a);
	free(b.at);
	check_group("runs of blanks");
}

static void check_progress(void)
{
	double last = 0;
	const tulle_read_options how = { .size = sizeof how, .progress = note, .user = &last };
	bytes b = make_text(PLAIN, 3);
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_read(NULL, file_put("large.mtx", b.at, b.count), &how, &a));
	CHECK(last == 1);
	last = 0;
	CHECK_OK(tulle_matrix_write(a, file_path("copy.mtx"),
	                            &(tulle_write_options){ .size = sizeof(tulle_write_options),
	                                                    .progress = note,
	                                                    .user = &last }));
	CHECK(last == 1);
	tulle_matrix_destroy(a);
	free(b.at);
	check_group("progress");
}

int main(void)
{
	check_styles();
	check_lines();
	check_longest();
	check_runs();
	check_progress();
	return check_end();
}
