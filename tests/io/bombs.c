/* bombs.c -- small files that would cost much: packed ones that unpack to blank lines and comments, and
 * headers that claim what no such file can hold. Refused soon, and without memory for what they claim. */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MM "%%MatrixMarket matrix coordinate real general\n"

enum { BOMB = 20 << 20, HARMLESS = 1 << 20 };

/* A text with `unit` again and again between two parts. */
typedef struct {
	const char *name, *before, *unit, *after;
} kind;

static const kind kinds[] = {
	{ "blank lines before the size", MM, "\n", "1 1 1\n1 1 5\n" },
	{ "blanks before the size", MM, " \t\n", "1 1 1\n1 1 5\n" },
	{ "comments", MM, "%\n", "1 1 1\n1 1 5\n" },
	{ "long comments", MM, "% there is nothing to be said about this matrix\n", "1 1 1\n1 1 5\n" },
	{ "a comment without end", MM "%", "c", "\n1 1 1\n1 1 5\n" },
	{ "blank lines before the entry", MM "1 1 1\n", "\n", "1 1 5\n" },
	{ "blanks before the entry", MM "1 1 1\n", " \t \n", "1 1 5\n" },
	{ "returns before the entry", MM "1 1 1\n", "\r\n", "1 1 5\n" },
	{ "blank lines after the entry", MM "1 1 1\n1 1 5\n", "\n", "" },
	{ "blanks after the entry", MM "1 1 1\n1 1 5\n", "                \n", "" },
};

static bytes text_of(const kind *k, size_t size)
{
	bytes b = { 0 }, some = { 0 };

	while (some.count < 4096)
		bytes_add(&some, k->unit, strlen(k->unit));
	bytes_add(&b, k->before, strlen(k->before));
	while (b.count < size)
		bytes_add(&b, some.at, some.count);
	bytes_add(&b, k->after, strlen(k->after));
	free(some.at);
	return b;
}

static const char *packed(const bytes *text)
{
	const char *path;
	bytes z = { 0 };

	bytes_add_gzip(&z, text->at, text->count);
	path = file_put("bomb.mtx.gz", z.at, z.count);
	free(z.at);
	return path;
}

static const char *archived(const bytes *text)
{
	const char *path;
	bytes tar = { 0 }, z = { 0 };

	bytes_add_tar(&tar, "bomb.mtx", text->at);
	bytes_add_tar(&tar, NULL, NULL);
	bytes_add_gzip(&z, tar.at, tar.count);
	path = file_put("bomb.tar.gz", z.at, z.count);
	free(tar.at);
	free(z.at);
	return path;
}

/* Seconds of this process. */
static double spent(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Little memory and time. It takes some 0.2 s, with sanitizers ten times that. */
static void check_bomb(const char *path, const char *words)
{
	const tulle_context_options how = { .size = sizeof how, .memory_limit = (size_t)16 << 20 };
	tulle_context *context = NULL;
	tulle_matrix *a = NULL;
	const double begin = spent();

	CHECK_OK(tulle_context_create(&how, &context));
	CHECK_STATUS(tulle_matrix_read(context, path, NULL, &a), TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK_THAT(spent() - begin < 5, "%.2f s", spent() - begin);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
}

static void check_padding(void)
{
	for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
		bytes large = text_of(&kinds[n], BOMB), small = text_of(&kinds[n], HARMLESS);

		check_about("%s", kinds[n].name);
		check_bomb(packed(&large), "bomb.mtx.gz: unpacked entries; unpack");
		check_bomb(archived(&large), "bomb.tar.gz: unpacked entries; unpack");
		/* Of a file that holds its text itself any amount is read; so is a little of any. */
		check_entries(file_put("plain.mtx", large.at, large.count), NULL, "1x1 0:0=5");
		check_entries(packed(&small), NULL, "1x1 0:0=5");
		free(large.at);
		free(small.at);
	}
	check_about(" ");
	check_group("padding");
}

/* The same line again and again packs as well as blanks do, and is a matrix. */
static void check_repetitive(void)
{
	enum { ENTRIES = 60000 };
	tulle_matrix_info info = { .size = sizeof info };
	tulle_matrix *a = NULL;
	bytes b = { 0 };

	bytes_add(&b, MM, strlen(MM));
	bytes_print(&b, "1 1 %d\n", ENTRIES);
	for (int n = 0; n < ENTRIES; n++)
		bytes_print(&b, "1 1 %600d\n", 1);
	if (CHECK_OK(tulle_matrix_read(NULL, packed(&b), NULL, &a)))
		CHECK_OK(tulle_matrix_describe(a, &info));
	CHECK_EQUAL(info.nnz, ENTRIES);
	tulle_matrix_destroy(a);
	free(b.at);
	check_group("repetitive entries");
}

static void check_claims(void)
{
	const bytes text = { .at = (char[]){ MM "9 9 100000000\n" }, .count = sizeof MM + 13 };

	check_bomb(packed(&text), ":2: 100000000 entries most");
	check_group("claims");
}

int main(void)
{
	check_padding();
	check_repetitive();
	check_claims();
	return check_end();
}
