/* online_failing.c -- options.online without memory, without a thread, after fork(), and with options that exclude
 * it: the plan stays with csr, and nothing fails. */
#include "heap.h"
#include "online_stage.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#define THREAD_SANITIZER __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#else
#define THREAD_SANITIZER 0
#endif

/* Compared and converted by one job. */
static void begin_job(stage *g, tulle_op op, const tulle_plan_options *o)
{
	hooks.convert = 0;
	set_up(g, op, o);
	multiply_times(g, COMPARED_AT, BY_CSR);
}

/* It has stayed with csr, and says why. */
static void check_stayed(stage *g, const char *words)
{
	tulle_plan_info info;

	wait_for_phase(g, TULLE_ONLINE_STAYED);
	heap.fail_at = 0;
	info = info_of(g);
	CHECK(!strcmp(info.format, "csr"));
	CHECK_WORDS(info.online_why, words);
	multiply_times(g, 3, BY_CSR);
	update(g, 1);
	multiply_by(g, BY_CSR);
}

/* ---- memory ---- */

/* Allocation n of the job fails, until there are so few that none does. */
static int fails_at(long n, tulle_op op)
{
	tulle_online_phase phase;
	stage g;

	check_about("allocation %ld fails", n);
	reset_hooks();
	hooks.refuse = COMPARING;
	hooks.refused = n;
	begin_job(&g, op, NULL);
	while ((phase = info_of(&g).online) != TULLE_ONLINE_STAYED && phase != TULLE_ONLINE_CONVERTED)
		continue;
	if (phase == TULLE_ONLINE_STAYED)
		check_stayed(&g, "the conversion failed: the allocator refused");
	else
		CHECK(heap.asked < n);
	tear_down(&g);
	return phase == TULLE_ONLINE_STAYED;
}

void test_no_memory(void)
{
	static const tulle_op ops[] = { TULLE_NORMAL, TULLE_TRANSPOSED };

	for (int o = 0; o < 2; o++) {
		long n = 1;

		while (fails_at(n, ops[o]) && check_failures() == 0)
			n++;
		CHECK_THAT(n > 5, "only %ld allocations failed", n - 1);
	}
}

void test_memory_limits(void)
{
	const tulle_plan_options tight = { .size = sizeof tight, .max_bytes = 1000 };
	stage g;

	check_about("max_bytes");
	reset_hooks();
	begin_job(&g, TULLE_NORMAL, &tight);
	check_stayed(&g, "no conversion would pay off");
	tear_down(&g);
}

/* ---- threads ---- */

void test_no_thread(void)
{
	for (int n = 1; n <= 2; n++) {
		stage g;

		check_about("thread %d is not created", n);
		reset_hooks();
		hooks.refused_creation = n;
		set_up(&g, TULLE_NORMAL, NULL);
		multiply_times(&g, COMPARED_AT, BY_CSR);
		if (n == 2) {
			wait_until_compared(&g);
			while (hooks.creates < 2 && check_failures() == 0)
				multiply_by(&g, BY_CSR);
		}
		check_stayed(&g, "no thread could be created");
		CHECK_EQUAL(hooks.creates, n);
		tear_down(&g);
	}
}

/* ---- options ---- */

static void check_excluded(const stage *g, tulle_plan_options o, const char *words)
{
	tulle_plan *p = NULL;

	o.size = sizeof o;
	CHECK_STATUS(tulle_plan_create(g->matrix, &o, &p), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), words);
	tulle_plan_destroy(p);
}

void test_options(void)
{
	stage g;

	check_about("options");
	reset_hooks();
	set_up(&g, TULLE_NORMAL, NULL);
	check_excluded(&g, (tulle_plan_options){ .online = 2 }, "options.online = 2");
	check_excluded(&g, (tulle_plan_options){ .online = 1, .format = "sell" }, "options.format");
	check_excluded(&g, (tulle_plan_options){ .online = 1, .reproducible = 1 },
	               "options.reproducible");
	check_excluded(&g, (tulle_plan_options){ .online = 1, .lossy = 1 }, "options.lossy");
	check_excluded(&g, (tulle_plan_options){ .online = 1, .effort = TULLE_MEASURE },
	               "options.effort");
	check_excluded(&g, (tulle_plan_options){ .online = 1, .op = TULLE_BOTH },
	               "options.op = TULLE_BOTH: one plan for each direction, with TULLE_TRANSPOSED");
	tear_down(&g);
}

/* ---- fork ---- */

enum { CHILD_SECONDS = 20 };

/* What a child does with the plan: it has no thread that converts. */
static int use_in_child(stage *g)
{
	tulle_plan_info info;

	multiply_times(g, CONVERTED_AT, BY_CSR);
	info = info_of(g);
	CHECK_EQUAL(info.online, TULLE_ONLINE_STAYED);
	CHECK_WORDS(info.online_why, "forked");
	update(g, 1);
	multiply_times(g, CONVERTED_AT, BY_CSR);
	tulle_plan_destroy(g->plan);
	g->plan = plan_for(g->matrix, NULL, g->op); /* no lock is held by nobody */
	g->values = 0;
	CHECK_OK(tulle_mul_f64(g->plan, 1, g->x, 0, g->y));
	tulle_plan_destroy(g->plan);
	return check_failures() > 0;
}

static void test_fork_at(const char *line)
{
	int status = 0;
	pid_t pid;
	stage g;

	check_about("fork at \"%s\"", line);
	reset_hooks();
	hooks.convert = 0;
	set_up(&g, TULLE_NORMAL, NULL);
	hooks.hold = line;
	multiply_until_held(&g);
	pid = fork();
	if (pid == 0) {
		alarm(CHILD_SECONDS);
		_exit(use_in_child(&g));
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK_THAT(!WIFSIGNALED(status), "signal %d%s", WTERMSIG(status),
	           WTERMSIG(status) == SIGALRM ? ", the child hung" : "");
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	let_go();
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	multiply_by(&g, BY_SELL);
	tear_down(&g);
}

/* A child may convert by itself what its parent had only compared. */
static void test_fork_before(void)
{
	int status = 0;
	pid_t pid;
	stage g;

	check_about("fork before the conversion");
	reset_hooks();
	set_up(&g, TULLE_NORMAL, NULL);
	multiply_times(&g, COMPARED_AT, BY_CSR);
	wait_until_compared(&g);
	pid = fork();
	if (pid == 0) {
		alarm(CHILD_SECONDS);
		hooks.hold = CONVERTED;
		multiply_until_held(&g);
		let_go();
		wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
		multiply_by(&g, BY_SELL);
		tulle_plan_destroy(g.plan);
		_exit(check_failures() > 0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	tear_down(&g);
}

void test_fork(void)
{
	if (THREAD_SANITIZER)
		return; /* it allows no threads after fork() */
	test_fork_at(COMPARING);
	test_fork_at(CONVERTING);
	test_fork_at(CONVERTED);
	test_fork_before();
}
