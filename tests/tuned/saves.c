/* saves.c -- every system call of a save fails once, fails from then on, is interrupted, or is the last one of the
 * process: the old file or the new one is there, whole, and nothing else. */
#include "tuned_support.h"

#include "../wisdom/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static tulle_context *context;
static tulle_matrix *old_matrix, *new_matrix;
static tulle_plan *old_plan, *new_plan;
static char path[500];

/* What is under the name now. */
typedef enum { NOTHING, OLD, NEW, BROKEN } content;

/* By the calls for any file, or by the one for plans. */
typedef enum { PLAN, TUNED, TEXT, PACKED, KINDS } file_kind;

static const char *const names[KINDS] = { "plan.tulle", "matrix.tulle", "matrix.mtx",
	                                      "matrix.mtx.gz" };

static tulle_status save(file_kind kind, int new)
{
	return kind == PLAN ? tulle_plan_save(new ? new_plan : old_plan, path, NULL)
	                    : tulle_matrix_write(new ? new_matrix : old_matrix, path, NULL);
}

static content look(file_kind kind)
{
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;
	content c = BROKEN;
	tulle_status s;

	if (access(path, F_OK) != 0)
		return NOTHING;
	s = kind == PLAN ? tulle_plan_load(context, path, NULL, &m, &p)
	                 : tulle_matrix_read(context, path, NULL, &m);
	if (s == TULLE_OK)
		c = same_matrix(m, old_matrix) ? OLD : same_matrix(m, new_matrix) ? NEW : BROKEN;
	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	return c;
}

/* An old file, or none; and the number of calls that the save makes without faults. */
static int prepare(file_kind kind, int replaces)
{
	int calls;

	today.mood = WELL;
	snprintf(path, sizeof path, "%s", file_path(names[kind]));
	unlink(path);
	today.calls = 0;
	CHECK_OK(save(kind, 0));
	calls = today.calls;
	if (replaces) {
		today.calls = 0;
		CHECK_OK(save(kind, 0)); /* now with an old file, whose mode is kept */
		calls = today.calls;
	} else {
		unlink(path);
	}
	today.calls = 0;
	return calls;
}

/* The last two calls force the name to the disk, and close: the new file is in its place then. */
static void one_fault(file_kind kind, int replaces, mood is, int at, int error)
{
	const int calls = prepare(kind, replaces), before = entries_of("/proc/self/fd");
	tulle_status s;
	content c;

	check_about("%s%s: call %d of %d %s with %d", names[kind], replaces ? ", replaced" : "", at,
	            calls, is == FAILS ? "fails" : "and all after fail", error);
	today.mood = is;
	today.at = at;
	today.error = error;
	s = save(kind, 1);
	today.mood = WELL;
	c = look(kind);
	CHECK_EQUAL(entries_of("/proc/self/fd"), before);
	CHECK_THAT(file_count(".part") == 0, "a .part is left");
	if (s == TULLE_OK) {
		CHECK_THAT(c == NEW, "saved without an error, but the file has %d", (int)c);
	} else {
		CHECK_STATUS(s, TULLE_E_IO);
		CHECK_THAT(c == (replaces ? OLD : NOTHING) || (c == NEW && at >= calls - 3),
		           "an error at call %d of %d left %d", at, calls, (int)c);
	}
}

static void faults(void)
{
	static const int errors[] = { EIO, ENOSPC, EACCES, 0 };
	int count = 0;

	for (int kind = 0; kind < KINDS; kind++)
		for (int replaces = 0; replaces < 2; replaces++) {
			const int calls = prepare((file_kind)kind, replaces);

			CHECK_THAT(calls >= 8, "a save makes only %d calls that can fail", calls);
			for (int at = 1; at <= calls; at++)
				for (size_t e = 0; e < sizeof errors / sizeof *errors; e++, count += 2) {
					one_fault((file_kind)kind, replaces, FAILS, at, errors[e]);
					one_fault((file_kind)kind, replaces, FAILS_ON, at, errors[e]);
				}
		}
	check_about(" ");
	check_group("%d faults", count);
}

/* A save fails, and its temporary file cannot be removed either: the error is that of the save, and the next save
 * succeeds. */
static void parts_that_stay(void)
{
	int count = 0, parts = 0;

	for (int kind = 0; kind < KINDS; kind++) {
		const int calls = prepare((file_kind)kind, 1);

		for (int at = 1; at <= calls; at++, count++) {
			tulle_status s;

			prepare((file_kind)kind, 1);
			check_about("%s: call %d of %d fails, and so does unlinkat()", names[kind], at, calls);
			today = (system_today){ .mood = FAILS, .at = at, .error = ENOSPC, .keeps = 1 };
			s = save((file_kind)kind, 1);
			today = (system_today){ .mood = WELL };
			if (s != TULLE_OK) {
				CHECK_STATUS(s, TULLE_E_IO);
				CHECK_WORDS(tulle_last_error(), "No space");
			}
			CHECK(look((file_kind)kind) == (s == TULLE_OK || at >= calls - 2 ? NEW : OLD));
			parts += file_count(".part");
			CHECK_OK(save((file_kind)kind, 1));
			CHECK_EQUAL(look((file_kind)kind), NEW);
			remove_parts(path);
		}
	}
	check_about(" ");
	CHECK(parts >= count / 4);
	check_group("%d faults while nothing can be removed, %d parts stay", count, parts);
}

