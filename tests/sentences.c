/* sentences.c -- sentences about names of any bytes and any length: well-formed UTF-8, one line, cut
 * between two characters. */
#include "check.h"
#include "core/status.h"
#include "tulle_batch.h"

#include <stdio.h>
#include <string.h>

/* Longer than a sentence, so that every place where it may be cut is passed. */
enum { LONGEST = 600 };

/* Bytes of the well-formed character at p, 0 if there is none. */
static int character(const unsigned char *p)
{
	const int n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;

	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static void check_sentence(const char *call, const char *name)
{
	const char *const text = tulle_last_error();
	const size_t length = strlen(text);

	check_about("%s, a name of %zu bytes", call, strlen(name));
	CHECK_THAT(length > 0 && length < 512, "%zu bytes: %s", length, text);
	for (const char *p = text; *p;) {
		const int n = character((const unsigned char *)p);

		if (!CHECK_THAT(n > 0 && (unsigned char)*p >= 0x20 && *p != 0x7f,
		                "byte %td of \"%s\" is %02x", p - text, text, (unsigned char)*p))
			break;
		p += n;
	}
}

static const int32_t ptr[] = { 0, 1 }, col[] = { 0 };
static const double val[] = { 1 };

static void check_name(const tulle_matrix *a, const char *name)
{
	const int64_t one = 1;
	const tulle_context_options isa = { .size = sizeof isa, .isa = name };
	const tulle_plan_options format = { .size = sizeof format, .format = name };
	const tulle_batch_options kernel = { .size = sizeof kernel, .kernel = name };
	const tulle_batch_source source = {
		.size = sizeof source,
		.count = 1,
		.rows = &one,
		.cols = &one,
		.offset_type = TULLE_I32,
		.row_ptr = ptr,
		.column_type = TULLE_I32,
		.col = col,
		.value_type = TULLE_F64,
		.val = val,
	};
	char option[LONGEST + 32], path[LONGEST + 32];
	const tulle_plan_options tunable = { .size = sizeof tunable, .format = option };
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_batch *batch;
	tulle_plan *plan;

	/* The longest: no call of the library's lets a name fill a sentence. */
	CHECK_STATUS(tulle__fail(TULLE_E_IO, "%s", name), TULLE_E_IO);
	check_sentence("sentence", name);
	CHECK_STATUS(tulle__fail_in(TULLE_E_MATRIX, name), TULLE_E_MATRIX);
	check_sentence("prefix", name);
	CHECK_STATUS(tulle_context_create(&isa, &context), TULLE_E_ARGUMENT);
	check_sentence("isa", name);
	CHECK_STATUS(tulle_plan_create(a, &format, &plan), TULLE_E_ARGUMENT);
	check_sentence("format", name);
	snprintf(option, sizeof option, "csr:%s", name);
	CHECK_STATUS(tulle_plan_create(a, &tunable, &plan), TULLE_E_ARGUMENT);
	check_sentence("option", name);
	snprintf(option, sizeof option, "csr:kernel=%s", name);
	CHECK_STATUS(tulle_plan_create(a, &tunable, &plan), TULLE_E_ARGUMENT);
	check_sentence("value of an option", name);
	CHECK_STATUS(tulle_batch_create(NULL, &source, &kernel, &batch), TULLE_E_ARGUMENT);
	check_sentence("kernel", name);
	snprintf(path, sizeof path, "/nowhere/%s", name);
	CHECK_STATUS(tulle_matrix_read(NULL, path, NULL, &matrix), TULLE_E_IO);
	check_sentence("path", name);
	CHECK_STATUS(tulle_matrix_write(a, path, NULL), TULLE_E_IO);
	check_sentence("path to write", name);
}

int main(void)
{
	/* Of two, three and four bytes; then what is no UTF-8, and what steers a terminal. */
	static const char *const pieces[] = { "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\xa7\xb5",
		                                  "\xff",     "\xc3",         "\x1b[2J",
		                                  "\n" };
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(NULL, 1, 1, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64, val, NULL,
	                               &a));
	for (size_t n = 0; n < sizeof pieces / sizeof *pieces; n++) {
		const size_t bytes = strlen(pieces[n]);
		char name[LONGEST + 8] = "";

		/* Characters begin at every place once. */
		for (size_t shift = 0; shift < bytes; shift++) {
			memset(name, 'x', shift + 1);
			for (size_t at = shift + 1; at + bytes < LONGEST; at += bytes) {
				memcpy(name + at, pieces[n], bytes + 1);
				check_name(a, name);
			}
		}
		check_group("names of %zu-byte pieces", bytes);
	}
	tulle_matrix_destroy(a);
	return check_end();
}
