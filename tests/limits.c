/* limits.c -- threads that cannot be created: nothing is printed, the process goes on, the bits stay.
 *
 * Each case is a child of its own, for a child has no helpers and must create them: under limits of
 * the system, or with a pthread_create() that refuses. What it writes to stderr is collected. */
#include "inner.h"

#include "core/threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FORMATS = 64, TEAM = 8, MANY = 64, SECONDS = 60, NOBODY = 54321, MEBI = 1 << 20 };

/* A sanitizer needs terabytes of address space. */
#if defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* What a child found; its exit code, unless somebody else ended it. */
enum { RIGHT, DIFFERENT = 100, REFUSED, WRONG_TEAM, NO_LIMIT };
static const char *const found[] = { "other bits", "a call failed", "a team of another size",
	                                 "the limit could not be set" };

static struct {
	matrix m;
	arrays arr;
	double *x, *y, *want[MOST_FORMATS];
} shared;

/* ---- pthread_create in the library's place (--wrap) ---- */

int create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
           void *arg) __asm__("__wrap_pthread_create");
int real_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                void *arg) __asm__("__real_pthread_create");

static int calls, first_refused = -1, last_refused, small_refused;

int create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	const int call = calls++;

	if (small_refused && attr)
		return EINVAL; /* as with thread-local variables that need more than this stack */
	if (first_refused >= 0 && call >= first_refused && call <= last_refused)
		return EAGAIN;
	return real_create(thread, attr, start, arg);
}

/* ---- products ---- */

static int multiply_by(const char *format, int threads, double *y, int *team)
{
	tulle_context *context = NULL;
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	tulle_context_info info = { .size = sizeof info };
	const tulle_context_options how = { .size = sizeof how,
		                                .threads = threads,
		                                .serial_below = -1 };
	const tulle_plan_options by = { .size = sizeof by, .format = format };
	int right;

	right = tulle_context_create(&how, &context) == TULLE_OK &&
	        tulle_matrix_from_csr(context, shared.m.rows, shared.m.cols, TULLE_I32,
	                              shared.arr.row_ptr, TULLE_I32, shared.arr.col, TULLE_F64,
	                              shared.arr.val, NULL, &a) == TULLE_OK &&
	        tulle_plan_create(a, &by, &plan) == TULLE_OK &&
	        tulle_mul_f64(plan, 1, shared.x, 0, y) == TULLE_OK &&
	        tulle_context_describe(context, &info) == TULLE_OK;
	*team = info.last_team;
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	return right;
}

/* Every format, or the first alone, with `threads` threads; the team must have least .. most. */
static int all_right(int formats, int threads, int least, int most)
{
	const size_t bytes = (size_t)shared.m.rows * sizeof *shared.y;
	const char *format;

	for (int f = 0; f < formats && (format = tulle_formats(f)); f++) {
		int team;

		if (!multiply_by(format, threads, shared.y, &team))
			return REFUSED;
		if (memcmp(shared.y, shared.want[f], bytes) != 0)
			return DIFFERENT;
		if (team < least || team > most)
			return WRONG_TEAM;
	}
	return RIGHT;
}

/* ---- cases ---- */

/* The k-th creation and all later ones are refused. */
static int refused_for_ever(int k)
{
	first_refused = k;
	last_refused = INT32_MAX;
	return all_right(k % 4 == 0 ? MOST_FORMATS : 1, TEAM, k + 1, k + 1);
}

/* The k-th creation is refused, later ones are not: the team is complete after a while. */
static int refused_once(int k)
{
	int code;

	first_refused = last_refused = k;
	code = all_right(1, TEAM, k + 1, TEAM);
	if (code == RIGHT && calls > k + 1 + TEAM)
		return WRONG_TEAM; /* tried again at once */
	nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	return code != RIGHT ? code : all_right(1, TEAM, TEAM, TEAM);
}

static int small_stack(int k)
{
	(void)k;
	small_refused = 1;
	return all_right(1, TEAM, TEAM, TEAM);
}

