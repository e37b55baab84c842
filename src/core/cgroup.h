/* cgroup.h -- the CPU limit of this process's control groups. */
#ifndef TULLE_CORE_CGROUP_H
#define TULLE_CORE_CGROUP_H

/* The limit in CPUs, rounded up: a container with 1.5 CPUs gets 2. The least limit of the process's own
 * group and of all groups above it, of version 2 (cpu.max) and version 1 (cpu.cfs_quota_us); 0: no limit,
 * or none that can be read. `root` is put before the paths /proc and /sys: "" except in tests. */
int tulle__cgroup_cpus(const char *root);

#endif
