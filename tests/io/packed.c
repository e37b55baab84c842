/* packed.c -- gzip and tar: whole, in pieces, and damaged at every byte. */
#include "files.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MM "%%MatrixMarket matrix "
#define REAL "coordinate real general\n"
#define TEXT MM REAL "2 3 3\n2 3 -4\n1 1 1.5\n1 2 1e-3\n"
#define ENTRIES "2x3 0:0=1.5 0:1=0.001 1:2=-4"
#define OTHER "%%MatrixMarket matrix array real general\n2 1\n1\n2\n"

static const char *put(const char *name, bytes *b)
{
	const char *const path = file_put(name, b->at, b->count);

	free(b->at);
	*b = (bytes){ 0 };
	return path;
}

static void check_packing(const char *path, const char *packing)
{
	tulle_file_info info = { .size = sizeof info };

	if (CHECK_OK(tulle_file_describe(path, &info)))
		CHECK_THAT(strcmp(info.packing, packing) == 0, "%s", info.packing);
}

static void check_gzip(void)
{
	const char zeros[600] = "";
	bytes b = { 0 };
	const char *path;

	bytes_add_gzip(&b, TEXT, strlen(TEXT));
	path = put("whole.mtx.gz", &b);
	check_packing(path, "gzip");
	check_entries(path, NULL, ENTRIES);
	bytes_add_gzip(&b, TEXT, strlen(TEXT));
	check_entries(put("misnamed.mtx", &b), NULL, ENTRIES);
	for (size_t n = 0; n < strlen(TEXT); n++)
		bytes_add_gzip(&b, &TEXT[n], 1);
	bytes_add(&b, zeros, sizeof zeros);
	check_entries(put("members.mtx.gz", &b), NULL, ENTRIES);
	bytes_add_gzip(&b, TEXT, strlen(TEXT));
	bytes_add(&b, "garbage", 7);
	check_refused(put("tail.mtx.gz", &b), NULL, TULLE_E_MATRIX, "tail.mtx.gz: follows compressed");
	bytes_add_gzip(&b, "", 0);
	check_refused(put("empty.mtx.gz", &b), NULL, TULLE_E_MATRIX, ":1: empty");
	check_refused(file_put("magic.gz", "\x1f\x8b", 2), NULL, TULLE_E_MATRIX, "compressed early");
	check_group("gzip");
}

/* Cut short anywhere, a gzip file is refused; a changed byte is refused or changes nothing. */
static void check_damage(void)
{
	bytes b = { 0 };

	bytes_add_gzip(&b, TEXT, strlen(TEXT));
	for (size_t n = 1; n < b.count; n++)
		check_refused(file_put("short.gz", b.at, n), NULL, TULLE_E_MATRIX, "short.gz:");
	for (size_t n = 0; n < b.count; n++) {
		for (int bit = 0; bit < 8; bit++) {
			tulle_matrix *a = NULL;
			tulle_matrix_info info = { .size = sizeof info };

			b.at[n] = (char)(b.at[n] ^ 1 << bit);
			if (tulle_matrix_read(NULL, file_put("bit.gz", b.at, b.count), NULL, &a) == TULLE_OK) {
				tulle_matrix_describe(a, &info);
				CHECK_THAT(info.nnz == 3 && info.rows == 2 && info.cols == 3, "bit %d of byte %zu",
				           bit, n);
			} else {
				CHECK(a == NULL);
			}
			tulle_matrix_destroy(a);
			b.at[n] = (char)(b.at[n] ^ 1 << bit);
		}
	}
	free(b.at);
	check_group("damaged gzip");
}

/* `count` bytes that do not compress, a newline after each 60 unless they are one line. */
static void add_noise(bytes *b, const char *before, int count, int lines)
{
	uint64_t seed = 1;

	for (int n = 0; n < count; n++) {
		const char letter = (char)('a' + random_below(&seed, 26));

		if (n % 60 == 0 && (lines || n == 0))
			bytes_add(b, before, strlen(before));
		bytes_add(b, &letter, 1);
		if (n % 60 == 59 && lines)
			bytes_add(b, "\n", 1);
	}
}

static void check_cut(bytes *text, const char *begin)
{
	bytes b = { 0 };

	bytes_add_gzip(&b, text->at, text->count);
	for (size_t n = b.count / 2; n < b.count; n += b.count / 50)
		check_refused(file_put("late.gz", b.at, n), NULL, TULLE_E_MATRIX,
		              "late.gz: compressed early");
	check_group("cut short: %s", begin);
	free(text->at);
	free(b.at);
	*text = (bytes){ 0 };
}

