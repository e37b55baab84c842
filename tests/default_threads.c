/* default_threads.c -- how many threads a call has when neither context nor OpenMP says it.
 *
 * This program has no OpenMP runtime. The number is read once in a process, so each case is a child. */
#include "core/cgroup.h"
#include "support.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPUS = 0 }; /* one for each CPU */

static const struct {
	const char *variable;
	int threads;
} cases[] = {
	{ NULL, CPUS },   { "", CPUS },     { "3", 3 },
	{ " 5 ", 5 },     { "4,2", 4 },     { "4 , 2", 4 },
	{ "4096", 4096 }, { "4097", CPUS }, { "0", CPUS },
	{ "-2", CPUS },   { "many", CPUS }, { "3x", CPUS },
	{ "2.5", CPUS },  { ",3", CPUS },   { "99999999999999999999", CPUS },
};

static int threads_now(const char *variable)
{
	if (variable)
		setenv("OMP_NUM_THREADS", variable, 1);
	else
		unsetenv("OMP_NUM_THREADS");
	return context_info(NULL).threads;
}

static int cpus(void)
{
	const int granted = tulle__cgroup_cpus("");
	cpu_set_t set;
	int count;

	CHECK_EQUAL(sched_getaffinity(0, sizeof set, &set), 0);
	count = CPU_COUNT(&set);
	return granted > 0 && granted < count ? granted : count;
}

static void check_case(const char *variable, int want)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(threads_now(variable) != want);
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK_THAT(status == 0, "OMP_NUM_THREADS = \"%s\": not %d threads",
	           variable ? variable : "(not set)", want);
}

/* A process that may use one CPU only. */
static void check_bound(void)
{
	cpu_set_t before, one;
	int first = 0;

	CHECK_EQUAL(sched_getaffinity(0, sizeof before, &before), 0);
	while (first < CPU_SETSIZE - 1 && !CPU_ISSET((size_t)first, &before))
		first++;
	CPU_ZERO(&one);
	CPU_SET((size_t)first, &one);
	CHECK_EQUAL(sched_setaffinity(0, sizeof one, &one), 0);
	check_case(NULL, 1);
	check_case("3", 3);
	CHECK_EQUAL(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
		check_case(cases[n].variable, cases[n].threads == CPUS ? cpus() : cases[n].threads);
	check_bound();
	return check_end();
}
