/* tasks.c -- waits and states of the threads of this process, from /proc. */
#include "tasks.h"

#include "timing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Longer than the threads of a runtime spin after bench_shorten_spins(). */
#define SETTLE_SECONDS 5e-3
#define LOOK_AGAIN_NS 100000L

/* The sum of look(file NAME of each thread). */
static double sum_over_threads(const char *name, double (*look)(FILE *))
{
	double sum = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
		char path[300];
		snprintf(path, sizeof path, "/proc/self/task/%s/%s", entry->d_name, name);
		FILE *file = fopen(path, "r");
		if (!file)
			continue;
		sum += look(file);
		fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}

static double delay_of(FILE *schedstat)
{
	unsigned long long ran, delay;
	return fscanf(schedstat, "%llu %llu", &ran, &delay) == 2 ? 1e-9 * (double)delay : 0;
}

double bench_waited(void)
{
	return sum_over_threads("schedstat", delay_of);
}

/* 1 for a thread that runs or is ready to. */
static double runs(FILE *stat)
{
	char line[256];
	const char *name_end = fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
	return name_end && strncmp(name_end, ") R", 3) == 0;
}

void bench_settle(void)
{
	double start = bench_now();
	/* The calling thread itself is running. */
	while (sum_over_threads("stat", runs) > 1 && bench_now() - start < SETTLE_SECONDS)
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_AGAIN_NS }, NULL);
}

void bench_shorten_spins(char **argv)
{
	static const char done[] = "TULLE_BENCH_SHORT_SPINS";

	if (getenv(done) || getenv("OMP_WAIT_POLICY"))
		return;
	setenv(done, "1", 1);
	setenv("GOMP_SPINCOUNT", "20000", 0); /* of a pause each, some 50 ns */
	setenv("KMP_BLOCKTIME", "1", 0);      /* ms */
	execv("/proc/self/exe", argv);
}
