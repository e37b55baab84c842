/* memory.c -- files with too little memory: the status says what was short, and never that a good file
 * is damaged.
 *
 * Usage: memory [--zlib]. With --zlib ISA-L is not found, as on a machine without it. */
#include "files.h"
#include "heap.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hide_isal, isal_found;

void *real_dlopen(const char *name, int flags) __asm__("__real_dlopen");
void *my_dlopen(const char *name, int flags) __asm__("__wrap_dlopen");

/* The library's own dlopen comes here (-Wl,--wrap=dlopen). */
void *my_dlopen(const char *name, int flags)
{
	const int isal = name && strstr(name, "libisal");
	void *const library = isal && hide_isal ? NULL : real_dlopen(name, flags);

	isal_found |= isal && library;
	return library;
}

/* ---- files ---- */

enum { N = 400 }; /* the text is longer than a first look at it, so that zlib wants its window */

typedef struct {
	const char *name;
	int packed;
} sample;

static const sample samples[] = {
	{ "m.mtx", 0 }, { "m.mtx.gz", 1 }, { "m.tar", 0 }, { "m.tar.gz", 1 }
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void make_samples(void)
{
	bytes text = { 0 }, tar = { 0 }, z = { 0 };

	bytes_print(&text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", N, N, N);
	for (int n = 1; n <= N; n++)
		bytes_print(&text, "%d %d %d\n", n, n * 7919 % N + 1, n * n);
	bytes_add(&text, "", 1);
	bytes_add_tar(&tar, "m/m.mtx", text.at);
	bytes_add_tar(&tar, NULL, NULL);
	file_put("m.mtx", text.at, text.count - 1);
	file_put("m.tar", tar.at, tar.count);
	bytes_add_gzip(&z, text.at, text.count - 1);
	file_put("m.mtx.gz", z.at, z.count);
	z.count = 0;
	bytes_add_gzip(&z, tar.at, tar.count);
	file_put("m.tar.gz", z.at, z.count);
	free(text.at);
	free(tar.at);
	free(z.at);
}

/* ---- calls ---- */

/* Reads, or reads and writes again; nothing stays. */
static tulle_status run(tulle_context *context, const sample *s, int write)
{
	tulle_matrix_info info = { .size = sizeof info };
	tulle_matrix *a = NULL;
	tulle_status status = tulle_matrix_read(context, file_path(s->name), NULL, &a);

	if (status == TULLE_OK) {
		CHECK_OK(tulle_matrix_describe(a, &info));
		CHECK_EQUAL(info.nnz, N);
		if (write)
			status = tulle_matrix_write(a, file_path(s->packed ? "out.mtx.gz" : "out.mtx"), NULL);
	} else {
		CHECK(a == NULL);
	}
	tulle_matrix_destroy(a);
	return status;
}

/* Allocation k fails, once or for ever. ISA-L's state may be refused once: zlib then does the work. */
static void check_allocations(const sample *s, int write, int for_ever)
{
	const tulle_context_options how = {
		.size = sizeof how, .threads = 1, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	tulle_context *context = NULL;
	int good = 0;
	long k;

	heap.fail_at = 0;
	CHECK_OK(tulle_context_create(&how, &context));
	for (k = 1; k < 1000; k++) {
		const long before = atomic_load(&heap.live_blocks);
		tulle_status status;

		check_about("%s, %s, allocation %ld fails %s", s->name, write ? "written" : "read", k,
		            for_ever ? "for ever" : "once");
		atomic_store(&heap.asked, 0);
		heap.for_ever = for_ever;
		heap.fail_at = k;
		status = run(context, s, write);
		CHECK_EQUAL(atomic_load(&heap.live_blocks), before);
		if (atomic_load(&heap.asked) < k) {
			CHECK_STATUS(status, TULLE_OK);
			break; /* no k-th allocation any more */
		}
		good += status == TULLE_OK;
		if (status != TULLE_OK) {
			CHECK_STATUS(status, TULLE_E_MEMORY);
			if (!write)
				CHECK_WORDS(tulle_last_error(), s->name);
		}
	}
	CHECK_THAT(k > 5 && k < 1000, "%ld allocations", k);
	CHECK_THAT(good <= (s->packed && isal_found && !for_ever), "%d calls did without", good);
	heap.fail_at = 0;
	tulle_context_destroy(context);
	CHECK_EQUAL(atomic_load(&heap.live_blocks), 0);
}

static int fits(const sample *s, int write, size_t limit)
{
	const tulle_context_options how = { .size = sizeof how, .threads = 1, .memory_limit = limit };
	tulle_context *context = NULL;
	tulle_status status;

	check_about("%s, %s, limit %zu", s->name, write ? "written" : "read", limit);
	CHECK_OK(tulle_context_create(&how, &context));
	status = run(context, s, write);
	if (status != TULLE_OK) {
		CHECK_STATUS(status, TULLE_E_LIMIT);
		CHECK_WORDS(tulle_last_error(), "limit bytes");
	}
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return status == TULLE_OK;
}

/* From nothing to enough, and closer and closer around the least that is enough. */
static void check_limits(const sample *s, int write)
{
	size_t enough = 1, low = 0;

	for (; enough < (size_t)1 << 28 && !fits(s, write, enough); enough += enough / 32 + 64)
		low = enough;
	CHECK(enough < (size_t)1 << 28 && low > 0);
	while (enough - low > 1) {
		const size_t middle = low + (enough - low) / 2;

		if (fits(s, write, middle))
			enough = middle;
		else
			low = middle;
	}
}

int main(int argc, char **argv)
{
	hide_isal = argc > 1 && strcmp(argv[1], "--zlib") == 0;
	make_samples();
	CHECK_OK(run(NULL, &samples[1], 0)); /* finds ISA-L */
	CHECK(!hide_isal || !isal_found);
	for (int n = 0; n < SAMPLES; n++) {
		for (int write = 0; write < 2; write++) {
			check_allocations(&samples[n], write, 0);
			check_allocations(&samples[n], write, 1);
			check_limits(&samples[n], write);
		}
		check_group("%s, %s", samples[n].name, isal_found ? "ISA-L" : "zlib");
	}
	return check_end();
}
