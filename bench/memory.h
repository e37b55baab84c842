/* memory.h -- how much memory the machine has left, and how much of it this process holds. */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

/* Bytes that may still be taken without swapping; infinite where the kernel does not tell. */
double bench_memory_free(void);

/* Bytes of this process that are in memory now; 0 where the kernel does not tell. */
double bench_memory_held(void);

#endif
