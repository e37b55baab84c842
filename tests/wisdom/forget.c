/* forget.c -- records taken out of a wisdom file: those that were meant, and no others; or none at all. */
#include "records.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[300];

enum { MATRICES = 3, MACHINES = 2 };

static const char *const names[] = { "csr", "sell" };
enum { NAMES = sizeof names / sizeof *names };

static void fill(caller *c)
{
	for (uint64_t of = 1; of <= MATRICES; of++)
		for (uint64_t machine = 1; machine <= MACHINES; machine++)
			for (int n = 0; n < NAMES; n++) {
				/* twice: the older one does not count */
				const tulle__wisdom_record r[] = { record_make(of, machine, names[n], 1, 0),
					                               record_make(of, machine, names[n], 1, 1) };

				add_surely(c, path, r, 2);
			}
}

static void count_record(void *user, const tulle__wisdom_record *r)
{
	(void)r;
	++*(int *)user;
}

static int records(caller *c)
{
	int count = 0;

	CHECK_OK(tulle__wisdom_walk(&c->env, path, count_record, &count));
	return count;
}

static void check_record(caller *c, uint64_t of, uint64_t machine, int is_there)
{
	for (int n = 0; n < NAMES; n++) {
		const tulle__wisdom_record r = record_make(of, machine, names[n], 1, 1);

		CHECK_THAT(file_has(c, path, &r) == is_there, "%s of matrix %d on machine %d: %s", names[n],
		           (int)of, (int)machine, is_there ? "lost" : "still there");
	}
}

static void test_forget(void)
{
	const tulle__wisdom_record key = record_make(2, 1, names[0], 1, 0);
	caller c;
	int64_t forgotten;

	caller_begin(&c);
	unlink(path);
	CHECK_EQUAL(records(&c), 0); /* no file, no records, no warning */
	CHECK_OK(tulle__wisdom_forget(&c.env, path, NULL, NULL, &forgotten));
	CHECK_EQUAL(forgotten, 0);
	CHECK(access(path, F_OK) != 0);
	fill(&c);
	CHECK_EQUAL(records(&c), MATRICES * MACHINES * NAMES);

	CHECK_OK(tulle__wisdom_forget(&c.env, path, &key.matrix, &key.machine, &forgotten));
	CHECK_EQUAL(forgotten, NAMES); /* those that count */
	for (uint64_t of = 1; of <= MATRICES; of++)
		for (uint64_t machine = 1; machine <= MACHINES; machine++)
			check_record(&c, of, machine, of != 2 || machine != 1);

	CHECK_OK(tulle__wisdom_forget(&c.env, path, &key.matrix, NULL, &forgotten));
	CHECK_EQUAL(forgotten, NAMES);
	for (uint64_t of = 1; of <= MATRICES; of++)
		for (uint64_t machine = 1; machine <= MACHINES; machine++)
			check_record(&c, of, machine, of != 2);

	CHECK_OK(tulle__wisdom_forget(&c.env, path, NULL, NULL, &forgotten));
	CHECK_EQUAL(records(&c), 0);
	fill(&c); /* it is a wisdom file still */
	CHECK_EQUAL(records(&c), MATRICES * MACHINES * NAMES);
	CHECK_EQUAL(c.warnings, 0);
	caller_end(&c);
	check_group("forget");
}

/* ---- what stays as it was ---- */

static void refuse(caller *c, const char *what)
{
	const int before = c->warnings;
	int64_t forgotten = 7;

	check_about("%s", what);
	CHECK_STATUS(tulle__wisdom_forget(&c->env, path, NULL, NULL, &forgotten), TULLE_E_IO);
	CHECK_EQUAL(forgotten, 0);
	CHECK(c->warnings > before);
	CHECK_THAT(strstr(tulle_last_error(), "wisdom") != NULL, "\"%s\"", tulle_last_error());
}

static void test_refused(void)
{
	caller c;
	int fd, count = 0;

	caller_begin(&c);
	unlink(path);
	fill(&c);
	fd = open(path, O_RDONLY);
	CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0);
	refuse(&c, "locked by another");
	close(fd);
	CHECK_EQUAL(records(&c), MATRICES * MACHINES * NAMES);

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	CHECK(fd >= 0 && write(fd, "precious\n", 9) == 9);
	close(fd);
	refuse(&c, "a foreign file");
	CHECK_STATUS(tulle__wisdom_walk(&c.env, path, count_record, &count), TULLE_E_IO);
	unlink(path);
	CHECK(mkdir(path, 0700) == 0);
	refuse(&c, "a folder");
	CHECK_STATUS(tulle__wisdom_walk(&c.env, path, count_record, &count), TULLE_E_IO);
	rmdir(path);
	CHECK_EQUAL(count, 0);
	caller_end(&c);
	check_group("refused");
}

int main(void)
{
	char folder[] = "/tmp/tulle-forget-XXXXXX";

	if (!CHECK(mkdtemp(folder) != NULL))
		return check_end();
	snprintf(path, sizeof path, "%s/wisdom", folder);
	test_forget();
	test_refused();
	unlink(path);
	rmdir(folder);
	return check_end();
}