/* The same after more than what is unpacked when a file is opened: while the first line is read, comments, entries. */
static void check_late_damage(void)
{
	bytes text = { 0 };
	uint64_t seed = 2;
	char line[40];

	add_noise(&text, "%%MatrixMarket ", 200000, 0);
	check_cut(&text, "the first line");
	bytes_add(&text, MM REAL, strlen(MM REAL));
	add_noise(&text, "%", 20000, 1);
	check_cut(&text, "comments");
	bytes_add(&text, MM REAL "1000 1 1000\n", strlen(MM REAL "1000 1 1000\n"));
	for (int n = 1; n <= 1000; n++) {
		snprintf(line, sizeof line, "%d 1 %.17g\n", n, random_unit(&seed));
		bytes_add(&text, line, strlen(line));
	}
	check_cut(&text, "entries");
}

static void check_tar(void)
{
	bytes b = { 0 }, z = { 0 };
	char *damaged;
	size_t count;

	bytes_add_tar(&b, "small/small_b.mtx", OTHER);
	bytes_add_tar(&b, "small/small.mtx", TEXT);
	bytes_add_tar(&b, NULL, NULL);
	bytes_add_gzip(&z, b.at, b.count);
	check_packing(file_put("x.tar", b.at, b.count), "tar");
	check_entries(file_path("x.tar"), NULL, ENTRIES);
	damaged = file_get(file_path("x.tar"), &count);
	damaged[3] ^= 1;
	check_refused(file_put("y.tar", damaged, count), NULL, TULLE_E_MATRIX, "y.tar: damaged header");
	free(damaged);
	check_refused(file_put("cut.tar", b.at, 512 + 512 + 512 + 20), NULL, TULLE_E_MATRIX,
	              "cut.tar: ends inside");
	free(b.at);
	b = (bytes){ 0 };
	check_packing(put("x.tar.gz", &z), "tar.gz");
	check_entries(file_path("x.tar.gz"), NULL, ENTRIES);
	/* By the name of the archive, and as the only one (found in a second pass). */
	bytes_add_tar(&b, "a/other.mtx", OTHER);
	bytes_add_tar(&b, "a/mine.mtx", TEXT);
	bytes_add_tar(&b, NULL, NULL);
	check_entries(file_put("mine.tar", b.at, b.count), NULL, ENTRIES);
	check_refused(put("any.tar", &b), NULL, TULLE_E_MATRIX, "several folder");
	bytes_add_tar(&b, "readme", "see the matrix");
	bytes_add_tar(&b, "b/only.mtx", TEXT);
	bytes_add_tar(&b, "notes", "none");
	bytes_add_tar(&b, NULL, NULL);
	bytes_add_gzip(&z, b.at, b.count);
	check_entries(put("one.tar", &b), NULL, ENTRIES);
	check_entries(put("one.tar.gz", &z), NULL, ENTRIES);
	bytes_add_tar(&b, "readme", "nothing");
	bytes_add_tar(&b, NULL, NULL);
	check_refused(put("none.tar", &b), NULL, TULLE_E_MATRIX, "no .mtx");
	check_group("tar");
}

/* A header of 512 bytes gets this field for the size of its member, and a sum that fits. */
static void set_size(char *block, const char *field)
{
	unsigned sum = 0;

	memcpy(block + 124, field, 12);
	memset(block + 148, ' ', 8);
	for (int n = 0; n < 512; n++)
		sum += (unsigned char)block[n];
	snprintf(block + 148, 8, "%06o", sum);
}

/* Octal digits after blanks, or, after a byte 0x80, a binary number. */
static void check_tar_sizes(void)
{
	const size_t length = strlen(TEXT);
	char field[13] = "";
	bytes b = { 0 };

	bytes_add_tar(&b, "size/size.mtx", TEXT);
	bytes_add_tar(&b, NULL, NULL);
	snprintf(field, sizeof field, "%11o ", (unsigned)length);
	set_size(b.at, field);
	check_entries(file_put("blanks.tar", b.at, b.count), NULL, ENTRIES);
	memset(field, 0, sizeof field);
	field[0] = (char)0x80;
	field[11] = (char)length;
	set_size(b.at, field);
	check_entries(file_put("binary.tar", b.at, b.count), NULL, ENTRIES);
	memset(field + 1, 0x7f, 11);
	set_size(b.at, field);
	check_refused(file_put("large.tar", b.at, b.count), NULL, TULLE_E_MATRIX, "damaged header");
	set_size(b.at, "0000000012x");
	check_refused(file_put("digits.tar", b.at, b.count), NULL, TULLE_E_MATRIX, "damaged header");
	free(b.at);
	b = (bytes){ 0 };
	bytes_add_tar(&b, "readme", "longer than the archive");
	set_size(b.at, "00000100000");
	check_refused(put("early.tar", &b), NULL, TULLE_E_MATRIX, "no .mtx");
	check_group("sizes in tar");
}

int main(void)
{
	check_gzip();
	check_damage();
	check_late_damage();
	check_tar();
	check_tar_sizes();
	return check_end();
}