static int set_limit(int resource, size_t value)
{
	const struct rlimit limit = { value, value };

	return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

static int address_space(int megabytes)
{
	if (!set_limit(RLIMIT_AS, (size_t)megabytes * MEBI))
		return NO_LIMIT;
	return all_right(MOST_FORMATS, MANY, 1, MANY);
}

/* Address space for a few stacks only; products would lack memory for themselves, too. */
static int64_t marks[MANY * MANY];

static void mark(const void *arg, int64_t part)
{
	(void)arg;
	marks[part]++;
}

static int few_stacks(int megabytes)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;
	tulle__env env;

	if (!file || fscanf(file, "%ld", &pages) != 1 || fclose(file) != 0 ||
	    !set_limit(RLIMIT_AS, (size_t)(pages * sysconf(_SC_PAGESIZE)) + (size_t)megabytes * MEBI))
		return NO_LIMIT;
	inner_env(&env, TULLE__SCALAR);
	env.threads = MANY;
	env.serial_below = -1;
	tulle__run_parts(&env, mark, NULL, MANY * MANY, 1);
	for (int n = 0; n < MANY * MANY; n++)
		if (marks[n] != 1)
			return DIFFERENT;
	return atomic_load(&env.last_team) < MANY ? RIGHT : WRONG_TEAM;
}

/* The limit counts a user's threads and does not bind root. */
static int processes(int limit)
{
	if ((getuid() == 0 && setuid(NOBODY) != 0) || !set_limit(RLIMIT_NPROC, (size_t)limit))
		return NO_LIMIT;
	return all_right(MOST_FORMATS, MANY, 1, limit);
}

/* ---- children ---- */

static void check_child(const char *what, int (*run)(int), int number)
{
	FILE *errors = tmpfile();
	char said[256] = "";
	int status = 0, code;
	size_t length;
	pid_t pid;

	check_about("%s %d", what, number);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(SECONDS);
		dup2(fileno(errors), STDERR_FILENO);
		_exit(run(number));
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	rewind(errors);
	length = fread(said, 1, sizeof said - 1, errors);
	fclose(errors);
	CHECK_THAT(length == 0, "it printed: %s", said);
	if (!CHECK_THAT(WIFEXITED(status), "it ended by signal %d", WTERMSIG(status)))
		return;
	code = WEXITSTATUS(status);
	CHECK_THAT(code == RIGHT, "exit code %d: %s", code,
	           code < DIFFERENT ? "something ended it" : found[code - DIFFERENT]);
}

static void make_matrix(void)
{
	const char *format;
	int team;

	shared.m = matrix_nodes(3);
	shared.arr = cast(&shared.m, pairs[0], TULLE_F64, 0);
	shared.x = grab(shared.m.cols, sizeof *shared.x);
	shared.y = grab(shared.m.rows, sizeof *shared.y);
	for (int64_t j = 0; j < shared.m.cols; j++)
		shared.x[j] = 1.0 / (double)(1 + j % 997);
	for (int f = 0; (format = tulle_formats(f)); f++) {
		if (!CHECK(f < MOST_FORMATS))
			break;
		shared.want[f] = grab(shared.m.rows, sizeof *shared.y);
		CHECK_THAT(multiply_by(format, 1, shared.want[f], &team), "%s: %s", format,
		           tulle_last_error());
	}
}

int main(void)
{
	make_matrix();
	check_group("products of one thread");
	for (int k = 0; k < TEAM - 1; k++) {
		check_child("refused for ever", refused_for_ever, k);
		check_child("refused once", refused_once, k);
	}
	check_child("small stacks", small_stack, 0);
	check_group("creation refused");
	if (!SANITIZED) {
		check_child("address space", address_space, 400);
		check_child("few stacks", few_stacks, 4);
		check_group("RLIMIT_AS");
	}
	check_child("processes", processes, 1);
	check_child("processes", processes, 4);
	check_group("RLIMIT_NPROC");

	for (int f = 0; f < MOST_FORMATS; f++)
		free(shared.want[f]);
	arrays_free(&shared.arr);
	matrix_free(&shared.m);
	free(shared.x);
	free(shared.y);
	return check_end();
}
