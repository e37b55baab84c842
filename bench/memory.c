/* memory.c -- arrays in pages of a known size; how much memory is left, and how much we hold. */
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

void *bench_array_in(bench_pages pages, int64_t count, size_t size)
{
	size_t bytes = (size_t)count * size + LINE;
	int large = bytes >= LARGE;
	void *array;
	if (posix_memalign(&array, large ? HUGE_PAGE : LINE, bytes))
		return NULL;
	/* A hint: if it is refused, the kernel chooses the page size. */
	if (large)
		(void)madvise(array, bytes / HUGE_PAGE * HUGE_PAGE,
		              pages == BENCH_HUGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return array;
}

void *bench_array(int64_t count, size_t size)
{
	return bench_array_in(BENCH_HUGE_PAGES, count, size);
}

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