/* A failure that nobody would notice is worse than one: that of fsync() of the file and of its folder. */
static void forced_to_disk(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		const int calls = prepare((file_kind)kind, 1);
		int failed = 0;

		for (int at = 1; at <= calls; at++) {
			prepare((file_kind)kind, 1);
			today.mood = FAILS;
			today.at = at;
			today.error = EIO;
			today.only_fsync = 1;
			failed += save((file_kind)kind, 1) == TULLE_E_IO;
			today.only_fsync = 0;
			today.mood = WELL;
		}
		CHECK_THAT(failed == 2, "%s: %d of the two fsync() were noticed", names[kind], failed);
	}
	check_group("file and folder are forced to the disk");
}

static void interrupts(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		prepare((file_kind)kind, 1);
		today.mood = INTERRUPTS;
		CHECK_OK(save((file_kind)kind, 1));
		CHECK_EQUAL(look((file_kind)kind), NEW); /* short reads, too */
		today.mood = WELL;
	}
	check_group("interrupted calls");
}

/* Every call of a load fails: the error is reported, and nothing is left over. */
static void failing_loads(void)
{
	const size_t held = context_info(context).blocks_held;
	int count = 0, shortened = 0;

	for (int kind = PLAN; kind <= TUNED; kind++) {
		int calls;

		prepare((file_kind)kind, 1);
		CHECK_EQUAL(look((file_kind)kind), OLD);
		calls = today.calls;
		for (int at = 1; at <= calls; at++)
			for (int ends = 0; ends < 2; ends++, count++) {
				tulle_matrix *m = NULL;
				tulle_plan *p = NULL;
				tulle_status s;

				check_about("%s: call %d of %d %s", names[kind], at, calls,
				            ends ? "ends" : "fails");
				today = (system_today){ .mood = FAILS, .at = at, .error = EIO, .ends = ends };
				s = kind == PLAN ? tulle_plan_load(context, path, NULL, &m, &p)
				                 : tulle_matrix_read(context, path, NULL, &m);
				today = (system_today){ .mood = WELL };
				if (s != TULLE_OK) {
					/* Without its first bytes, which decide about that, a file is read as text. */
					CHECK_STATUS(s, kind == TUNED && at <= 2 ? TULLE_E_MATRIX : TULLE_E_IO);
					CHECK(!m && !p);
					shortened += strstr(tulle_last_error(), "shortened") != NULL;
				}
				tulle_plan_destroy(p);
				tulle_matrix_destroy(m);
				CHECK_EQUAL(context_info(context).blocks_held, held);
			}
	}
	check_about(" ");
	CHECK_THAT(shortened >= 6, "%d files were shortened",
	           shortened); /* at least each array of both */
	check_group("%d faults while loading", count);
}

/* kill -9 before each call, and in the middle of each write(). */
static void deaths(void)
{
	static const mood moods[] = { DIES, DIES_HALFWAY };
	int count = 0;

	for (int kind = 0; kind < KINDS; kind++)
		for (int replaces = 0; replaces < 2; replaces++) {
			const int calls = prepare((file_kind)kind, replaces);

			for (int n = 0; n < 2 * calls; n++, count++) {
				pid_t child;
				content c;

				prepare((file_kind)kind, replaces);
				fflush(stdout);
				child = fork();
				if (child == 0) {
					today.mood = moods[n % 2];
					today.at = n / 2 + 1;
					save((file_kind)kind, 1);
					_exit(1);
				}
				waitpid(child, NULL, 0);
				c = look((file_kind)kind);
				check_about("%s: death at call %d of %d", names[kind], n / 2 + 1, calls);
				CHECK_THAT(c == NEW || c == (replaces ? OLD : NOTHING), "it left %d", (int)c);
			}
		}
	check_about(" ");
	check_group("%d deaths", count);
}

int main(void)
{
	static const double other[5] = { -1, -2, -3, -4, -5 };
	const tulle_plan_options o = { .size = sizeof o, .format = "sell" };

	umask(022);
	context = context_for(NULL, 1, 0);
	for (int new = 0; new < 2; new ++) {
		CHECK_OK(tulle_matrix_from_csr(context, 3, 4, TULLE_I32, small_row_ptr, TULLE_I32,
		                               small_col, TULLE_F64, new ? other : small_val, NULL,
		                               new ? &new_matrix : &old_matrix));
		CHECK_OK(tulle_plan_create(new ? new_matrix : old_matrix, &o, new ? &new_plan : &old_plan));
	}
	faults();
	parts_that_stay();
	forced_to_disk();
	interrupts();
	failing_loads();
	deaths();
	tulle_plan_destroy(old_plan);
	tulle_plan_destroy(new_plan);
	tulle_matrix_destroy(old_matrix);
	tulle_matrix_destroy(new_matrix);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
