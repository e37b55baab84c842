/* faults.c -- every system call of the wisdom file fails once, fails from then on, is interrupted, or is
 * the last one of the process: what was in the file stays, and the next caller goes on. */
#include "records.h"
#include "system.h"

#include "core/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OLD = 3, STALE = 70 };

static tulle__wisdom_record old[OLD], fresh;
static char path[500];

/* A file with these records, written without the wrapped functions. */
static void put_file(const tulle__wisdom_record *r, int count)
{
	bytes b = { 0 };

	bytes_print(&b, TULLE__WISDOM_HEADER);
	for (int n = 0; n < count; n++)
		record_print(&b, &r[n]);
	file_put("faults", b.at, b.count);
	free(b.at);
}

typedef enum { CREATE, APPEND, REWRITE, FORGET, FIND, CASES } deed;

static const char *const deeds[CASES] = { "create", "append", "rewrite", "forget", "find" };

static void prepare(deed what)
{
	const int stale = what == REWRITE || what == FORGET;
	tulle__wisdom_record all[OLD + STALE];

	today.mood = WELL;
	for (int n = 0; n < STALE; n++)
		all[n] = record_make(9, 9, "stale", 1, n);
	memcpy(all + STALE, old, sizeof old);
	unlink(path);
	if (what != CREATE)
		put_file(all + (stale ? 0 : STALE), stale ? OLD + STALE : OLD);
}

static int act(deed what, caller *c)
{
	const uint64_t stale = record_make(9, 9, "stale", 1, 0).matrix;
	tulle__wisdom_record out[4];
	int64_t forgotten;

	today.calls = 0;
	if (what == FORGET)
		return tulle__wisdom_forget(&c->env, path, &stale, NULL, &forgotten) == TULLE_OK ? 0 : -1;
	if (what == FIND)
		return tulle__wisdom_find(&c->env, path, 1, 1, out, 4);
	tulle__wisdom_add(&c->env, path, &fresh, 1);
	return 0;
}

/* All is there that was, and one can go on. */
static void check_after(deed what, int said)
{
	caller c;
	struct stat s;
	int added;

	today.mood = WELL;
	caller_begin(&c);
	for (int n = 0; n < OLD && what != CREATE; n++)
		CHECK_THAT(file_has(&c, path, &old[n]), "old record %d is lost", n);
	added = file_has(&c, path, &fresh);
	CHECK_THAT(added || said || what >= FORGET, "it was not added, and nobody said so");
	for (int n = 0; n < 2; n++) {
		fresh = record_make(1, 1, "fresh", 1, n);
		tulle__wisdom_add(&c.env, path, &fresh, 1);
		CHECK_THAT(file_has(&c, path, &fresh), "one cannot go on: %s", c.last);
	}
	for (int n = 0; n < OLD && what != CREATE; n++)
		CHECK_THAT(file_has(&c, path, &old[n]), "old record %d is lost later", n);
	if (CHECK_EQUAL(stat(path, &s), 0))
		CHECK_EQUAL(s.st_mode & 0777, 0644);
	caller_end(&c);
}

/* How many calls a day without faults makes; and each deed does what it is called. */
static int count_calls(deed what)
{
	caller c;
	struct stat before = { .st_ino = 0 }, after = { .st_ino = 0 };
	int calls;

	caller_begin(&c);
	prepare(what);
	stat(path, &before);
	CHECK_EQUAL(act(what, &c), what == FIND ? OLD : 0);
	calls = today.calls;
	stat(path, &after);
	CHECK_THAT((after.st_size < before.st_size) == (what == REWRITE || what == FORGET),
	           "%s: %lld bytes, then %lld", deeds[what], (long long)before.st_size,
	           (long long)after.st_size);
	CHECK_THAT(c.warnings == 0, "%s", c.last);
	check_after(what, 0);
	caller_end(&c);
	return calls;
}

static void one_fault(deed what, mood is, int at, int error)
{
	const int before = entries_of("/proc/self/fd");
	caller c;

	check_about("%s: call %d %s with %d", deeds[what], at,
	            is == FAILS ? "fails" : "and all after fail", error);
	caller_begin(&c);
	prepare(what);
	today.mood = is;
	today.at = at;
	today.error = error;
	act(what, &c);
	today.mood = WELL;
	CHECK_EQUAL(entries_of("/proc/self/fd"), before);
	CHECK_THAT(file_count(".part") == 0, "a .part is left");
	caller_end(&c);
	check_after(what, c.warnings);
}

