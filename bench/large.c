/* large.c -- tulle-large: more nonzeros than 32 bits can count, in one machine's memory, checked exactly.
 *
 *     tulle-large write FILE.tulle [NONZEROS]      default 2.2e9; a tuned file, written in pieces
 *     tulle-large run FILE.tulle [FORMAT...]       default csr sell: time, memory, share of the read bandwidth
 *     tulle-large consume FILE.tulle [FORMAT]      default sell: the same, in the place of the matrix
 *
 * The matrix is a pattern of rows of 17 to 49 entries. Of eight rows, seven are near the diagonal and one is
 * anywhere. Row lengths and columns are computed from the row number, so writing the file needs no memory, and
 * every element of the product can be computed again to check it. x is whole numbers: sums are exact in f32. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <tulle.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "tulle-large: %s: %s\n", what, why);
	exit(1);
}

static void must(tulle_status s, const char *what)
{
	if (s != TULLE_OK)
		fail(what, tulle_last_error());
}

static void *grab(int64_t count, size_t size)
{
	void *const block = malloc((size_t)count * size);

	if (!block)
		fail("allocation", "no memory");
	return block;
}

static double peak_gb(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return 1e-9 * 1024 * (double)used.ru_maxrss;
}

/* ---- the matrix ---- */

enum { SHORTEST = 17, LENGTHS = 33, LONGEST = SHORTEST + LENGTHS - 1, WIDTH = 2 * LONGEST };

static uint64_t hash(int64_t i)
{
	uint64_t n = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;

	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
	n = (n ^ n >> 27) * 0x94d049bb133111ebu;
	return n ^ n >> 31;
}

static int length_of(int64_t i)
{
	return SHORTEST + (int)(hash(i) % LENGTHS);
}

/* Column k of the row is first + 2 k, or one more, as bit k says. */
typedef struct {
	int64_t first;
	uint64_t bits;
} row;

static row row_of(int64_t i, int64_t rows)
{
	const uint64_t h = hash(i);
	int64_t first = i % 8 ? i - LONGEST : (int64_t)(h % (uint64_t)rows);

	first = first < 0 ? 0 : first > rows - WIDTH ? rows - WIDTH : first;
	return (row){ first, h };
}

static int64_t column_of(const row *r, int k)
{
	return r->first + 2 * k + (int64_t)(r->bits >> k & 1);
}

static float x_at(int64_t j)
{
	return (float)(j % 7);
}

/* ---- write ---- */

enum { ALIGN = 64, SECTIONS = 5, PIECE = 1 << 20 };

typedef struct {
	unsigned char magic[8];
	uint32_t order, version;
	uint64_t file_bytes, rows, cols, nnz;
	uint32_t value_type, offset_bytes, column_bytes, sections;
	struct {
		uint32_t number, zero;
		uint64_t begin, bytes;
	} section[SECTIONS];
	uint64_t zero;
} header;

/* docs/files.md describes the file. */
static header make_header(int64_t rows, int64_t nnz)
{
	header h = { { 0x89, 't', 'u', 'l', 'l', 'e', '\r', '\n' },
		         0x01020304,
		         1,
		         sizeof h,
		         (uint64_t)rows,
		         (uint64_t)rows,
		         (uint64_t)nnz,
		         TULLE_F32,
		         nnz > INT32_MAX ? 8 : 4,
		         4,
		         SECTIONS,
		         { { 0 } },
		         0 };
	const uint64_t bytes[SECTIONS] = { 0, 0, ((uint64_t)rows + 1) * h.offset_bytes,
		                               (uint64_t)nnz * h.column_bytes, 0 };

	for (uint32_t n = 0; n < SECTIONS; n++) {
		h.section[n].number = n + 1;
		h.section[n].begin = (h.file_bytes + ALIGN - 1) / ALIGN * ALIGN;
		h.section[n].bytes = bytes[n];
		h.file_bytes = h.section[n].begin + bytes[n];
	}
	return h;
}

static void put(FILE *f, const void *from, size_t bytes, const char *path)
{
	if (fwrite(from, 1, bytes, f) != bytes)
		fail(path, strerror(errno));
}

static void put_until(FILE *f, uint64_t begin, const char *path)
{
	static const char zeros[ALIGN];

	put(f, zeros, (size_t)(begin - (uint64_t)ftello(f)), path);
}

static void put_offset(FILE *f, const header *h, int64_t offset, const char *path)
{
	const int32_t narrow = (int32_t)offset;

	if (h->offset_bytes == 8)
		put(f, &offset, sizeof offset, path);
	else
		put(f, &narrow, sizeof narrow, path);
}

static void write_matrix(const char *path, double wanted)
{
	const double begin = now();
	static char buffer[PIECE];
	int64_t rows = 0, nnz = 0, at = 0;
	FILE *const f = fopen(path, "wb");

	if (!f)
		fail(path, strerror(errno));
	setvbuf(f, buffer, _IOFBF, sizeof buffer);
	while ((double)nnz < wanted || rows < 2 * WIDTH)
		nnz += length_of(rows++);
	const header h = make_header(rows, nnz);
	put(f, &h, sizeof h, path);
	put_until(f, h.section[2].begin, path);
	for (int64_t i = 0; i <= rows; i++) {
		put_offset(f, &h, at, path);
		at += length_of(i);
	}
	put_until(f, h.section[3].begin, path);
	for (int64_t i = 0; i < rows; i++) {
		const row r = row_of(i, rows);
		const int length = length_of(i);
		int32_t col[LONGEST];

		for (int k = 0; k < length; k++)
			col[k] = (int32_t)column_of(&r, k);
		put(f, col, (size_t)length * sizeof *col, path);
	}
	put_until(f, h.section[4].begin, path);
	if (fclose(f))
		fail(path, strerror(errno));
	printf("%s: %lld rows, %lld nonzeros, %.2f GB, %.1f s, peak memory %.3f GB\n", path,
	       (long long)rows, (long long)nnz, 1e-9 * (double)h.file_bytes, now() - begin, peak_gb());
}

