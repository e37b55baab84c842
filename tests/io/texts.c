/* texts.c -- small files of every kind: what they mean, and why they are refused. */
#include "files.h"

#include "core/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MM "%%MatrixMarket matrix "

static const struct {
	const char *text, *entries;
} good[] = {
	{ MM "coordinate real general\n2 3 3\n2 3 -4\n1 1 1.5\n1 2 1e-3\n",
	  "2x3 0:0=1.5 0:1=0.001 1:2=-4" },
	{ "%%matrixmarket MATRIX Coordinate REAL General\r\n% c\r\n1 1 1\r\n1 1 7\r\n", "1x1 0:0=7" },
	{ MM "coordinate real general\n%c\n\n% d\n  2\t2  1 \n\n \t \n\t1  2\t .5  \n\n",
	  "2x2 0:1=0.5" },
	{ MM "coordinate real general\n1 1 1\n1 1 +2.", "1x1 0:0=2" },
	{ MM "coordinate real general\n2 2 2\n1 1 Infinity\n0002 00000000000000000000002 -inf\n",
	  "2x2 0:0=inf 1:1=-inf" },
	{ MM "coordinate integer general\n2 2 2\n1 1 -3\n2 2 123456789012345678901234567890\n",
	  "2x2 0:0=-3 1:1=1.2345678901234568e+29" },
	{ MM "coordinate pattern general\n2 2 2\n2 1\n1 2 \n", "2x2 0:1 1:0" },
	{ MM "coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n", "2x2 0:1 1:0 1:1" },
	{ MM "coordinate real symmetric\n3 3 2\n3 1 5\n2 2 6\n", "3x3 0:2=5 1:1=6 2:0=5" },
	{ MM "coordinate real skew-symmetric\n3 3 1\n3 1 5\n", "3x3 0:2=-5 2:0=5" },
	{ MM "array real general\n2 3\n1\n2\n\n0\n4\n5\n6\n",
	  "2x3 0:0=1 0:1=0 0:2=5 1:0=2 1:1=4 1:2=6" },
	{ MM "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
	  "3x3 0:0=1 0:1=2 0:2=3 1:0=2 1:1=4 1:2=5 2:0=3 2:1=5 2:2=6" },
	{ MM "array real skew-symmetric\n3 3\n1\n2\n3\n",
	  "3x3 0:1=-1 0:2=-2 1:0=1 1:2=-3 2:0=2 2:1=3" },
	{ MM "array real general\n0 5\n", "0x5" },
	{ MM "array real skew-symmetric\n1 1\n", "1x1" },
	{ MM "coordinate double general\n0 0 0", "0x0" },
	{ MM "coordinate real general\n3 3 3\n1 1 1\n1 1 2\n1 1 3\n", "3x3 0:0=1 0:0=2 0:0=3" },
};

/* Read with real_part. */
static const struct {
	const char *text, *entries;
} complex_good[] = {
	{ MM "coordinate complex general\n1 2 2\n1 1 1 2\n1 2 -3.5 1e999\n", "1x2 0:0=1 0:1=-3.5" },
	{ MM "coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n", "2x2 0:0=1 0:1=3 1:0=3" },
	{ MM "coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n", "2x2 0:1=-3 1:0=3" },
	{ MM "array complex general\n1 2\n1 2\n3 4\n", "1x2 0:0=1 0:1=3" },
};

