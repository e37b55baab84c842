/* lines.c -- the text of a wisdom file: every bit comes back, and what is damaged or forged does not. */
#include "records.h"

#include "core/hash.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a line ---- */

static void there_and_back(const tulle__wisdom_record *r)
{
	char line[TULLE__WISDOM_LINE_MAX + 1] = "", *text;
	const size_t n = tulle__wisdom_write(r, line);
	tulle__wisdom_record back;

	if (!CHECK(n > TULLE__WISDOM_LINE_MIN && n < TULLE__WISDOM_LINE_MAX && line[n - 1] == '\n'))
		return;
	text = text_with_slack(line, n - 1);
	CHECK_THAT(tulle__wisdom_read(text, text + n - 1, &back), "not read: %s", line);
	CHECK_THAT(record_same(r, &back), "other bits: %s", line);
	free(text);
}

static double any_number(uint64_t h)
{
	double v;

	h &= INT64_MAX;
	memcpy(&v, &h, sizeof v);
	return isfinite(v) ? v : 1 / 3.0;
}

static void all_numbers(void)
{
	static const double special[] = {
		0,      5e-324, DBL_MIN, DBL_MAX, 1,           1 / 3.0,      0.1,
		1e22,   1e23,   1e-5,    12345,   DBL_EPSILON, 2.5e-324 * 3, 9007199254740993.0,
		1e-308, 0.00036
	};
	tulle__wisdom_record r = { .matrix = 1, .machine = UINT64_MAX, .count = 16 };

	snprintf(r.name, sizeof r.name, "a-name_of:23=characters");
	CHECK_EQUAL(strlen(r.name), TULLE__WISDOM_NAME - 1);
	r.version = TULLE__WISDOM_VERSION_MAX;
	memcpy(r.number, special, sizeof special);
	there_and_back(&r);
	for (int k = 0; k < 16; k++)
		r.number[k] = 2.2250738585072014e-308; /* as long as any */
	there_and_back(&r);
	for (int n = 0; n < 500; n++) {
		memset(r.number, 0, sizeof r.number);
		r.count = n % 17;
		for (int k = 0; k < r.count; k++)
			r.number[k] = any_number(tulle__hash((uint64_t)n, &k, sizeof k));
		r.matrix = tulle__hash(1, &n, sizeof n);
		r.version = n;
		there_and_back(&r);
	}
	memset(r.number, 0, sizeof r.number);
	r = (tulle__wisdom_record){ .name = "x" };
	there_and_back(&r);
}

static void everywhere(void)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	static const char *const commas[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };
	const char *locale = NULL;

	for (int m = 0; m < 4; m++) {
		fesetround(modes[m]);
		all_numbers();
	}
	fesetround(FE_TONEAREST);
	for (int n = 0; n < 4 && !locale; n++)
		locale = setlocale(LC_ALL, commas[n]);
	if (locale)
		all_numbers();
	check_group("there and back, in all rounding modes%s%s", locale ? ", in " : "",
	            locale ? locale : "");
	setlocale(LC_ALL, "C");
}

/* Files outlive releases: this line, of docs/wisdom.md, may never be written otherwise. */
static void looks_like_this(void)
{
	const tulle__wisdom_record r = { .matrix = 0xc0ffee00c0ffee,
		                             .machine = 0x5be0cd19137e2179,
		                             .name = "sell",
		                             .version = 1,
		                             .count = 2,
		                             .number = { 0.0213, 0.00036 } };
	char line[TULLE__WISDOM_LINE_MAX + 1] = "";

	line[tulle__wisdom_write(&r, line)] = '\0';
	CHECK_THAT(strcmp(line, "00c0ffee00c0ffee 5be0cd19137e2179 sell 1 0.0213 0.00036 "
	                        "a19a1b4cd8b30f63\n") == 0,
	           "%s", line);
}

/* ---- what may not be written, and is not believed ---- */

