/* written.c -- what tulle_matrix_write writes, tulle_matrix_read reads back: same pattern, same bits. */
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t state = 5;

/* Any bits but those of a NaN: its payload has no decimal form. */
static double any_value(tulle_value_type type)
{
	for (;;) {
		const uint64_t bits = random_next(&state);
		const uint32_t half = (uint32_t)bits;
		double d;
		float f;

		memcpy(&d, &bits, sizeof d);
		memcpy(&f, &half, sizeof f);
		if (type == TULLE_F32)
			d = (double)f;
		if (!isnan(d))
			return d;
	}
}

static void check_same(const tulle_matrix *a, const tulle_matrix *b, int ordered)
{
	tulle_csr_view v = { .size = sizeof v }, w = { .size = sizeof w };

	tulle_matrix_view_csr(a, &v);
	tulle_matrix_view_csr(b, &w);
	CHECK(v.rows == w.rows && v.cols == w.cols && v.nnz == w.nnz);
	CHECK(v.value_type == w.value_type && !v.val == !w.val);
	if (!ordered || v.nnz != w.nnz || !v.val != !w.val)
		return;
	for (int64_t i = 0; i <= v.rows; i++)
		CHECK_EQUAL(((const int32_t *)v.row_ptr)[i], ((const int32_t *)w.row_ptr)[i]);
	CHECK(memcmp(v.col, w.col, (size_t)v.nnz * 4) == 0);
	if (v.val)
		CHECK(memcmp(v.val, w.val, (size_t)v.nnz * value_size(v.value_type)) == 0);
}

/* Columns ascend in the rows of these, so that the order read back is the order written, mirrored
 * entries included. */
static tulle_matrix *make(tulle_kind kind, tulle_value_type type, int values, int64_t n,
                          int64_t length)
{
	const tulle_matrix_options how = { .size = sizeof how, .kind = kind };
	int32_t *row = grab(n * length, 4), *col = grab(n * length, 4);
	double *wide = grab(n * length, 8);
	int64_t nnz = 0;
	tulle_matrix *a = NULL;
	void *val;

	for (int64_t i = 0; i < n; i++) {
		int64_t j = -1;

		for (int64_t k = 0; k < length; k++) {
			j += 1 + random_below(&state, 1 + n / length);
			if (j >= (kind == TULLE_GENERAL ? n : kind == TULLE_SKEW ? i : i + 1))
				break;
			row[nnz] = (int32_t)i;
			col[nnz] = (int32_t)j;
			wide[nnz++] = any_value(type);
		}
	}
	val = cast_values(wide, nnz, type);
	CHECK_OK(tulle_matrix_from_coo(NULL, n, n, nnz, TULLE_I32, row, col, type, values ? val : NULL,
	                               &how, &a));
	free(row);
	free(col);
	free(wide);
	free(val);
	return a;
}

static void check_round_trips(void)
{
	static const tulle_kind kinds[] = { TULLE_GENERAL, TULLE_SYMMETRIC, TULLE_SKEW };
	static const char *const names[] = { "out.mtx", "out.mtx.gz" };
	static const int64_t sizes[] = { 0, 1, 2, 50, 4400 };

	for (int n = 0; n < 3 * 5 * 2 * 2 * 2; n++) {
		const tulle_kind kind = kinds[n % 3];
		const tulle_value_type type = n / 15 % 2 ? TULLE_F32 : TULLE_F64;
		const int values = n / 30 % 2;
		const char *const path = file_path(names[n / 60]);
		const tulle_read_options how = { .size = sizeof how, .value_type = type };
		/* The large one has several batches of pieces; packing it takes long. */
		const int64_t size = n / 60 && sizes[n / 3 % 5] > 600 ? 600 : sizes[n / 3 % 5];
		tulle_matrix *a = make(kind, type, values, size, 61), *b = NULL;
		tulle_file_info info = { .size = sizeof info };

		check_about("kind %d, size %d, %s, %s", (int)kind, (int)size, type_name(type), path);
		CHECK_OK(tulle_matrix_write(a, path, NULL));
		CHECK_OK(tulle_file_describe(path, &info));
		CHECK_EQUAL(info.kind, kind);
		CHECK(strcmp(info.packing, n / 60 ? "gzip" : "none") == 0);
		if (CHECK_OK(tulle_matrix_read(NULL, path, &how, &b)))
			check_same(a, b, 1);
		tulle_matrix_destroy(a);
		tulle_matrix_destroy(b);
	}
	check_about(" ");
	check_group("round trips");
}

