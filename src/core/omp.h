/* omp.h -- what the process's OpenMP runtime says, and what is assumed where there is none.
 *
 * The library needs no OpenMP. But the program around it may have one, and it is the means by which
 * users say how many threads they want. */
#ifndef TULLE_CORE_OMP_H
#define TULLE_CORE_OMP_H

#include <pthread.h>

/* The most threads of a team. */
enum { TULLE__MAX_THREADS = 4096 };

/* Is the calling thread inside a parallel region of the program? */
int tulle__omp_in_parallel(void);

/* The threads to use when a context does not say: the runtime's number for this thread; without a
 * runtime $OMP_NUM_THREADS, else tulle__cpus(). */
int tulle__omp_threads(void);

/* Where OMP_PROC_BIND binds threads: let thread `number` of a team be created at the place of that
 * number. Otherwise it would inherit the single place that the calling thread is bound to. */
void tulle__omp_place(int number, pthread_attr_t *attr);

/* The CPUs that the process may use, as far as the calling thread can tell: those that it may run on, but
 * no more than its control groups grant time for (core/cgroup.h). With more threads than that a team
 * would use up its time early in each period of the scheduler, and stand still until the next. */
int tulle__cpus(void);

#endif
