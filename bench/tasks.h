/* tasks.h -- what the kernel says about the threads of this process. */
#ifndef BENCH_TASKS_H
#define BENCH_TASKS_H

/* Seconds that threads of ours were ready to run and waited for a core, since the process began. A
 * team of two waits out whole time slices of another process at every barrier where a serial loop
 * loses its share only, so a sample with such waits says nothing about the contenders. 0 where the
 * kernel does not tell. */
double bench_waited(void);

/* Let the other threads of this process fall asleep, for a moment at most. Threads of an OpenMP runtime
 * spin after a product, on the core that the next contender's team needs. A thread that gets no core at
 * all does not show in bench_waited(): the kernel adds a wait when it ends. */
void bench_settle(void);

/* Start the program again with OpenMP runtimes that spin for about 1 ms instead of up to 200, so that
 * bench_settle() takes no longer. A contender's products follow each other within microseconds: its own threads
 * are still awake. The variables are read when a runtime is loaded, hence the new start. Variables that the
 * user has set stay. Returns only where that was done before, or fails. */
void bench_shorten_spins(char **argv);

#endif