#define REFUSED(change)                                                      \
	do {                                                                     \
		tulle__wisdom_record r = record_make(1, 2, "sell", 3, 4);            \
		char line[TULLE__WISDOM_LINE_MAX];                                   \
		change;                                                              \
		CHECK_THAT(tulle__wisdom_write(&r, line) == 0, "written: " #change); \
	} while (0)

static void out_of_range(void)
{
	REFUSED(r.name[0] = '\0');
	REFUSED(r.name[1] = ' ');
	REFUSED(r.name[1] = '\n');
	REFUSED(r.name[1] = '\033');
	REFUSED(r.name[1] = 0x7f);
	REFUSED(r.name[1] = (char)0xe4);
	REFUSED(memset(r.name, 'x', sizeof r.name));
	REFUSED(r.version = -1);
	REFUSED(r.version = TULLE__WISDOM_VERSION_MAX + 1);
	REFUSED(r.count = -1);
	REFUSED(r.count = TULLE__WISDOM_NUMBERS + 1);
	REFUSED(r.number[0] = (double)INFINITY);
	REFUSED(r.number[0] = (double)NAN);
	REFUSED(r.number[0] = -1);
	REFUSED(r.number[0] = -0.0);
	check_group("records out of range");
}

/* The line of these words with a check sum that is right. */
static int believed(const char *words)
{
	const uint64_t sum = tulle__hash(0, words, strlen(words));
	tulle__wisdom_record r;
	bytes line = { 0 };
	char *text;
	int good;

	bytes_print(&line, "%s%016" PRIx64, words, sum);
	text = text_with_slack(line.at, line.count);
	good = tulle__wisdom_read(text, text + line.count, &r);
	free(text);
	free(line.at);
	return good;
}

static void forged(void)
{
	static const char key[] = "00000000000000aa 00000000000000bb ";
	static const char *const bad[] = { "",
		                               " ",
		                               "sell",
		                               "sell ",
		                               "sell 1",
		                               "sell  1 2 ",
		                               " sell 1 2 ",
		                               "sell 1 2  ",
		                               "sell 1 2 3",
		                               "sell -1 2 ",
		                               "sell +1 2 ",
		                               "sell 1000000 2 ",
		                               "sell 99999999999999999999 2 ",
		                               "sell x 2 ",
		                               "sell 1 -2 ",
		                               "sell 1 +2 ",
		                               "sell 1 -0 ",
		                               "sell 1 inf ",
		                               "sell 1 nan ",
		                               "sell 1 1e999 ",
		                               "sell 1 0x10 ",
		                               "sell 1 1,5 ",
		                               "sell 1 2e ",
		                               "sell 1 2\t",
		                               "sell 1 .5 ",
		                               "sell 1 2\r ",
		                               "se\033ll 1 2 ",
		                               "se\xc3\xa4 1 2 ",
		                               "se\nll 1 2 ",
		                               "a-name-of-24-characters- 1 2 ",
		                               "sell 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 " };
	static const char *const good[] = { "sell 1 ", "sell 1 2 ", "sell 0 0 1e-5 ", "x 007 5. ",
		                                "sell 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 " };
	char words[1000];

	for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
		snprintf(words, sizeof words, "%s%s", key, bad[n]);
		CHECK_THAT(!believed(words), "believed: %s", words);
	}
	for (size_t n = 0; n < sizeof good / sizeof *good; n++) {
		snprintf(words, sizeof words, "%s%s", key, good[n]);
		CHECK_THAT(believed(words), "not believed: %s", words);
	}
	CHECK(!believed("00000000000000AA 00000000000000bb sell 1 2 "));
	CHECK(!believed("0000000000000aa 00000000000000bb sell 1 2 3 "));
	CHECK(!believed("00000000000000aa-00000000000000bb sell 1 2 "));
	CHECK(!believed("0x000000000000aa 00000000000000bb sell 1 2 "));
	/* Longer than any line of ours: not even hashed. */
	snprintf(words, sizeof words, "%ssell 1 0.%0700d ", key, 1);
	CHECK(!believed(words));
	check_group("forged lines");
}

/* ---- which records are found ---- */

