/* first_touch.c -- the pages of a converted matrix are touched first by the thread that will read them.
 *
 * On a machine with several memory nodes a page lies near the thread that touched it first. So the
 * large arrays are given out without access; the first touch of each page faults, and is noted with
 * the thread to which the running part is dealt in a team of LANES (lanes.c proves that dealing).
 * The library's tulle__run is replaced by one that runs the parts one after the other and knows
 * which one runs, so that the result depends on nothing but the conversion. Noted once while a plan
 * is made and, all pages closed again, once more while it multiplies: the two must agree. */
#include "support.h"

#include "core/format.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LANES = 8, PAGE = 4096, LARGE = 64 * PAGE, MOST_BLOCKS = 64, MOST_PAGES = 1 << 14 };

/* The least share of pages that must agree. */
#define FLOOR 0.85

typedef struct {
	unsigned char *begin;
	size_t bytes;
	/* 1 + the lane that touched page n first, 0: nobody yet */
	unsigned char made[MOST_PAGES], used[MOST_PAGES];
} block;

static block blocks[MOST_BLOCKS];
static int using; /* a multiplication runs, not a conversion */
static int lane;

/* ---- the team: parts one after the other ---- */

/* By the names that the linker puts in place of the library's (--wrap). */
void run(tulle__env *env, const tulle__phases *phases, const void *arg,
         int64_t work) __asm__("__wrap_tulle__run");
void run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
               int64_t amount) __asm__("__wrap_tulle__run_parts");

void run(tulle__env *env, const tulle__phases *phases, const void *arg, int64_t work)
{
	(void)env;
	(void)work;
	for (int p = 0; p < TULLE__PHASES && phases->work[p]; p++)
		for (int64_t part = 0; part < phases->parts[p]; part++) {
			/* The lane l whose parts * l / LANES .. parts * (l + 1) / LANES - 1 this is one of. */
			lane = (int)((LANES * (part + 1) - 1) / phases->parts[p]);
			phases->work[p](arg, part);
		}
	lane = 0;
}

void run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts, int64_t amount)
{
	const tulle__phases phases = { { work }, { parts } };

	run(env, &phases, arg, amount);
}

/* ---- the pages ---- */

static block *block_at(const unsigned char *address)
{
	for (int n = 0; n < MOST_BLOCKS; n++)
		if (blocks[n].begin && address >= blocks[n].begin &&
		    address < blocks[n].begin + blocks[n].bytes)
			return &blocks[n];
	return NULL;
}

