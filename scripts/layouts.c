/* layouts.c -- prints in which order each format stores the entries of one small matrix.
 *
 * Usage: layouts FORMAT[:tunables][@ISA]... For each format, one line of JSON; none if build or machine lack the
 * instruction set (default: scalar, which gives the same layouts everywhere). Nothing is known here about any format: each entry
 * has a value that no other has, the context's allocator keeps track of the memory that the plan holds, and the values
 * are looked up there. scripts/layouts.py draws them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tulle.h>

enum { N = 12, BLOCKS = 64, MOST = N * N };

static const char *const pattern[N] = {
	"xxxx....xx..",                                                 /* node blocks of 2 x 2 */
	"xxxx....xx..",                                                 /* the same rows */
	"xxxxxx......",                                                 /* symmetric, as a pattern */
	"xxxxxx......", "..xxxx......", "..xxxx......", "......xx..x.", /* single entries: holes in blocks */
	"......xx....", "xx......x...", "xx.......x..", "......x...xx", "..........xx",
};

typedef struct {
	void *at;
	size_t bytes;
} block;

static block held[BLOCKS];

static void *keep(void *user, size_t bytes, size_t align)
{
	const size_t whole = (bytes + align - 1) / align * align;

	(void)user;
	for (int n = 0; n < BLOCKS; n++)
		if (!held[n].at) {
			held[n] = (block){ aligned_alloc(align, whole), bytes };
			if (held[n].at)
				memset(held[n].at, 0, whole); /* padding that is never written */
			return held[n].at;
		}
	return NULL;
}

static void drop(void *user, void *at, size_t bytes)
{
	(void)user;
	(void)bytes;
	for (int n = 0; n < BLOCKS; n++)
		if (held[n].at == at)
			held[n] = (block){ NULL, 0 };
	free(at);
}

/* No float, so that no format stores it as one. */
static double value_of(int entry)
{
	return entry + 1.1;
}

/* The entry i * N + j that has this value, or -1. */
static int entry_of(const char *at)
{
	double value;

	memcpy(&value, at, sizeof value);
	for (int entry = 0; entry < MOST; entry++)
		if (value == value_of(entry))
			return entry;
	return -1;
}

/* Print what lies between the first and the last value of a block, as a list; nothing if there is none. */
static void print_values(const char *at, size_t bytes, const char **comma)
{
	const size_t slots = bytes / sizeof(double);
	size_t first = slots, end = 0;

	for (size_t k = 0; k < slots; k++)
		if (entry_of(at + k * sizeof(double)) >= 0) {
			first = k < first ? k : first;
			end = k + 1;
		}
	if (first >= end)
		return;
	printf("%s[", *comma);
	for (size_t k = first; k < end; k++)
		printf("%s%d", k > first ? ", " : "", entry_of(at + k * sizeof(double)));
	printf("]");
	*comma = ", ";
}

typedef struct {
	int32_t row_ptr[N + 1], col[MOST];
	double val[MOST];
} arrays;

/* Mirrored entries have the same value if `symmetric`, that of the lower triangle. */
static void fill(arrays *a, int symmetric)
{
	int32_t k = 0;

	for (int i = 0; i < N; i++) {
		a->row_ptr[i] = k;
		for (int j = 0; j < N; j++)
			if (pattern[i][j] == 'x') {
				a->col[k] = j;
				a->val[k++] = value_of(symmetric && j > i ? j * N + i : i * N + j);
			}
	}
	a->row_ptr[N] = k;
}

/* One line about a plan; `before` marks the blocks that it does not hold. */
static void print_plan(const tulle_plan_info *info, const arrays *a, const int *before)
{
	const char *comma = "";

	printf("{\"format\": \"%s\", \"summary\": \"%s\", \"nnz\": %d, \"bytes\": %zu, \"values\": [",
	       info->format, tulle_format_summary(info->format), (int)info->nnz, info->bytes);
	if (info->borrows_values)
		print_values((const char *)a->val, sizeof(double) * (size_t)info->nnz, &comma);
	for (int n = 0; n < BLOCKS; n++)
		if (held[n].at && !before[n])
			print_values(held[n].at, held[n].bytes, &comma);
	printf("]}\n");
}

static tulle_status print_format(tulle_context *context, const char *format)
{
	const tulle_plan_options options = { .size = sizeof options, .format = format };
	tulle_plan_info info = { .size = sizeof info };
	int before[BLOCKS];
	arrays a;
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;

	fill(&a, strncmp(format, "sym", 3) == 0);
	tulle_status s = tulle_matrix_from_csr(context, N, N, TULLE_I32, a.row_ptr, TULLE_I32, a.col,
	                                       TULLE_F64, a.val, NULL, &m);
	for (int n = 0; n < BLOCKS; n++)
		before[n] = held[n].at != NULL;
	if (!s)
		s = tulle_plan_create(m, &options, &p);
	if (!s)
		s = tulle_plan_describe(p, &info);
	if (!s)
		print_plan(&info, &a, before);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	return s;
}

static tulle_status print_word(char *word)
{
	char *at = strchr(word, '@');
	const tulle_context_options options = { .size = sizeof options,
		                                    .threads = 1,
		                                    .isa = at ? at + 1 : "scalar",
		                                    .alloc = keep,
		                                    .free = drop };
	tulle_context *context = NULL;
	tulle_status s = tulle_context_create(&options, &context);

	if (s && at)
		return TULLE_OK; /* not in this build, or not on this machine */
	if (at)
		*at = '\0';
	if (!s)
		s = print_format(context, word);
	tulle_context_destroy(context);
	return s;
}

int main(int argc, char **argv)
{
	for (int n = 1; n < argc; n++)
		if (print_word(argv[n])) {
			fprintf(stderr, "layouts: %s: %s\n", argv[n], tulle_last_error());
			return 1;
		}
	return 0;
}
