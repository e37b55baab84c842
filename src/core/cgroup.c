/* cgroup.c -- reads the CPU limits of control groups, versions 1 and 2.
 *
 * The mount points are the usual ones. A container often sees its own group as the root of the mount
 * while /proc names it by the path of the host: folders that do not exist are skipped on the way up
 * to the mount point, so the limit is found in either case. */
#include "core/cgroup.h"

#include "core/omp.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a small file, at most size - 1 bytes; 0: it cannot be read. */
static int read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length;

	if (!file)
		return 0;
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
	return length > 0;
}

/* A quota of CPU time per period, both in microseconds, as CPUs; 0: no limit. */
static int cpus_of(long long quota, long long period)
{
	if (quota <= 0 || period <= 0 || (quota - 1) / period >= TULLE__MAX_THREADS)
		return 0;
	return (int)((quota - 1) / period) + 1;
}

/* "200000 100000", or "max 100000" for no limit. */
static int limit_v2(const char *folder)
{
	char path[PATH_MAX], text[64], *end, *last;
	long long quota, period;

	if (snprintf(path, sizeof path, "%s/cpu.max", folder) >= (int)sizeof path ||
	    !read_text(path, text, sizeof text))
		return 0;
	quota = strtoll(text, &end, 10);
	period = strtoll(end, &last, 10);
	return end > text && last > end ? cpus_of(quota, period) : 0;
}

static long long number_in(const char *folder, const char *name)
{
	char path[PATH_MAX], text[64];

	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
	    !read_text(path, text, sizeof text))
		return 0;
	return strtoll(text, NULL, 10);
}

/* The quota is -1 for no limit. */
static int limit_v1(const char *folder)
{
	return cpus_of(number_in(folder, "cpu.cfs_quota_us"), number_in(folder, "cpu.cfs_period_us"));
}

static int least_limit(int a, int b)
{
	return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The least limit of `group` below a mount point, and of all groups above it. */
static int limit_upwards(const char *mount, const char *group, int (*limit)(const char *folder))
{
	const size_t top = strlen(mount);
	char folder[PATH_MAX];
	int cpus = 0;

	if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
		return 0;
	for (;;) {
		char *last;

		cpus = least_limit(cpus, limit(folder));
		last = strrchr(folder + top, '/');
		if (!last)
			return cpus;
		*last = '\0';
	}
}

/* Is `name` one of a list such as "cpu,cpuacct"? */
static int lists(const char *list, const char *name)
{
	const size_t length = strlen(name);

	while (*list != '\0') {
		const size_t word = strcspn(list, ",");

		if (word == length && strncmp(list, name, length) == 0)
			return 1;
		list += word + (list[word] == ',');
	}
	return 0;
}

/* One line of /proc/self/cgroup, ID:CONTROLLERS:GROUP. The line of version 2 has no controllers. */
static int limit_of_line(const char *root, char *line)
{
	char *controllers = strchr(line, ':'),
	     *group = controllers ? strchr(controllers + 1, ':') : NULL;
	char mount[PATH_MAX];

	if (!group)
		return 0;
	*controllers++ = '\0';
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	if (strstr(group, "/.."))
		group = ""; /* a group that this process cannot see: only the mount point is read */
	if (*controllers == '\0') {
		snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
		return limit_upwards(mount, group, limit_v2);
	}
	if (!lists(controllers, "cpu"))
		return 0;
	snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/cpu", root);
	return limit_upwards(mount, group, limit_v1);
}

int tulle__cgroup_cpus(const char *root)
{
	char line[PATH_MAX];
	int cpus = 0;
	FILE *file;

	if (snprintf(line, sizeof line, "%s/proc/self/cgroup", root) >= (int)sizeof line)
		return 0;
	file = fopen(line, "re");
	while (file && fgets(line, sizeof line, file))
		cpus = least_limit(cpus, limit_of_line(root, line));
	if (file)
		fclose(file);
	return cpus;
}