static void newest_wins(void)
{
	const tulle__wisdom_record all[] = {
		record_make(1, 1, "sell", 1, 0),   record_make(1, 1, "csr", 1, 0),
		record_make(1, 1, "sell", 1, 1),   record_make(1, 1, "sell", 2, 0),
		record_make(2, 1, "sell", 1, 2),   record_make(1, 2, "sell", 1, 3),
		record_make(1, 1, "sel", 1, 4),    record_make(1, 1, "csr", 1, 5),
		record_make(0, 1, "machine", 1, 0)
	};
	static const int want[] = { 2, 3, 6, 7 }; /* of matrix 1 on machine 1 */
	tulle__wisdom_record out[6];
	bytes b = { 0 };
	char *text;
	int count;

	for (size_t n = 0; n < sizeof all / sizeof *all; n++)
		record_print(&b, &all[n]);
	text = text_with_slack(b.at, b.count);
	count = tulle__wisdom_pick(text, b.count, 1, 1, out, 6);
	CHECK_EQUAL(count, 4);
	for (int n = 0; n < count && n < 4; n++)
		CHECK_THAT(record_same(&out[n], &all[want[n]]), "record %d is another", n);
	/* Room for fewer: the newest of them, and not one byte after. */
	for (int most = 0; most <= 4; most++) {
		memset(out, 0x55, sizeof out);
		CHECK_EQUAL(tulle__wisdom_pick(text, b.count, 1, 1, out, most), most);
		for (int n = 0; n < most; n++)
			CHECK_THAT(record_same(&out[n], &all[want[4 - most + n]]), "%d of %d is another", n,
			           most);
		CHECK_EQUAL(((const unsigned char *)(out + most))[0], 0x55);
	}
	CHECK_EQUAL(tulle__wisdom_pick(text, b.count, 2, 1, out, 6), 1);
	CHECK_THAT(record_same(&out[0], &all[4]), "another matrix's");
	CHECK_EQUAL(tulle__wisdom_pick(text, b.count, 1, 2, out, 6), 1);
	CHECK_THAT(record_same(&out[0], &all[5]), "another machine's");
	CHECK_EQUAL(tulle__wisdom_pick(text, b.count, 0, 1, out, 6), 1);
	CHECK_EQUAL(tulle__wisdom_pick(text, b.count, 3, 1, out, 6), 0);
	free(text);
	free(b.at);
	check_group("the newest of each name and version, each matrix and machine apart");
}

/* ---- damage ---- */

enum { LINES = 6 };

static const char *const names[LINES] = { "csr", "sell", "hot", "sym", "csr5", "ell" };

/* What is found in the text: each record is one of those written, and those of `whole` are there. */
static void check_found(const char *text, size_t count, const tulle__wisdom_record *written,
                        const int *whole, const char *about)
{
	tulle__wisdom_record out[2 * LINES];
	char *copy = text_with_slack(text, count);
	const int found = tulle__wisdom_pick(copy, count, 1, 1, out, 2 * LINES);
	int seen[LINES] = { 0 };

	for (int n = 0; n < found; n++) {
		int k = 0;

		while (k < LINES && !record_same(&out[n], &written[k]))
			k++;
		if (CHECK_THAT(k < LINES, "%s: a record that was not written", about))
			seen[k] = 1;
	}
	for (int k = 0; k < LINES; k++)
		CHECK_THAT(seen[k] == whole[k], "%s: line %d is %s", about, k,
		           whole[k] ? "lost" : "believed");
	free(copy);
}

static void damage(void)
{
	tulle__wisdom_record written[LINES];
	size_t ends[LINES]; /* of each line: its newline */
	bytes b = { 0 };
	char about[80];

	for (int k = 0; k < LINES; k++) {
		written[k] = record_make(1, 1, names[k], 1, k);
		record_print(&b, &written[k]);
		ends[k] = b.count - 1;
	}
	for (size_t at = 0; at < b.count; at++) {
		const char was = b.at[at];
		int whole[LINES];

		for (int k = 0; k < LINES; k++) /* its newline, and that before it, are of a line too */
			whole[k] = at > ends[k] || (k > 0 && at < ends[k - 1]);
		for (int v = 1; v < 256; v++) {
			b.at[at] = (char)(was ^ v);
			snprintf(about, sizeof about, "byte %zu, '%c' is %02x", at, was >= ' ' ? was : '.',
			         (unsigned char)b.at[at]);
			check_found(b.at, b.count, written, whole, about);
		}
		b.at[at] = was;
	}
	check_group("every byte of %zu made every other", b.count);
	for (size_t n = 0; n <= b.count; n++) {
		int whole[LINES];

		for (int k = 0; k < LINES; k++)
			whole[k] = ends[k] <= n; /* the newline may be missing */
		snprintf(about, sizeof about, "%zu bytes of %zu", n, b.count);
		check_found(b.at, n, written, whole, about);
	}
	check_group("cut anywhere");
	free(b.at);
}

int main(void)
{
	looks_like_this();
	everywhere();
	out_of_range();
	forged();
	newest_wins();
	damage();
	return check_end();
}
