/* rights.c -- a wisdom file that the system lets nobody read, write or make larger, that is behind a
 * link, or another user's: what can be done is, and the rest is a line in the log. */
#include "records.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void no_rights(void)
{
	char path[500], *text;
	size_t size;
	caller c;
	struct stat is;

	caller_begin(&c);
	if (geteuid() == 0) /* may do all */
		CHECK(chown(file_path(""), 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
	snprintf(path, sizeof path, "%s", file_path("rights"));
	add_some(&c, path, 1);
	CHECK_EQUAL(find_some(&c, path), 1);
	chmod(path, 0);
	CHECK_EQUAL(find_some(&c, path), 0);
	CHECK_WORDS(c.last, "rights Permission denied");
	add_some(&c, path, 2);
	CHECK_EQUAL(c.warnings, 2);
	chmod(path, 0444);
	CHECK_EQUAL(find_some(&c, path), 1);
	add_some(&c, path, 2);
	CHECK_WORDS(c.last, "rights Permission denied");
	chmod(path, 0640);
	/* In a folder that cannot be written to, what is there is still added to. */
	chmod(file_path(""), 0555);
	for (int n = 0; n < 200; n++)
		add_some(&c, path, n);
	text = file_get(path, &size);
	CHECK_THAT(size > 200 * 60, "rewritten without a new file");
	free(text);
	CHECK_WORDS(c.last, "rights not rewritten Permission denied");
	c.warnings = 0;
	add_some(&c, file_path("new"), 1);
	CHECK_EQUAL(c.warnings, 1);
	chmod(file_path(""), 0755);
	c.warnings = 0;
	add_some(&c, path, 201); /* and now it is */
	CHECK_EQUAL(c.warnings, 0);
	CHECK(stat(path, &is) == 0 && is.st_size < 300 && (is.st_mode & 07777) == 0640);
	caller_end(&c);
}

static void too_large(void)
{
	const struct rlimit limit = { 400, 400 };
	char path[500], *before, *after;
	size_t size[2];
	caller c;

	caller_begin(&c);
	snprintf(path, sizeof path, "%s", file_path("limited"));
	unlink(path);
	add_some(&c, path, 1);
	signal(SIGXFSZ, SIG_DFL);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int n = 0; n < 20; n++) {
		const tulle__wisdom_record r = record_make(1, 1, "other", n, 1);

		before = file_get(path, &size[0]);
		c.warnings = 0;
		tulle__wisdom_add(&c.env, path, &r, 1);
		after = file_get(path, &size[1]);
		CHECK_THAT(size[1] <= 400 && (c.warnings > 0) == (size[0] == size[1]), "%zu bytes",
		           size[1]);
		CHECK(memcmp(before, after, size[0]) == 0);
		free(before);
		free(after);
	}
	CHECK_WORDS(c.last, "limited not written too large");
	caller_end(&c);
}

/* Through a link: what it points to is written and rewritten, and the link stays one. */
static void links(void)
{
	char path[500], link[500];
	struct stat is;
	caller c;

	caller_begin(&c);
	snprintf(path, sizeof path, "%s", file_path("pointed-to"));
	snprintf(link, sizeof link, "%s", file_path("link"));
	CHECK_EQUAL(symlink("pointed-to", link), 0);
	for (int n = 0; n < 200; n++)
		add_some(&c, link, n);
	CHECK(lstat(link, &is) == 0 && S_ISLNK(is.st_mode));
	CHECK(lstat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_size < 100 * 80);
	CHECK_EQUAL(find_some(&c, path), 1);
	CHECK_EQUAL(c.lines, 0);
	caller_end(&c);
	check_group("through a link");
}

/* Another's file is added to, but stays another's. */
static void anothers(void)
{
	char path[500];
	struct stat before, after;
	caller c;

	if (geteuid() != 0) /* only root can give files away */
		return;
	caller_begin(&c);
	snprintf(path, sizeof path, "%s", file_path("anothers"));
	add_some(&c, path, 0);
	CHECK_EQUAL(chown(path, 65534, 65534), 0);
	stat(path, &before);
	for (int n = 1; n < 200; n++)
		add_some(&c, path, n);
	stat(path, &after);
	CHECK(before.st_ino == after.st_ino && after.st_uid == 65534 && after.st_size > 200 * 60);
	CHECK_EQUAL(find_some(&c, path), 1);
	caller_end(&c);
	check_group("another's file");
}

int main(void)
{
	umask(022);
	links();
	anothers();
	in_child(too_large);
	in_child(no_rights);
	check_group("no rights, and a limit for files");
	return check_end();
}
