/* known_machine.c -- when the machine is timed for a plan, what is kept, and files that are broken.
 *
 * What a process knows it keeps, so cases that ask for the machine are children. */
#include "planner/known_machine.h"

#include "fake_time.h"
#include "planner/wisdom.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- when a plan asks ---- */

static const double ENOUGH = TULLE__PROBE_PAYS * TULLE__PROBE_SECONDS;

/* In a child: ask for the machine `times` times; the runs of all of them. */
static int runs_of(const char *path, double ahead, int times, tulle__machine *m)
{
	tulle__env env;

	env_begin(&env, 2);
	fake_begin(10e-6);
	fake.per_look = 1e-9;
	for (int n = 0; n < times; n++)
		tulle__know_machine(&env, &huge_values, path, ahead, m);
	return fake.runs;
}

static int child(int (*run)(const char *path), const char *path)
{
	const long before = check_failures();
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(run(path) || check_failures() > before);
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	return status;
}

static int not_worth_it(const char *path)
{
	tulle__machine m;

	return runs_of(path, .99 * ENOUGH, 1, &m) > 0 || m.caches_timed || runs_of(path, 0, 1, &m) > 0;
}

static int once(const char *path)
{
	tulle__machine m;
	const int first = runs_of(path, ENOUGH, 1, &m);

	return first == 0 || !m.memory_timed || runs_of(path, ENOUGH, 3, &m) != 0 || !m.memory_timed;
}

/* It is not tried again and again where it cannot succeed. */
static int once_in_vain(const char *path)
{
	tulle__env env;
	tulle__machine m;

	env_begin(&env, 2);
	fake_begin(1);
	tulle__know_machine(&env, &huge_values, path, ENOUGH, &m);
	if (fake.runs == 0 || m.caches_timed)
		return 1;
	fake.runs = 0;
	tulle__know_machine(&env, &huge_values, path, ENOUGH, &m);
	return fake.runs;
}

static int from_file(const char *path)
{
	tulle__machine m;

	return runs_of(path, ENOUGH, 1, &m) > 0 || !m.caches_timed || !m.memory_timed;
}

static void test_asked(const char *path)
{
	check_about("without a file");
	CHECK_THAT(child(not_worth_it, NULL) == 0, "timed below the threshold");
	CHECK_THAT(child(once, NULL) == 0, "not timed once in a process");
	CHECK_THAT(child(once_in_vain, NULL) == 0, "tried again");
	check_about("with a file");
	CHECK_THAT(child(not_worth_it, path) == 0, "timed below the threshold");
	CHECK_THAT(child(once, path) == 0, "not timed once in a process");
	CHECK_THAT(child(from_file, path) == 0, "timed what the file knows");
	CHECK_EQUAL(unlink(path), 0);
	check_group("when it runs");
}

/* ---- files ---- */

/* With such a file a machine is timed, and nothing else happens: no error, no crash, no waiting. */
static int timed_all_the_same(const char *path)
{
	tulle__env env;
	tulle__machine m;

	env_begin(&env, 2);
	fake_begin(10e-6);
	fake.per_look = 10e-6;
	tulle__know_machine(&env, &huge_values, path, ENOUGH, &m);
	fake.own = 0;
	return fake.runs == 0 || !m.caches_timed || !m.memory_timed;
}

/* A record of this machine with these numbers. */
static void add_record(const char *path, int version, int count, const double *number)
{
	tulle__wisdom_record r = { .name = "machine", .version = version, .count = count };
	tulle__env env;
	tulle__machine m;

	env_begin(&env, 2);
	tulle__machine_assume(&env, &m);
	r.machine = tulle__machine_signature(&m);
	memcpy(r.number, number, (size_t)count * sizeof *number);
	tulle__wisdom_add(&env, path, &r, 1);
}

static const double good[] = { 1e-11, 2e-11, 3e-11, 9e-11, 1e-9, 2e-9, 3e-9, 9e-9, 2e-6 };

enum { NUMBERS = sizeof good / sizeof *good, VERSION = 2 };

static int by_size(const void *a, const void *b)
{
	const double u = *(const double *)a, v = *(const double *)b;

	return (u > v) - (u < v);
}

