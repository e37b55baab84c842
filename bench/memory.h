/* memory.h -- arrays in pages of a known size; how much memory is left, and how much we hold. */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

typedef enum { BENCH_SMALL_PAGES, BENCH_HUGE_PAGES } bench_pages;

/* An array that begins at a huge page if it is large (4 MiB), else at a cache line, and requests
 * pages of that kind from the kernel. Released by free(); NULL if memory is exhausted. */
void *bench_array_in(bench_pages pages, int64_t count, size_t size);

/* The same for x, y and the CSR arrays, which all contenders use: always in huge pages. */
void *bench_array(int64_t count, size_t size);

/* Bytes that can still be allocated without swapping; infinite if the kernel does not report it. */
double bench_memory_free(void);

/* Resident bytes of this process; 0 if the kernel does not report it. */
double bench_memory_held(void);

#endif
