/* memory.h -- arrays in pages of a known size; how much memory is left, and how much we hold. */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

typedef enum { BENCH_SMALL_PAGES, BENCH_HUGE_PAGES } bench_pages;

/* An array that begins at a huge page if it is large (4 MiB), else at a cache line, and asks the
 * kernel for pages of that kind. For free(); NULL when memory is short. */
void *bench_array_in(bench_pages pages, int64_t count, size_t size);

/* What all contenders read and write: x, y and the CSR arrays, in huge pages for everybody. */
void *bench_array(int64_t count, size_t size);

/* Bytes that may still be taken without swapping; infinite where the kernel does not tell. */
double bench_memory_free(void);

/* Bytes of this process that are in memory now; 0 where the kernel does not tell. */
double bench_memory_held(void);

#endif
