/* memory.c -- the library's own allocator: where blocks begin, what is counted, which pages are huge.
 *
 * What the kernel was asked for stands in /proc/self/smaps: "hg" among the flags of a mapping. */
#include "support.h"

#include "core/memory.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIB = 1 << 20, HUGE_PAGE = 2 * MIB, HUGE_FROM = 4 * MIB };

/* Does this kernel know of huge pages at all? */
static int kernel_has_them(void)
{
	return access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0;
}

/* Was the kernel asked for huge pages at this address? */
static int asked_huge(const void *address)
{
	uintptr_t low, high;
	int here = 0, huge = -1;
	char line[512];
	FILE *maps = fopen("/proc/self/smaps", "r");

	while (maps && huge < 0 && fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &low, &high) == 2)
			here = low <= (uintptr_t)address && (uintptr_t)address < high;
		else if (here && strncmp(line, "VmFlags:", 8) == 0)
			huge = strstr(line, " hg") != NULL;
	}
	if (maps)
		fclose(maps);
	CHECK_THAT(huge >= 0, "/proc/self/smaps has no flags for %p", address);
	return huge == 1;
}

/* Bytes asked for -> is the block whole, where it should be, and counted as what it is? */
static void check_size(tulle__env *env, size_t bytes)
{
	const size_t held = atomic_load(&env->bytes_held);
	unsigned char *block;
	size_t own;

	check_about("%zu bytes", bytes);
	if (!CHECK_OK(tulle__alloc(env, (int64_t)bytes, 1, &block)))
		return;
	own = atomic_load(&env->bytes_held) - held;               /* with the line in front */
	CHECK_EQUAL(own, TULLE__ALIGN + (bytes > 0 ? bytes : 1)); /* an empty block has a byte */
	CHECK_EQUAL((uintptr_t)block % TULLE__ALIGN, 0);
	memset(block, 0xa5, bytes);
	if (own >= HUGE_FROM) {
		const unsigned char *start = block - TULLE__ALIGN;

		CHECK_THAT((uintptr_t)start % HUGE_PAGE == 0, "a large block begins inside a huge page");
		if (kernel_has_them())
			CHECK_THAT(asked_huge(start) && asked_huge(start + HUGE_PAGE),
			           "no huge pages were asked for");
		if (own % HUGE_PAGE != 0)
			CHECK_THAT(!asked_huge(start + own - 1),
			           "the end of the block may take a huge page for itself");
	}
	tulle__free(env, block);
	CHECK_EQUAL(atomic_load(&env->bytes_held), held);
}

/* A caller's allocator is handed back what it gave, and its pages are its own business. */
static void *own_alloc(void *user, size_t bytes, size_t align)
{
	void *block = NULL;

	CHECK_EQUAL(align, TULLE__ALIGN);
	*(size_t *)user += bytes;
	return posix_memalign(&block, HUGE_PAGE, bytes) == 0 ? block : NULL;
}

static void own_free(void *user, void *block, size_t bytes)
{
	*(size_t *)user -= bytes;
	free(block);
}

static void check_callers(void)
{
	size_t out = 0;
	tulle__env env = {
		.alloc = own_alloc, .free = own_free, .user = &out, .memory_limit = SIZE_MAX
	};
	unsigned char *block;

	check_about("a caller's allocator");
	if (!CHECK_OK(tulle__alloc(&env, 64 * MIB, 1, &block)))
		return;
	CHECK_EQUAL(out, (size_t)64 * MIB + TULLE__ALIGN);
	CHECK_THAT(!asked_huge(block), "the library chose the pages of a caller's block");
	tulle__free(&env, block);
	CHECK_EQUAL(out, 0);
}

int main(void)
{
	static const size_t sizes[] = { 0,
		                            1,
		                            4096,
		                            HUGE_FROM - TULLE__ALIGN - 1,
		                            HUGE_FROM - TULLE__ALIGN,
		                            HUGE_FROM,
		                            HUGE_FROM + HUGE_PAGE - TULLE__ALIGN,
		                            64 * MIB + 12345 };
	tulle__env env = { .alloc = tulle__default_alloc,
		               .free = tulle__default_free,
		               .memory_limit = SIZE_MAX };

	mallopt(M_MMAP_THRESHOLD, MIB); /* pages that were used before keep the marks of that use */
	for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
		check_size(&env, sizes[n]);
	CHECK_EQUAL(atomic_load(&env.blocks_held), 0);
	check_callers();
	return check_end();
}