/* What a plan pays for a machine that its file knows: a figure to read, as a busy machine would fail a limit. */
static void report_reading(const char *path)
{
	enum { READINGS = 101 };
	double us[READINGS];
	tulle__env env;
	tulle__machine m;

	env_begin(&env, 2);
	for (int n = 0; n < READINGS; n++) {
		struct timespec start, end;

		clock_gettime(CLOCK_MONOTONIC, &start);
		tulle__know_machine(&env, &huge_values, path, ENOUGH, &m);
		clock_gettime(CLOCK_MONOTONIC, &end);
		us[n] = 1e6 * (double)(end.tv_sec - start.tv_sec) +
		        1e-3 * (double)(end.tv_nsec - start.tv_nsec);
	}
	CHECK(m.caches_timed && m.memory_timed);
	qsort(us, READINGS, sizeof *us, by_size);
	printf("   a record is read in %.1f us (measured, median of %d; most %.1f)\n", us[READINGS / 2],
	       READINGS, us[READINGS - 1]);
}

static void test_records(const char *path)
{
	add_record(path, VERSION, NUMBERS, good);
	CHECK_THAT(child(from_file, path) == 0, "a good record is not believed");
	report_reading(path);
	/* Others of the same machine do not hide it. */
	add_record(path, VERSION - 1, 8, good);
	CHECK_THAT(child(from_file, path) == 0, "a record of another version hides it");
	CHECK_EQUAL(unlink(path), 0);
	for (int n = 0; n < TULLE__LEVELS * 2; n++) {
		static const double bad[] = { 0, 1, 1e300, 1e-300 };

		for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
			double number[NUMBERS];

			memcpy(number, good, sizeof good);
			number[n] = bad[b];
			add_record(path, VERSION, NUMBERS, number);
			check_about("number %d is %g", n, bad[b]);
			CHECK_THAT(child(timed_all_the_same, path) == 0, "such a record is believed");
			CHECK_EQUAL(unlink(path), 0);
		}
	}
	check_about("too few numbers");
	add_record(path, VERSION, NUMBERS - 1, good);
	CHECK_THAT(child(timed_all_the_same, path) == 0, "such a record is believed");
	CHECK_EQUAL(unlink(path), 0);
	check_group("records");
}

static void write_text(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "w");

	if (CHECK(file)) {
		CHECK_EQUAL(fwrite(text, 1, length, file), length);
		CHECK_EQUAL(fclose(file), 0);
	}
}

/* Every byte of a file with a good record changed in turn. */
static void test_corrupted(const char *path)
{
	char text[1024];
	size_t length;
	FILE *file;

	add_record(path, VERSION, NUMBERS, good);
	file = fopen(path, "r");
	if (!CHECK(file))
		return;
	length = fread(text, 1, sizeof text, file);
	fclose(file);
	for (size_t n = 0; n + 1 < length; n++) {
		text[n] ^= 1;
		write_text(path, text, length);
		check_about("byte %zu of %zu is wrong", n, length);
		CHECK_THAT(child(timed_all_the_same, path) == 0, "a damaged record is believed");
		text[n] ^= 1;
	}
	check_about("cut");
	write_text(path, text, length / 2);
	CHECK_THAT(child(timed_all_the_same, path) == 0, "a cut record is believed");
	CHECK_EQUAL(unlink(path), 0);
	check_group("corrupted files");
}