static void check_text(void)
{
	const tulle_write_options how = { .size = sizeof how, .comment = " one\n\ntwo" };
	const char *const path = file_text("text.mtx", "%%MatrixMarket matrix coordinate real general\n"
	                                               "2 2 3\n1 1 0.10000000000000001\n2 1 -1e300\n"
	                                               "2 2 nan\n");
	tulle_matrix *a = NULL;
	char *text;
	size_t count;

	CHECK_OK(tulle_matrix_read(NULL, path, NULL, &a));
	CHECK(chmod(path, 0640) == 0);
	CHECK_OK(tulle_matrix_write(a, path, &how));
	text = file_get(path, &count);
	CHECK_THAT(strcmp(text, "%%MatrixMarket matrix coordinate real general\n% one\n%\n%two\n2 2 3\n"
	                        "1 1 0.1\n2 1 -1e300\n2 2 nan\n") == 0,
	           "%s", text);
	free(text);
	tulle_matrix_destroy(a);
	check_group("text");
}

/* A failed write leaves the old file and nothing else. */
static void check_failures_of_writing(void)
{
	const char *const old =
	    file_text("old.mtx", "%%MatrixMarket matrix array real general\n1 1\n5\n");
	const char *const link_path = file_path("link.mtx");
	struct stat about;
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_read(NULL, old, NULL, &a));
	CHECK_STATUS(tulle_matrix_write(a, file_path("no/such/folder.mtx"), NULL), TULLE_E_IO);
	CHECK_WORDS(tulle_last_error(), "folder.mtx: No such");
	CHECK_STATUS(tulle_matrix_write(a, "/dev/null", NULL), TULLE_E_IO);
	CHECK_WORDS(tulle_last_error(), "/dev/null: regular");
	CHECK_STATUS(tulle_matrix_write(a, file_path("."), NULL), TULLE_E_IO);
	CHECK_STATUS(tulle_matrix_write(a, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_matrix_write(NULL, old, NULL), TULLE_E_ARGUMENT);
	/* A link is replaced, what it points to is not touched. */
	CHECK(symlink("/dev/null", link_path) == 0);
	CHECK_OK(tulle_matrix_write(a, link_path, NULL));
	CHECK(lstat(link_path, &about) == 0 && S_ISREG(about.st_mode));
	check_entries(link_path, NULL, "1x1 0:0=5");
	check_entries(old, NULL, "1x1 0:0=5");
	tulle_matrix_destroy(a);
	check_group("failures");
}

/* Rows and columns that the matrix in memory leaves out are in the file. */
static void check_lists(void)
{
	static const char *const texts[] = {
		"%%MatrixMarket matrix coordinate real general\n3000000000 500000000000 4\n"
		"1 499999999999 1\n1 7 2\n70000 7 3\n3000000000 500000000000 4\n",
		"%%MatrixMarket matrix coordinate real symmetric\n3000000000 3000000000 3\n"
		"5 5 1\n70000 5 2\n3000000000 70000 3\n",
		"%%MatrixMarket matrix coordinate pattern general\n3 500000000000 2\n2 9\n2 "
		"500000000000\n",
	};
	const tulle_read_options how = { .size = sizeof how, .compact = TULLE_COMPACT_AUTO };

	for (int n = 0; n < 3; n++) {
		tulle_matrix *a = NULL;
		size_t count;
		char *got;

		check_about("text %d with lists", n);
		if (!CHECK_OK(tulle_matrix_read(NULL, file_text("in.mtx", texts[n]), &how, &a)) ||
		    !CHECK_OK(tulle_matrix_write(a, file_path("out.mtx"), NULL)))
			continue;
		got = file_get(file_path("out.mtx"), &count);
		CHECK_THAT(count == strlen(texts[n]) && !memcmp(got, texts[n], count), "written: %.*s",
		           (int)count, got);
		free(got);
		tulle_matrix_destroy(a);
	}
}

int main(void)
{
	check_round_trips();
	check_lists();
	check_text();
	check_failures_of_writing();
	return check_end();
}