static void faults(void)
{
	static const int errors[] = { EIO, ENOSPC, EACCES, 0 };
	int count = 0;

	for (int what = 0; what < CASES; what++) {
		const int calls = count_calls((deed)what);

		CHECK_THAT(calls >= 5, "%s makes only %d calls that can fail", deeds[what], calls);
		for (int at = 1; at <= calls; at++)
			for (size_t e = 0; e < sizeof errors / sizeof *errors; e++, count += 2) {
				one_fault((deed)what, FAILS, at, errors[e]);
				one_fault((deed)what, FAILS_ON, at, errors[e]);
			}
	}
	check_about(" ");
	check_group("%d faults", count);
}

/* Signals and short reads change nothing. */
static void interrupts(void)
{
	for (int what = 0; what < CASES; what++) {
		caller c;

		check_about("%s: interrupted", deeds[what]);
		caller_begin(&c);
		prepare((deed)what);
		today.mood = INTERRUPTS;
		CHECK_EQUAL(act((deed)what, &c), what == FIND ? OLD : 0);
		CHECK_THAT(c.warnings == 0, "%s", c.last);
		check_after((deed)what, 0);
		caller_end(&c);
	}
	check_about(" ");
	check_group("interrupted calls");
}

static void one_death(deed what, mood how, int at)
{
	pid_t one;

	prepare(what);
	fflush(stdout);
	one = fork();
	if (one == 0) {
		caller c;

		caller_begin(&c);
		today.mood = how;
		today.at = at;
		act(what, &c);
		_exit(1);
	}
	waitpid(one, NULL, 0);
	check_about("%s: death at call %d", deeds[what], at);
	check_after(what, 1);
}

/* kill -9 before each call, and in the middle of each write(). A header cut in the middle is the one
 * thing that is not mended: such a file may be anybody's. */
static void deaths(void)
{
	int count = 0;

	for (int what = 0; what < FIND; what++) {
		const int calls = count_calls((deed)what);

		for (int at = 1; at <= calls; at++, count++) {
			one_death((deed)what, DIES, at);
			if (what != CREATE)
				one_death((deed)what, DIES_HALFWAY, at);
		}
	}
	check_about(" ");
	check_group("%d deaths", count);
}

/* ---- memory ---- */

static int allocations;

static void *fail_at_zero(void *user, size_t size, size_t align)
{
	return allocations-- == 0 ? NULL : tulle__default_alloc(user, size, align);
}

static void no_memory(void)
{
	int count = 0;

	for (int what = 0; what < CASES; what++) {
		int n = 0;

		do { /* until there is none left to refuse */
			caller c;

			caller_begin(&c);
			prepare((deed)what);
			c.env.alloc = fail_at_zero;
			allocations = n;
			act((deed)what, &c);
			caller_end(&c);
			check_about("%s: allocation %d fails", deeds[what], n++);
			check_after((deed)what, c.warnings);
		} while (allocations < 0);
		count += n;
	}
	check_about(" ");
	check_group("%d allocations refused", count);
}

/* ---- others at work at the worst moment ---- */

static tulle__wisdom_record elsewhere;
static pid_t child;

static void remove_it(void)
{
	unlink(path);
}

static void replace_it(void)
{
	unlink(path);
	put_file(&elsewhere, 1);
}

static void fork_one(void)
{
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
}

static void others(void)
{
	caller c;

	elsewhere = record_make(3, 3, "there", 1, 0);
	caller_begin(&c);
	prepare(APPEND);
	today.before_lock = remove_it;
	act(APPEND, &c);
	CHECK_THAT(file_has(&c, path, &fresh), "added to a file that is no more");
	prepare(APPEND);
	today.before_lock = replace_it;
	act(APPEND, &c);
	CHECK_THAT(file_has(&c, path, &fresh), "added to a file that is no more");
	CHECK_THAT(file_has(&c, path, &elsewhere), "what replaced the file is lost");
	check_group("the file replaced or removed before it is locked");
	/* A child that was forked while the lock was held has it too, if it is not let go by name. */
	prepare(APPEND);
	today.before_write = fork_one;
	act(APPEND, &c);
	CHECK(child > 0);
	fresh = record_make(1, 1, "fresh", 1, 8);
	tulle__wisdom_add(&c.env, path, &fresh, 1);
	CHECK_THAT(file_has(&c, path, &fresh), "a forked child keeps the lock: %s", c.last);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	caller_end(&c);
	check_group("a fork while the lock is held");
}

int main(void)
{
	umask(022);
	snprintf(path, sizeof path, "%s", file_path("faults"));
	for (int n = 0; n < OLD; n++) {
		char name[20];

		snprintf(name, sizeof name, "old%d", n);
		old[n] = record_make(1, 1, name, 1, n);
	}
	fresh = record_make(1, 1, "fresh", 1, 7);
	faults();
	interrupts();
	deaths();
	no_memory();
	others();
	return check_end();
}