static void test_foreign(const char *path)
{
	static const char text[] = "the diary of somebody else\n";
	char back[sizeof text] = "";
	FILE *file;
	int lock;

	check_about("another's file");
	write_text(path, text, sizeof text - 1);
	CHECK_EQUAL(child(timed_all_the_same, path), 0);
	file = fopen(path, "r");
	if (CHECK(file)) {
		CHECK_EQUAL(fread(back, 1, sizeof back, file), sizeof text - 1);
		CHECK_THAT(!strcmp(back, text), "it was changed");
		fclose(file);
	}
	CHECK_EQUAL(unlink(path), 0);

	check_about("a folder");
	CHECK_EQUAL(mkdir(path, 0700), 0);
	CHECK_EQUAL(child(timed_all_the_same, path), 0);
	CHECK_EQUAL(rmdir(path), 0);

	check_about("a FIFO");
	CHECK_EQUAL(mkfifo(path, 0600), 0);
	CHECK_EQUAL(child(timed_all_the_same, path), 0);
	CHECK_EQUAL(unlink(path), 0);

	check_about("no folder");
	CHECK_EQUAL(child(timed_all_the_same, "/nowhere/at/all"), 0);

	check_about("a file that is locked");
	lock = open(path, O_CREAT | O_RDWR, 0600);
	CHECK(lock >= 0 && flock(lock, LOCK_EX) == 0);
	CHECK_EQUAL(child(timed_all_the_same, path), 0);
	close(lock);
	CHECK_EQUAL(unlink(path), 0);

	check_about("a file that must not be written");
	add_record(path, VERSION - 1, 8, good);
	CHECK_EQUAL(chmod(path, 0400), 0);
	CHECK_EQUAL(child(timed_all_the_same, path), 0);
	CHECK_EQUAL(unlink(path), 0);
	check_group("files of others");
}

/* ---- plans that must not depend on it ---- */

static int same_plans(const char *path)
{
	enum { ROWS = 4000 };
	uint64_t state = 5;
	int64_t lengths[ROWS];

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = random_below(&state, 12);
	for (int reproducible = 0; reproducible <= 2; reproducible++) {
		tulle_plan_options o = { .size = sizeof o,
			                     .multiplies = 1e6,
			                     .reproducible = reproducible,
			                     .effort = TULLE_ESTIMATE };
		tulle_plan_info with = { .size = sizeof with }, without = { .size = sizeof without };
		tulle_context *context = context_for("scalar", 2, 0);
		matrix m = matrix_new("random", ROWS, ROWS, lengths);
		arrays c;
		tulle_matrix *a;
		tulle_plan *p = NULL, *q = NULL;

		matrix_random_columns(&m, &state);
		c = cast(&m, pairs[0], TULLE_F64, 0);
		a = borrow(context, &m, pairs[0], TULLE_F64, &c);
		if (reproducible < 2 || fused_available()) {
			CHECK(tulle_plan_create(a, &o, &p) == TULLE_OK || reproducible == 2);
			o.wisdom = path;
			CHECK(tulle_plan_create(a, &o, &q) == TULLE_OK || reproducible == 2);
		}
		if (p && q) {
			CHECK_OK(tulle_plan_describe(p, &without));
			CHECK_OK(tulle_plan_describe(q, &with));
			CHECK_EQUAL(without.machine_measured, 0);
			CHECK_EQUAL(with.machine_measured, reproducible == 0);
			if (reproducible > 0) {
				CHECK_THAT(!strcmp(with.format, without.format), "%s, with a file %s",
				           without.format, with.format);
				CHECK_THAT(with.multiply_seconds == without.multiply_seconds, "another prediction");
			}
		}
		tulle_plan_destroy(p);
		tulle_plan_destroy(q);
		tulle_matrix_destroy(a);
		tulle_context_destroy(context);
		arrays_free(&c);
		matrix_free(&m);
	}
	return 0;
}

static void test_reproducible(const char *path)
{
	static const double factor[] = { 1e-2, 1, 1e2 };

	for (size_t n = 0; n < sizeof factor / sizeof *factor; n++) {
		double number[NUMBERS];

		/* Gathers as they are, reads a hundred times as fast or slow: choices would change. */
		for (int k = 0; k < NUMBERS; k++)
			number[k] = good[k] * (k < TULLE__LEVELS ? factor[n] : 1);
		add_record(path, VERSION, NUMBERS, number);
		check_about("reproducible, reads %g as fast", factor[n]);
		CHECK_EQUAL(child(same_plans, path), 0);
		CHECK_EQUAL(unlink(path), 0);
	}
	check_group("reproducible plans");
}

int main(void)
{
	char folder[] = "/tmp/tulle-machine-XXXXXX", path[64];

	if (!CHECK(mkdtemp(folder)))
		return check_end();
	snprintf(path, sizeof path, "%s/wisdom", folder);
	test_asked(path);
	test_records(path);
	test_corrupted(path);
	test_foreign(path);
	test_reproducible(path);
	CHECK_EQUAL(rmdir(folder), 0);
	return check_end();
}
