/* no_memory.c -- allocations fail: number N of the process, or all from it on.
 *
 * Loaded by LD_PRELOAD; TULLE_TEST_MEMORY is "N" or "N+", and the file TULLE_TEST_COUNTED gets the number of allocations at the
 * end. The loader and OpenMP's runtime are left alone: they end the process when they get no memory. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc's names. NOLINTBEGIN(*-reserved-identifier,readability-identifier-naming) */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);
/* NOLINTEND(*-reserved-identifier,readability-identifier-naming) */

static atomic_long allocations;

static int is_left_alone(const void *caller)
{
	Dl_info of;

	return !dladdr(caller, &of) || strstr(of.dli_fname, "/ld-") || strstr(of.dli_fname, "omp");
}

static int fails(const void *caller)
{
	static _Thread_local int inside; /* dladdr() must not count itself */
	const char *wanted;
	char *all;
	long n, at;

	if (inside)
		return 0;
	inside = 1;
	wanted = getenv("TULLE_TEST_MEMORY");
	n = is_left_alone(caller) ? 0 : atomic_fetch_add(&allocations, 1) + 1;
	inside = 0;
	at = wanted ? strtol(wanted, &all, 10) : 0;
	if (n == 0 || at == 0 || (*all == '+' ? n < at : n != at))
		return 0;
	errno = ENOMEM;
	return 1;
}

#define FAILS() fails(__builtin_return_address(0))

void *malloc(size_t bytes)
{
	return FAILS() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
	return FAILS() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t bytes)
{
	return FAILS() ? NULL : __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	return FAILS() ? NULL : __libc_memalign(align, bytes);
}

int posix_memalign(void **block, size_t align, size_t bytes)
{
	void *const got = FAILS() ? NULL : __libc_memalign(align, bytes);

	if (!got)
		return ENOMEM;
	*block = got;
	return 0;
}

static __attribute__((destructor)) void tell(void)
{
	const char *const path = getenv("TULLE_TEST_COUNTED");
	const long n = atomic_load(&allocations);
	FILE *const f = path ? fopen(path, "w") : NULL;

	if (f) {
		fprintf(f, "%ld\n", n);
		fclose(f);
	}
}