static const struct {
	const char *text, *words;
} bad[] = {
	{ "", ":1: empty" },
	{ "\n", ":1: %%MatrixMarket" },
	{ "%MatrixMarket matrix coordinate real general\n1 1 0\n", ":1: %%MatrixMarket" },
	{ "%%MatrixMarket vector coordinate real general\n1 1 0\n", ":1: matrix vector" },
	{ MM "elemental real general\n1 1 0\n", ":1: layout elemental" },
	{ MM "coordinate quaternion general\n1 1 0\n", ":1: field quaternion" },
	{ MM "coordinate real\n1 1 0\n", ":1: symmetry" },
	{ MM "coordinate real general more\n1 1 0\n", ":1: more" },
	{ MM "array pattern general\n1 1\n", ":1: array pattern" },
	{ MM "coordinate pattern skew-symmetric\n1 1 0\n", ":1: pattern skew" },
	{ MM "coordinate real hermitian\n1 1 0\n", ":1: hermitian complex" },
	{ MM "coordinate real general\n", ":2: ends size" },
	{ MM "coordinate real general\n% only\n% comments", ":4: ends size" },
	{ MM "coordinate real general\n1 1\n", ":2: entries" },
	{ MM "coordinate real general\n1 1 1 1\n1 1 1\n", ":2: end" },
	{ MM "coordinate real general\n+1 1 1\n1 1 1\n", ":2: rows +1" },
	{ MM "coordinate real general\n1 1e0 1\n1 1 1\n", ":2: columns 1e0" },
	{ MM "array real general\n1 1 1\n1\n", ":2: end" },
	{ MM "array real general\n2 2\n10\n20\n30\n", ":6: 3 of 4" },
	{ MM "array real general\n1 1\n1\n2\n", ":4: more" },
	{ MM "array real general\n1 2\n1 2\n", ":3: end 2" },
	{ MM "coordinate real general\n1 1 1\n\n\n1 1\n", ":5: column" },
	{ MM "coordinate real general\n1 1 1\n1\n    \n", ":3: row" },
	{ MM "coordinate real general\n1 1 1\n1 1 \n\n", ":3: value" },
	{ MM "coordinate real general\n1 1 1\n1 1 1 1\n", ":3: 3 numbers" },
	{ MM "coordinate real general\n1 1 1\n1 1 1x\n", ":3: value 1x" },
	{ MM "coordinate real general\n1 1 1\n1 1 1e\n", ":3: value 1e" },
	{ MM "coordinate real general\n1 1 1\n1 1 -1.5d3\n", ":3: value d3" },
	{ MM "coordinate real general\n1 1 1\n1x 1 1\n", ":3: row 1x" },
	{ MM "coordinate real general\n1 1 1\n1 1x 1\n", ":3: column 1x" },
	{ MM "coordinate real general\n1 1 1\n1.0 1 1\n", ":3: row 1.0" },
	{ MM "coordinate real general\n1 1 1\n18446744073709551617 1 1\n", ":3: row" },
	{ MM "coordinate real general\n1 1 1\n1 10000000000000000000001 1\n", ":3: column" },
	{ MM "coordinate real general\n1 1 1\n% late comment\n1 1 1\n", ":3: row %" },
	{ MM "coordinate real general\n1 1 1\n1 1 -1e309\n", ":3: large double" },
	{ MM "coordinate real general\n1 1 1\n1 1 nan(5)\n", ":3: value nan(5)" },
	{ MM "coordinate integer general\n1 1 1\n1 1 1.5\n", ":3: integer 1.5" },
	{ MM "coordinate integer general\n1 1 1\n1 1 1e3\n", ":3: integer 1e3" },
	{ MM "coordinate integer general\n1 1 1\n1 1 nan\n", ":3: integer nan" },
	{ MM "coordinate pattern general\n1 1 1\n1 1 1\n", ":3: 2 numbers" },
	{ MM "coordinate pattern general\n1 1 1\n1 1x\n", ":3: column 1x" },
	{ MM "coordinate real skew-symmetric\n2 2 1\n1 1 1\n", ":3: on diagonal" },
	{ MM "coordinate real skew-symmetric\n2 2 1\n1 2 1\n", ":3: above diagonal" },
	{ MM "coordinate real general\n1 1 1\n1 1 \x1b[31m\n", ":3: value \\x1b[31m" },
	{ MM "coordinate real general\n1 1 1\n1 1 \xc2\x9b"
	     "31m\n",
	  ":3: value \\xc2\\x9b31m" },
};

static void check_complex(void)
{
	const tulle_read_options both = { .size = sizeof both, .value_type = TULLE_C128 };

	check_refused(file_text("bad.mtx", MM "coordinate complex general\n1 1 1\n1 1 5x 3\n"), &both,
	              TULLE_E_MATRIX, ":3: value 5x");
	check_refused(file_text("bad.mtx", MM "coordinate complex general\n1 1 1\n1 1 2 1e999\n"),
	              &both, TULLE_E_MATRIX, ":3: 2 1e999 large double");
	check_group("complex values");
}

static void check_tables(void)
{
	const tulle_read_options real_part = { .size = sizeof real_part, .real_part = 1 };

	for (size_t n = 0; n < sizeof good / sizeof *good; n++)
		check_entries(file_text("good.mtx", good[n].text), NULL, good[n].entries);
	for (size_t n = 0; n < sizeof complex_good / sizeof *complex_good; n++) {
		const char *const path = file_text("complex.mtx", complex_good[n].text);

		check_entries(path, &real_part, complex_good[n].entries);
		check_refused(path, NULL, TULLE_E_UNSUPPORTED, ":1: complex real");
	}
	for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
		check_refused(file_text("bad.mtx", bad[n].text), NULL, TULLE_E_MATRIX, bad[n].words);
	check_refused(file_text("bad.mtx", MM "coordinate complex general\n1 1 1\n1 1 5\n"), &real_part,
	              TULLE_E_MATRIX, ":3: value 5");
	check_group("%zu refused texts", sizeof bad / sizeof *bad);
}