static void touched(int signal_number, siginfo_t *info, void *context)
{
	block *b = block_at(info->si_addr);
	size_t page;

	(void)context;
	if (!b) {
		signal(signal_number, SIG_DFL); /* a fault of its own: let it happen again and end us */
		return;
	}
	page = (size_t)((unsigned char *)info->si_addr - b->begin) / PAGE;
	(using ? b->used : b->made)[page] = (unsigned char)(1 + lane);
	mprotect(b->begin + page * PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static void *closed_alloc(void *user, size_t bytes, size_t align)
{
	void *small = NULL;
	block *b = blocks;

	(void)user;
	if (bytes < LARGE)
		return posix_memalign(&small, align, bytes) == 0 ? small : NULL;
	while (b < blocks + MOST_BLOCKS && b->begin)
		b++;
	if (!CHECK(b < blocks + MOST_BLOCKS && bytes < (size_t)MOST_PAGES * PAGE))
		return NULL;
	memset(b, 0, sizeof *b);
	b->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	b->begin = mmap(NULL, b->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!CHECK(b->begin != MAP_FAILED))
		b->begin = NULL;
	return b->begin;
}

static void closed_free(void *user, void *memory, size_t bytes)
{
	block *b = block_at(memory);

	(void)user;
	(void)bytes;
	if (!b) {
		free(memory);
		return;
	}
	munmap(b->begin, b->bytes);
	b->begin = NULL;
}

/* ---- a matrix that no format refuses: symmetric, a band that widens, no two values alike ---- */

enum { ROWS = 24000, NARROW = 4, WIDER = 32 };

/* Rows at the end are longer than those at the beginning, so equal rows are not equal work. */
static int64_t reach(int64_t i)
{
	return NARROW + WIDER * i / ROWS;
}

static int holds(int64_t i, int64_t j)
{
	return i < j ? j - i <= reach(j) : i - j <= reach(i);
}

/* Row i of the band: how many columns, and which if `m` has room for them. */
static int64_t fill_row(int64_t i, matrix *m)
{
	const int64_t low = i - reach(i), most = NARROW + WIDER;
	int64_t length = 0;

	for (int64_t j = low > 0 ? low : 0; j <= i + most && j < ROWS; j++) {
		if (!holds(i, j))
			continue;
		if (m) {
			const int64_t above = i < j ? i : j, apart = i < j ? j - i : i - j;

			m->col[m->row_ptr[i] + length] = j;
			m->val[m->row_ptr[i] + length] = 1.0 / (double)(1 + above * (most + 1) + apart);
		}
		length++;
	}
	return length;
}

static matrix band(void)
{
	int64_t *lengths = grab(ROWS, sizeof *lengths);
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = fill_row(i, NULL);
	m = matrix_new("band", ROWS, ROWS, lengths);
	for (int64_t i = 0; i < ROWS; i++)
		fill_row(i, &m);
	free(lengths);
	return m;
}

/* ---- the share ---- */

static void count(long *pages, long *same)
{
	*pages = *same = 0;
	for (int n = 0; n < MOST_BLOCKS; n++)
		for (size_t p = 0; blocks[n].begin && p < blocks[n].bytes / PAGE; p++)
			if (blocks[n].used[p] && blocks[n].made[p]) { /* else it is scratch */
				++*pages;
				*same += blocks[n].used[p] == blocks[n].made[p];
			}
}

static void check_format(const char *format, const matrix *m, const arrays *a, const double *x,
                         double *y)
{
	const tulle_context_options hooks = {
		.size = sizeof hooks, .alloc = closed_alloc, .free = closed_free, .threads = LANES
	};
	/* A copy, for the formats that read the matrix itself. */
	const tulle_matrix_options copied = { .size = sizeof copied, .ownership = TULLE_COPY };
	tulle_context *context;
	tulle_matrix *of;
	tulle_plan *plan = NULL;
	long pages, same;

	check_about("%s", format);
	CHECK_OK(tulle_context_create(&hooks, &context));
	CHECK_OK(tulle_matrix_from_csr(context, m->rows, m->cols, TULLE_I32, a->row_ptr, TULLE_I32,
	                               a->col, TULLE_F64, a->val, &copied, &of));
	plan = plan_for(of, format, TULLE_NORMAL);
	for (int n = 0; n < MOST_BLOCKS; n++)
		if (blocks[n].begin)
			mprotect(blocks[n].begin, blocks[n].bytes, PROT_NONE);
	using = 1;
	CHECK_OK(mul(plan, TULLE_F64, 1, x, 0, y));
	using = 0;
	count(&pages, &same);
	CHECK_THAT(pages > 0 && (double)same >= FLOOR * (double)pages,
	           "%ld of %ld pages were touched first by another thread", pages - same, pages);
	printf("%-10s %6ld pages, %.3f by the thread that reads them\n", format, pages,
	       (double)same / (double)pages);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(of);
	tulle_context_destroy(context);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	struct sigaction action = { .sa_sigaction = touched, .sa_flags = SA_SIGINFO };
	matrix m = band();
	arrays a = cast(&m, pairs[0], TULLE_F64, 0);
	double *x = grab(ROWS, sizeof *x), *y = grab(ROWS, sizeof *y);
	const char *format;

	if (sysconf(_SC_PAGESIZE) != PAGE)
		return CHECK_SKIP;
	sigaction(SIGSEGV, &action, NULL);
	for (int64_t i = 0; i < ROWS; i++)
		x[i] = 1;
	for (int n = 0; (format = tulle_formats(n)); n++)
		if (wants_format(&o, format))
			check_format(format, &m, &a, x, y);
	matrix_free(&m);
	arrays_free(&a);
	free(x);
	free(y);
	return check_end();
}
