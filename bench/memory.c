/* memory.c -- how much memory the machine has left, and how much of it this process holds. */
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

double bench_memory_free(void)
{
	double bytes = INFINITY, kib;
	char line[256];
	FILE *file = fopen("/proc/meminfo", "r");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
			bytes = 1024 * kib;
	if (file)
		fclose(file);
	return bytes;
}

double bench_memory_held(void)
{
	double all, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file && fscanf(file, "%lf %lf", &all, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident * (double)sysconf(_SC_PAGESIZE);
}
