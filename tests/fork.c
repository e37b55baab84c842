/* fork.c -- a child of a process with threads multiplies, plans anew, has a team of its own and ends.
 *
 * Threads do not survive fork(), neither the helpers nor a caller that is at work with them: a child
 * must not wait for them, nor take them for its own. */
#include "inner.h"

#include "core/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 10, TEAM = 4, SAME = 0, DIFFERENT = 3, REFUSED = 4 };

static struct {
	matrix m;
	arrays arr;
	double *x, *y, *want;
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;
} shared;

static int multiply_is_right(const tulle_plan *plan)
{
	memset(shared.y, 0xff, (size_t)shared.m.rows * sizeof *shared.y);
	if (tulle_mul_f64(plan, 1, shared.x, 0, shared.y) != TULLE_OK)
		return 0;
	return memcmp(shared.y, shared.want, (size_t)shared.m.rows * sizeof *shared.y) == 0;
}

static int old_plan(void)
{
	return multiply_is_right(shared.plan) ? SAME : DIFFERENT;
}

static int new_plan(void)
{
	tulle_context *context = NULL;
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	int code = REFUSED;

	if (tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                   .threads = TEAM,
	                                                   .serial_below = -1 },
	                         &context) == TULLE_OK &&
	    tulle_matrix_from_csr(context, shared.m.rows, shared.m.cols, TULLE_I32, shared.arr.row_ptr,
	                          TULLE_I32, shared.arr.col, TULLE_F64, shared.arr.val, NULL,
	                          &a) == TULLE_OK &&
	    tulle_plan_create(a, NULL, &plan) == TULLE_OK)
		code = multiply_is_right(plan) ? SAME : DIFFERENT;
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	return code;
}

/* Fork again: a grandchild must be as safe as a child. */
static int grandchild(void)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(old_plan());
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return REFUSED;
	return WEXITSTATUS(status);
}

static void meet(const void *arg, int64_t part)
{
	const uintptr_t all = (uintptr_t)arg;

	(void)part;
	pthread_barrier_wait((pthread_barrier_t *)all);
}

/* Parts that wait for each other: as many threads as parts are needed. */
static int own_team(void)
{
	pthread_barrier_t all;
	tulle__env env;

	inner_env(&env, TULLE__SCALAR);
	env.threads = TEAM;
	env.serial_below = -1;
	pthread_barrier_init(&all, NULL, TEAM);
	tulle__run_parts(&env, meet, &all, TEAM, 1);
	return SAME;
}

static int nothing(void)
{
	return SAME;
}

static const struct {
	const char *name;
	int (*run)(void);
} tasks[] = { { "multiplies", old_plan },
	          { "plans anew", new_plan },
	          { "forks again", grandchild },
	          { "has a team of its own", own_team },
	          { "only ends", nothing } };

enum { TASKS = sizeof tasks / sizeof *tasks };

/* The child ends by exit(), so that destructors and exit handlers run in it too, or by _exit(). */
static void check_child(int task, void (*end)(int))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(SECONDS);
		end(tasks[task].run());
	}
	if (!CHECK_THAT(pid > 0 && waitpid(pid, &status, 0) == pid, "fork"))
		return;
	CHECK_THAT(!WIFSIGNALED(status), "a child that %s: signal %d%s", tasks[task].name,
	           WTERMSIG(status), WTERMSIG(status) == SIGALRM ? ", it hung" : "");
	CHECK_THAT(!WIFEXITED(status) || WEXITSTATUS(status) == SAME, "a child that %s: %s",
	           tasks[task].name, WEXITSTATUS(status) == DIFFERENT ? "other bits" : "refused");
}

/* A family of its own, in which the caller's OpenMP has run but none of tulle's teams. */
static void check_callers_openmp(void)
{
	int status = 0;
	const pid_t pid = fork();

	if (pid == 0) {
		int sum = 0;

		alarm(2 * SECONDS);
#pragma omp parallel num_threads(4) reduction(+ : sum)
		sum++;
		if (sum == 4)
			check_child(1, exit);
		exit(sum != 4 || check_failures() > 0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK_THAT(WIFEXITED(status) && WEXITSTATUS(status) == 0,
	           "after the caller's own parallel region");
}

/* ---- forks while another thread has the team ---- */

static atomic_int stop;

static void *keep_multiplying(void *arg)
{
	double *y = grab(shared.m.rows, sizeof *y);

	(void)arg;
	while (!atomic_load(&stop))
		CHECK_OK(tulle_mul_f64(shared.plan, 1, shared.x, 0, y));
	free(y);
	return NULL;
}

static void check_while_at_work(int children)
{
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, keep_multiplying, NULL), 0);
	/* What the other thread holds is nobody's in a child: a leak, for a sanitizer that looks at exit. */
	for (int n = 0; n < children && check_failures() == 0; n++)
		check_child(n % TASKS, _exit);
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
	check_group("%d children of a process whose other thread multiplies", children);
}

static void make_matrix(void)
{
	shared.m = matrix_large(2);
	shared.arr = cast(&shared.m, pairs[0], TULLE_F64, 0);
	shared.x = grab(shared.m.cols, sizeof *shared.x);
	shared.y = grab(shared.m.rows, sizeof *shared.y);
	shared.want = grab(shared.m.rows, sizeof *shared.want);
	for (int64_t j = 0; j < shared.m.cols; j++)
		shared.x[j] = 1.0 / (double)(1 + j % 997);
}

/* The bits to expect, made without a team. */
static void multiply_serially(void)
{
	tulle_context *context = context_for(NULL, 1, 0);
	tulle_matrix *a = borrow(context, &shared.m, pairs[0], TULLE_F64, &shared.arr);
	tulle_plan *plan = plan_for(a, NULL, TULLE_NORMAL);

	CHECK_OK(tulle_mul_f64(plan, 1, shared.x, 0, shared.want));
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const int children = o.full ? 400 : 100;

	make_matrix();
	multiply_serially();
	check_callers_openmp();
	check_group("child of a process that used OpenMP by itself");

	shared.context = context_for(NULL, TEAM, -1);
	shared.matrix = borrow(shared.context, &shared.m, pairs[0], TULLE_F64, &shared.arr);
	shared.plan = plan_for(shared.matrix, NULL, TULLE_NORMAL);
	CHECK(multiply_is_right(shared.plan));
	CHECK_EQUAL(context_info(shared.context).last_team, TEAM);
	for (int n = 0; n < children && check_failures() == 0; n++)
		check_child(n % TASKS, exit);
	check_group("%d children of a process that multiplied in parallel", children);
	check_while_at_work(children);

	CHECK(multiply_is_right(shared.plan));
	CHECK_EQUAL(context_info(shared.context).last_team, TEAM); /* the parent has lost nothing */
	tulle_plan_destroy(shared.plan);
	tulle_matrix_destroy(shared.matrix);
	tulle_context_destroy(shared.context);
	arrays_free(&shared.arr);
	matrix_free(&shared.m);
	free(shared.x);
	free(shared.y);
	free(shared.want);
	return check_end();
}
