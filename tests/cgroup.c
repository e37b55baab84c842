/* cgroup.c -- the CPU limit of control groups, read from files that this test writes. */
#include "core/cgroup.h"

#include "check.h"
#include "core/omp.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 6 };

typedef struct {
	const char *path, *text; /* below the root of the case */
} fake_file;

#define GROUPS "proc/self/cgroup"
#define V2 "sys/fs/cgroup/"
#define V1 "sys/fs/cgroup/cpu/"
#define QUOTA "cpu.cfs_quota_us"
#define PERIOD "cpu.cfs_period_us"

static const struct {
	const char *name;
	int cpus;
	fake_file files[MOST_FILES];
} cases[] = {
	{ "no file at all", 0, { { NULL, NULL } } },
	{ "empty file of groups", 0, { { GROUPS, "" } } },
	{ "version 2, no limit", 0, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "max 100000\n" } } },
	{ "version 2", 2, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "200000 100000\n" } } },
	{ "rounded up", 2, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "100001 100000\n" } } },
	{ "less than one CPU", 1, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "1000 100000\n" } } },
	{ "the parent grants less",
	  3,
	  { { GROUPS, "0::/a/b/c\n" },
	    { V2 "a/cpu.max", "300000 100000\n" },
	    { V2 "a/b/cpu.max", "max 100000\n" },
	    { V2 "a/b/c/cpu.max", "800000 100000\n" } } },
	{ "the parent grants more",
	  2,
	  { { GROUPS, "0::/a/b\n" },
	    { V2 "a/cpu.max", "800000 100000\n" },
	    { V2 "a/b/cpu.max", "200000 100000\n" } } },
	{ "a group of the host, seen from a container",
	  4,
	  { { GROUPS, "0::/docker/0123\n" }, { V2 "cpu.max", "400000 100000\n" } } },
	{ "a group outside of the namespace",
	  4,
	  { { GROUPS, "0::/../b\n" },
	    { V2 "cpu.max", "400000 100000\n" },
	    { "sys/fs/b/cpu.max", "100000 100000\n" } } },
	{ "no period", 0, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "200000\n" } } },
	{ "no number", 0, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "many 100000\n" } } },
	{ "period 0", 0, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "200000 0\n" } } },
	{ "negative", 0, { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "-200000 100000\n" } } },
	{ "more than any team",
	  0,
	  { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "99999999999999 1\n" } } },
	{ "beyond 64 bits",
	  0,
	  { { GROUPS, "0::/a\n" }, { V2 "a/cpu.max", "99999999999999999999999 100000\n" } } },
	{ "version 1",
	  3,
	  { { GROUPS, "4:memory:/m\n2:cpu,cpuacct:/a\n1:name=systemd:/\n" },
	    { V1 "a/" QUOTA, "250000\n" },
	    { V1 "a/" PERIOD, "100000\n" } } },
	{ "version 1, no limit",
	  0,
	  { { GROUPS, "2:cpuacct,cpu:/\n" }, { V1 QUOTA, "-1\n" }, { V1 PERIOD, "100000\n" } } },
	{ "version 1, another controller",
	  0,
	  { { GROUPS, "2:cpuset:/a\n" },
	    { V1 "a/" QUOTA, "100000\n" },
	    { V1 "a/" PERIOD, "100000\n" } } },
	{ "both versions",
	  2,
	  { { GROUPS, "2:cpu:/a\n0::/a\n" },
	    { V1 "a/" QUOTA, "200000\n" },
	    { V1 "a/" PERIOD, "100000\n" },
	    { V2 "unified/a/cpu.max", "100000 100000\n" } } },
	{ "lines that are none",
	  0,
	  { { GROUPS, "::\n:\nx\n0:\n" }, { V2 "cpu.max", "max 100000\n" } } },
};

static void write_file(const char *root, const fake_file *file)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof path, "%s/%s", root, file->path);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	out = fopen(path, "w");
	if (CHECK(out)) {
		CHECK(fputs(file->text, out) >= 0);
		CHECK_EQUAL(fclose(out), 0);
	}
}

static void remove_tree(const char *root)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof command, "rm -r '%s'", root);
	CHECK_EQUAL(system(command), 0);
}

int main(void)
{
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		char root[] = "cgroup-XXXXXX";

		check_about("%s", cases[n].name);
		if (!CHECK(mkdtemp(root)))
			break;
		for (int f = 0; f < MOST_FILES && cases[n].files[f].path; f++)
			write_file(root, &cases[n].files[f]);
		CHECK_EQUAL(tulle__cgroup_cpus(root), cases[n].cpus);
		remove_tree(root);
	}
	check_about("this machine");
	CHECK(tulle__cgroup_cpus("") >= 0);
	CHECK(tulle__cpus() > 0 &&
	      (tulle__cgroup_cpus("") == 0 || tulle__cpus() <= tulle__cgroup_cpus("")));
	return check_end();
}
