/* omp.c -- accesses the program's OpenMP runtime by weak references. They are NULL unless the runtime was
 * loaded, globally, before this library. */
#include "core/omp.h"

#include "core/cgroup.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

extern int omp_in_parallel(void) WEAK;
extern int omp_get_max_threads(void) WEAK;
extern int omp_get_proc_bind(void) WEAK;
extern int omp_get_num_places(void) WEAK;
extern int omp_get_place_num_procs(int place) WEAK;
extern void omp_get_place_proc_ids(int place, int *ids) WEAK;

int tulle__omp_in_parallel(void)
{
	return omp_in_parallel && omp_in_parallel();
}

/* 0 unless threads are bound: LLVM's runtime has one place of all CPUs even then. */
static int places(void)
{
	return omp_get_proc_bind && omp_get_num_places && omp_get_place_num_procs &&
	               omp_get_place_proc_ids && omp_get_proc_bind() != 0
	           ? omp_get_num_places()
	           : 0;
}

/* Read once: this opens a file per control group, and limits rarely change. */
static int granted_cpus(void)
{
	enum { UNKNOWN = -1 };
	static atomic_int known = UNKNOWN;
	int cpus = atomic_load_explicit(&known, memory_order_relaxed);

	if (cpus == UNKNOWN) {
		cpus = tulle__cgroup_cpus("");
		atomic_store_explicit(&known, cpus, memory_order_relaxed);
	}
	return cpus;
}

static int visible_cpus(void)
{
	const int bound = places();
	cpu_set_t set;
	long count = 0;

	for (int n = 0; n < bound; n++)
		count += omp_get_place_num_procs(n);
	if (count > 0)
		return (int)count;
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return CPU_COUNT(&set);
	count = sysconf(_SC_NPROCESSORS_ONLN); /* more CPUs than the set has room for */
	return count > 0 ? (int)count : 1;
}

int tulle__cpus(void)
{
	const int visible = visible_cpus(), granted = granted_cpus();

	return granted > 0 && granted < visible ? granted : visible;
}

void tulle__omp_place(int number, pthread_attr_t *attr)
{
	const int count = places(), place = count > 0 ? number % count : 0;
	const int procs = count > 0 ? omp_get_place_num_procs(place) : 0;
	int ids[CPU_SETSIZE];
	cpu_set_t set;

	if (procs <= 0 || procs > CPU_SETSIZE)
		return;
	omp_get_place_proc_ids(place, ids);
	CPU_ZERO(&set);
	for (int n = 0; n < procs; n++)
		if (ids[n] >= 0 && ids[n] < CPU_SETSIZE)
			CPU_SET((size_t)ids[n], &set);
	if (CPU_COUNT(&set) > 0)
		pthread_attr_setaffinity_np(attr, sizeof set, &set);
}

/* The first number of a list such as "4,2"; 0: missing or invalid. */
static int first_number(const char *list)
{
	char *end;
	const long number = strtol(list, &end, 10);

	while (*end == ' ' || *end == '\t')
		end++;
	return (*end == '\0' || *end == ',') && number > 0 && number <= TULLE__MAX_THREADS ? (int)number
	                                                                                   : 0;
}

/* Read once: other threads may change the environment later. */
static int assumed_threads(void)
{
	static atomic_int known;
	int threads = atomic_load_explicit(&known, memory_order_relaxed);

	if (threads == 0) {
		const char *list = getenv("OMP_NUM_THREADS");

		if (list)
			threads = first_number(list);
		if (threads == 0)
			threads = tulle__cpus();
		atomic_store_explicit(&known, threads, memory_order_relaxed);
	}
	return threads;
}

int tulle__omp_threads(void)
{
	return omp_get_max_threads ? omp_get_max_threads() : assumed_threads();
}
