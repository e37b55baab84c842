/* tasks.h -- scheduler statistics of the threads of this process. */
#ifndef BENCH_TASKS_H
#define BENCH_TASKS_H

/* Seconds that threads of ours were ready to run and waited for a core, since the process began. A team of two
 * may wait for a whole time slice of another process at every barrier, while a serial loop only loses its
 * share. So a sample with such waits says nothing about the contenders. 0 if the kernel does not report it. */
double bench_waited(void);

/* Waits, for a short time at most, until the other threads of this process sleep. Threads of an OpenMP runtime
 * spin after a product, on the core that the next contender's team needs. bench_waited() does not show a thread
 * that never gets a core: the kernel adds a wait when the wait ends. */
void bench_settle(void);

/* Restarts the program with OpenMP runtimes that spin for about 1 ms instead of up to 200 ms, so that
 * bench_settle() is short. A contender's products follow each other within microseconds, so its own threads are
 * still awake. The restart is necessary because the variables are read when a runtime is loaded. Variables that
 * the user has set are kept. Returns only if the program was restarted before, or if the restart fails. */
void bench_shorten_spins(char **argv);

#endif
