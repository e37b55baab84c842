/* files.c -- whatever is at the path of a wisdom file, a solve goes on at once, and what is not ours is
 * left as it is. */
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Neither call finds, waits for or writes anything; both say these words. A machine may be busy: only
 * if it takes long every time, somebody waited. */
static void check_ignored(const char *path, const char *words)
{
	double took = 1;

	check_about("%s", path);
	for (int n = 0; n < 3 && took > 0.4; n++) {
		const double began = seconds();
		caller c;

		caller_begin(&c);
		CHECK_EQUAL(find_some(&c, path), 0);
		CHECK_WORDS(c.last, words);
		c.last[0] = '\0';
		add_some(&c, path, 0);
		CHECK_WORDS(c.last, words);
		CHECK_EQUAL(c.warnings, 2);
		caller_end(&c);
		took = seconds() - began;
	}
	CHECK_THAT(took < 0.4, "it took %.3f s", took);
	check_about(" ");
}

/* ---- files of others ---- */

static void check_foreign(const char *text, size_t size)
{
	char path[500], *now;
	struct stat before, after;
	size_t count;

	snprintf(path, sizeof path, "%s", file_put("foreign", text, size));
	stat(path, &before);
	check_ignored(path, "foreign left alone");
	stat(path, &after);
	now = file_get(path, &count);
	CHECK_THAT(count == size && memcmp(now, text, size) == 0, "written to: %.20s", text);
	CHECK(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
	free(now);
}

static void foreign(void)
{
	static const char *const texts[] = { "\n",
		                                 "hello\n",
		                                 "tulle wisdom 2\n",
		                                 "tulle wisdom 1 \n",
		                                 "tulle wisdom 1\r\n",
		                                 "tulle wisdom 10\n",
		                                 " tulle wisdom 1\n",
		                                 "Tulle wisdom 1\n",
		                                 "tulle",
		                                 "tulle wisdom 1",
		                                 "\ntulle wisdom 1\n",
		                                 "%%MatrixMarket matrix\n1 1 1\n" };
	static const char zeros[5000];
	const tulle__wisdom_record r = some_record(0);
	bytes b = { 0 };

	for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
		check_foreign(texts[n], strlen(texts[n]));
	check_foreign(zeros, sizeof zeros);
	record_print(&b, &r); /* good lines without the first */
	check_foreign(b.at, b.count);
	b.count = 0;
	bytes_print(&b, "tulle wisdom 1\n");
	record_print(&b, &r);
	for (size_t n = 0; n < TULLE__WISDOM_HEADER_BYTES; n++) {
		b.at[n] ^= 1;
		check_foreign(b.at, b.count);
		b.at[n] ^= 1;
	}
	free(b.at);
	check_group("files of others");
}

static void not_files(void)
{
	char path[500], other[500];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int s = socket(AF_UNIX, SOCK_STREAM, 0);

	check_ignored("/dev/zero", "zero regular");
	check_ignored("/dev/null", "null regular");
	check_ignored("/dev/full", "full regular");
	check_ignored("/", "regular");
	snprintf(path, sizeof path, "%s", file_path("fifo"));
	CHECK_EQUAL(mkfifo(path, 0666), 0);
	check_ignored(path, "fifo regular");
	snprintf(other, sizeof other, "%s", file_path("link-to-fifo"));
	CHECK_EQUAL(symlink(path, other), 0);
	check_ignored(other, "link-to-fifo regular");
	snprintf(path, sizeof path, "%s", file_path("loop"));
	CHECK_EQUAL(symlink("loop", path), 0);
	check_ignored(path, "loop links");
	snprintf(path, sizeof path, "%s", file_path("folder"));
	CHECK_EQUAL(mkdir(path, 0777), 0);
	check_ignored(path, "folder regular");
	snprintf(address.sun_path, sizeof address.sun_path, "%s", file_path("socket"));
	CHECK_EQUAL(bind(s, (const struct sockaddr *)&address, sizeof address), 0);
	check_ignored(address.sun_path, "socket regular");
	close(s);
	/* What procfs has says 0 bytes of itself, and is not empty. */
	check_ignored("/proc/self/status", "status");
	check_group("what is not a file");
}

static void names(void)
{
	char path[5000];
	caller c;

	caller_begin(&c);
	CHECK_EQUAL(find_some(&c, file_path("none/here")), 0);
	CHECK_EQUAL(c.warnings, 0); /* nothing is wrong before the first time */
	CHECK_EQUAL(c.lines, 1);
	add_some(&c, file_path("none/here"), 0);
	CHECK_WORDS(c.last, "here No such file or directory");
	CHECK(access(file_path("none"), F_OK) != 0);
	CHECK_EQUAL(find_some(&c, file_text("is-a-file", "x")), 0);
	CHECK_EQUAL(find_some(&c, file_path("is-a-file/here")), 0);
	CHECK_WORDS(c.last, "Not a directory");
	CHECK_EQUAL(find_some(&c, ""), 0);
	add_some(&c, "", 0);
	memset(path, 'x', sizeof path);
	path[0] = '/';
	path[sizeof path - 1] = '\0';
	CHECK_EQUAL(find_some(&c, path), 0);
	add_some(&c, path, 0);
	CHECK_WORDS(c.last, "name too long");
	CHECK(strlen(c.last) < 400);
	/* Nothing of a name may steer a terminal. */
	snprintf(path, sizeof path, "%s", file_text("\033[31m\n", "x"));
	CHECK_EQUAL(find_some(&c, path), 0);
	CHECK_WORDS(c.last, "\\x1b[31m\\x0a left alone");
	for (const char *p = c.last; *p; p++)
		CHECK((unsigned char)*p >= ' ');
	caller_end(&c);
	check_group("names");
}

/* ---- files of ours that are not as they should be ---- */

static void empty_and_cut(void)
{
	char path[500], *text;
	size_t size;
	caller c;

	caller_begin(&c);
	snprintf(path, sizeof path, "%s", file_text("empty", ""));
	CHECK_EQUAL(find_some(&c, path), 0);
	add_some(&c, path, 1);
	CHECK_EQUAL(find_some(&c, path), 1);
	snprintf(path, sizeof path, "%s", file_text("bare", "tulle wisdom 1\n"));
	CHECK_EQUAL(find_some(&c, path), 0);
	add_some(&c, path, 1);
	CHECK_EQUAL(find_some(&c, path), 1);
	CHECK_EQUAL(c.lines, 0);
	text = file_get(path, &size);
	/* Cut anywhere after the first line, then added to: both are there that can be. */
	for (size_t n = TULLE__WISDOM_HEADER_BYTES; n < size; n++) {
		const tulle__wisdom_record r[2] = { some_record(1), record_make(1, 1, "more", 1, 2) };

		file_put("cut", text, n);
		tulle__wisdom_add(&c.env, file_path("cut"), &r[1], 1);
		CHECK_THAT(file_has(&c, file_path("cut"), &r[1]), "cut at %zu, then added to", n);
		CHECK_EQUAL(file_has(&c, file_path("cut"), &r[0]), n == size - 1);
	}
	free(text);
	caller_end(&c);
	check_group("empty, cut, and without a newline at the end");
}

/* Sparse, as long as may be: the end is zeros, one line that is none. */
static void huge(void)
{
	char path[500];
	struct stat is;
	caller c;
	bytes b = { 0 };
	int at = 0;

	caller_begin(&c);
	c.env.memory_limit = (size_t)16 << 20;
	snprintf(path, sizeof path, "%s", file_text("huge", "tulle wisdom 1\n"));
	CHECK_EQUAL(truncate(path, (off_t)1 << 40), 0);
	CHECK_EQUAL(find_some(&c, path), 0);
	add_some(&c, path, 1);
	CHECK_EQUAL(find_some(&c, path), 1); /* it is small again */
	CHECK(stat(path, &is) == 0 && is.st_size < 1000);
	CHECK_EQUAL(c.lines, 0);
	/* Good lines, far too many: the newest are known, and the file becomes smaller. */
	bytes_print(&b, "tulle wisdom 1\n");
	for (; b.count < (5 << 20); at++) {
		const tulle__wisdom_record r = record_make((uint64_t)at, 1, "sell", 1, at);

		record_print(&b, &r);
	}
	file_put("huge", b.at, b.count);
	for (int k = at - 1; k > at - 20000; k -= 999) {
		const tulle__wisdom_record r = record_make((uint64_t)k, 1, "sell", 1, k);

		CHECK_THAT(file_has(&c, path, &r), "record %d of %d is not known", k, at);
	}
	add_some(&c, path, 1);
	CHECK(stat(path, &is) == 0 && is.st_size <= (512 << 10) + 100 && is.st_size > (511 << 10));
	for (int k = at - 1; k > at - 4000; k -= 99) {
		const tulle__wisdom_record r = record_make((uint64_t)k, 1, "sell", 1, k);

		CHECK_THAT(file_has(&c, path, &r), "record %d of %d is lost", k, at);
	}
	free(b.at);
	caller_end(&c);
	check_group("files of 1 TiB and 5 MiB");
}

/* A whole program waits for a find: bounded, also where every line is of this matrix. */
static void quickly(void)
{
	caller c;
	tulle__wisdom_record out[64];
	double best[2] = { 1e9, 1e9 };

	caller_begin(&c);
	for (int hostile = 0; hostile < 2; hostile++) {
		bytes b = { 0 };

		bytes_print(&b, "tulle wisdom 1\n");
		for (int n = 0; n < 10000; n++) {
			char name[TULLE__WISDOM_NAME];
			tulle__wisdom_record r;

			snprintf(name, sizeof name, "format%d", hostile ? n : n % 12);
			r = record_make(hostile ? 1 : (uint64_t)(n / 12), 1, name, 1, n);
			record_print(&b, &r);
		}
		file_put("quick", b.at, b.count);
		free(b.at);
		for (int n = 0; n < 5; n++) {
			const double began = seconds();

			CHECK_EQUAL(tulle__wisdom_find(&c.env, file_path("quick"), 1, 1, out, 64),
			            hostile ? 64 : 12);
			if (seconds() - began < best[hostile])
				best[hostile] = seconds() - began;
		}
	}
	/* A hundred times what they take: a busy machine is no reason to fail. */
	CHECK_THAT(best[0] < 0.07 && best[1] < 0.6, "%.4f and %.4f s", best[0], best[1]);
	caller_end(&c);
	check_group("10 000 lines: %.2f ms, all of this matrix: %.2f ms", 1e3 * best[0], 1e3 * best[1]);
}

int main(void)
{
	umask(022);
	foreign();
	not_files();
	names();
	empty_and_cut();
	huge();
	quickly();
	return check_end();
}
