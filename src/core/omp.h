/* omp.h -- settings of the process's OpenMP runtime, and defaults if there is none.
 *
 * The library needs no OpenMP. But the program may use OpenMP, and users set the number of threads
 * through it. */
#ifndef TULLE_CORE_OMP_H
#define TULLE_CORE_OMP_H

#include <pthread.h>

/* Maximum number of threads of a team. */
enum { TULLE__MAX_THREADS = 4096 };

/* Is the calling thread inside a parallel region of the program? */
int tulle__omp_in_parallel(void);

/* The number of threads if a context does not set it: that of the runtime for this thread; without
 * a runtime $OMP_NUM_THREADS, otherwise tulle__cpus(). */
int tulle__omp_threads(void);

/* If OMP_PROC_BIND binds threads: create thread `number` of a team at the place of that number.
 * Otherwise it would inherit the single place of the calling thread. */
void tulle__omp_place(int number, pthread_attr_t *attr);

/* The number of CPUs that the process may use: those in the affinity mask of the calling thread, but no
 * more than the limit of its control groups (core/cgroup.h). With more threads, a team would use up its
 * quota early in each scheduler period, and be stopped until the next. */
int tulle__cpus(void);

#endif