/* ---- run ---- */

/* Bytes per second that all threads read the columns with, added up. */
static double read_bandwidth(const tulle_csr_view *a)
{
	const int32_t *const col = a->col;
	double best = 0;
	volatile int64_t kept;

	for (int n = 0; n < 3; n++) {
		const double begin = now();
		int64_t sum = 0;

#pragma omp parallel for simd reduction(+ : sum) schedule(static)
		for (int64_t k = 0; k < a->nnz; k++)
			sum += col[k];
		kept = sum;
		const double rate = 4 * (double)a->nnz / (now() - begin);
		best = rate > best ? rate : best;
	}
	(void)kept;
	return best;
}

static int64_t count_wrong(const float *y, int64_t rows)
{
	int64_t wrong = 0;

#pragma omp parallel for reduction(+ : wrong) schedule(static)
	for (int64_t i = 0; i < rows; i++) {
		const row r = row_of(i, rows);
		const int length = length_of(i);
		float sum = 0;

		for (int k = 0; k < length; k++)
			sum += x_at(column_of(&r, k));
		wrong += y[i] != sum;
	}
	return wrong;
}

/* The number of wrong elements. If `consumes`, the matrix is gone afterwards. */
static int64_t run_format(tulle_matrix **matrix, const char *format, int consumes, double bandwidth,
                          const float *x, float *y)
{
	enum { TIMES = 5 };
	const tulle_plan_options how = { .size = sizeof how, .format = format };
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *plan = NULL;
	double least = 1e300;
	const double begin = now();

	if ((consumes ? tulle_plan_consume(matrix, &how, &plan)
	              : tulle_plan_create(*matrix, &how, &plan)) != TULLE_OK) {
		printf("%-6s %s\n", format, tulle_last_error());
		return 0;
	}
	const double planned = now() - begin;
	tulle_plan_describe(plan, &info);
	for (int n = 0; n < TIMES; n++) {
		const double start = now();

		must(tulle_mul_f32(plan, 1, x, 0, y), "tulle_mul_f32");
		least = now() - start < least ? now() - start : least;
	}
	const int64_t wrong = count_wrong(y, info.rows);
	/* x and y at least once each. */
	const double bytes = (double)info.bytes + 4 * (double)(info.rows + info.cols);
	printf("%-6s %9.2f %9.3f %9.2f %9.2f %8.1f %% %9.2f %9lld  %s\n", info.format, planned, least,
	       2e-9 * (double)info.nnz / least, 1e-9 * bytes, 100 * bytes / least / bandwidth,
	       peak_gb(), (long long)wrong, info.note);
	fflush(stdout);
	tulle_plan_destroy(plan);
	return wrong;
}

static int run(const char *path, char **formats, int count, int consumes)
{
	static char *both[] = { "csr", "sell" };
	tulle_csr_view a = { .size = sizeof a };
	tulle_matrix *matrix;
	int64_t wrong = 0;
	const double begin = now();

	must(tulle_matrix_read(NULL, path, NULL, &matrix), path);
	must(tulle_matrix_view_csr(matrix, &a), path);
	if (a.column_type != TULLE_I32 || a.val || a.value_type != TULLE_F32)
		fail(path, "not a file of tulle-large write");
	printf("%lld rows, %lld nonzeros, read in %.1f s, peak memory %.2f GB\n", (long long)a.rows,
	       (long long)a.nnz, now() - begin, peak_gb());
	const double bandwidth = read_bandwidth(&a);
	printf("read bandwidth, all threads: %.2f GB/s\n", 1e-9 * bandwidth);
	printf("%-6s %9s %9s %9s %9s %10s %9s %9s\n", "format", "plan s", "mul s", "Gflop/s", "GB read",
	       "bandwidth", "peak GB", "wrong y");
	float *const x = grab(a.cols, sizeof *x), *const y = grab(a.rows, sizeof *y);
	for (int64_t j = 0; j < a.cols; j++)
		x[j] = x_at(j);
	if (!count) {
		formats = consumes ? both + 1 : both;
		count = consumes ? 1 : 2;
	}
	for (int n = 0; n < count && matrix; n++) {
		memset(y, 0xff, (size_t)a.rows * sizeof *y); /* NaN */
		wrong += run_format(&matrix, formats[n], consumes, bandwidth, x, y);
	}
	free(x);
	free(y);
	tulle_matrix_destroy(matrix);
	return wrong > 0;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && argc <= 4 && !strcmp(argv[1], "write"))
		write_matrix(argv[2], argc > 3 ? strtod(argv[3], NULL) : 2.2e9);
	else if (argc >= 3 && !strcmp(argv[1], "run"))
		return run(argv[2], argv + 3, argc - 3, 0);
	else if (argc >= 3 && argc <= 4 && !strcmp(argv[1], "consume"))
		return run(argv[2], argv + 3, argc - 3, 1);
	else
		fail("usage", "tulle-large write FILE.tulle [NONZEROS] | run FILE.tulle [FORMAT...] | "
		              "consume FILE.tulle [FORMAT]");
	return 0;
}