/* 1 + 2^-24 + 2^-60 is just above the middle of two floats, but rounds to the middle as a double. */
static void check_single(void)
{
	const tulle_read_options single = { .size = sizeof single, .value_type = TULLE_F32 };

	check_entries(file_text("f32.mtx", MM "coordinate real general\n1 1 1\n"
	                                      "1 1 1.0000000596046447762\n"),
	              &single, "1x1 0:0=1.0000001192092896");
	check_refused(file_text("f32.mtx", MM "coordinate real general\n1 1 1\n1 1 1e39\n"), &single,
	              TULLE_E_MATRIX, ":3: large single");
	check_group("single precision");
}

/* What is not a file to read, and names that must not reach a terminal as they are. */
static void check_names(void)
{
	const tulle_read_options wrong = { .size = sizeof wrong, .value_type = (tulle_value_type)9 };
	char huge[3000];

	check_refused(file_path("missing.mtx"), NULL, TULLE_E_IO, "missing.mtx No such file");
	CHECK(mkdir(file_path("folder"), 0700) == 0);
	check_refused(file_path("folder"), NULL, TULLE_E_IO, "folder directory");
	CHECK(mkfifo(file_path("fifo"), 0600) == 0);
	check_refused(file_path("fifo"), NULL, TULLE_E_IO, "fifo regular");
	check_refused("/dev/zero", NULL, TULLE_E_IO, "/dev/zero regular");
	check_refused(file_path("a\nb\x1b[2J\x7f.mtx"), NULL, TULLE_E_IO, "a\\x0ab\\x1b[2J\\x7f.mtx");
	check_refused(file_path("gr\xc3\xbc\xc3\x9f.mtx"), NULL, TULLE_E_IO, "gr\xc3\xbc\xc3\x9f.mtx");
	memset(huge, 'h', sizeof huge);
	huge[sizeof huge - 1] = '\0';
	check_refused(huge, NULL, TULLE_E_IO, "hhh...: name");
	check_refused(NULL, NULL, TULLE_E_ARGUMENT, "path NULL");
	check_refused("", NULL, TULLE_E_ARGUMENT, "path empty");
	check_refused("x", &wrong, TULLE_E_ARGUMENT, "value_type 9");
	CHECK_STATUS(tulle_matrix_read(NULL, "x", NULL, NULL), TULLE_E_ARGUMENT);
	if (getuid() != 0) {
		CHECK(chmod(file_text("secret.mtx", ""), 0) == 0);
		check_refused(file_path("secret.mtx"), NULL, TULLE_E_IO, "denied");
	}
	check_group("names");
}

static void check_describe(void)
{
	const char *const path =
	    file_text("about.mtx", MM "coordinate complex hermitian\n%  one\n%%two\x1b[1m\n5 5 0\n");
	tulle_file_info info = { .size = sizeof info };
	struct {
		size_t size;
		const char *packing;
	} old = { .size = sizeof old };

	CHECK_OK(tulle_file_describe(path, &info));
	CHECK(strcmp(info.packing, "none") == 0 && strcmp(info.layout, "coordinate") == 0);
	CHECK(strcmp(info.field, "complex") == 0 && strcmp(info.symmetry, "hermitian") == 0);
	CHECK(info.kind == TULLE_HERMITIAN && info.rows == 5 && info.cols == 5 && info.entries == 0);
	CHECK_THAT(strcmp(info.comment, "  one\ntwo\\x1b[1m") == 0, "%s", info.comment);
	CHECK_OK(tulle_file_describe(path, (tulle_file_info *)&old));
	CHECK(strcmp(old.packing, "none") == 0);
	CHECK_STATUS(tulle_file_describe(path, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_file_describe(NULL, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_file_describe(file_path("missing.mtx"), &info), TULLE_E_IO);
	check_group("describe");
}

int main(void)
{
	check_tables();
	if (tulle__type_of(TULLE_C128)->built)
		check_complex();
	check_single();
	check_names();
	check_describe();
	return check_end();
}
