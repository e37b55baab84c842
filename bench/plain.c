/* plain.c -- a simple CSR loop, compiled as a user would compile it: -O3 -march=native.
 *
 * The library's flags are not used for this file: the compiler may fuse and vectorise as it does for
 * a user, but not reorder sums (no -ffast-math). */
#include "plain.h"

#include "memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Never inlined: tulle-small calls it as a user would call a function of another file. */
__attribute__((noinline)) void bench_plain_rows(const bench_matrix *a, int64_t first, int64_t end,
                                                const double *x, double *y)
{
	const int32_t *row_ptr = a->row_ptr, *col = a->col;
	const double *val = a->val;
	for (int64_t i = first; i < end; i++) {
		double sum = 0;
		for (int32_t k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			sum += val[k] * x[col[k]];
		y[i] = sum;
	}
}

#define REAL double
#define NAME(x) x##_f64
#include "plain_many_rows.h"
#undef REAL
#undef NAME

#define REAL float
#define NAME(x) x##_f32
#include "plain_many_rows.h"

typedef struct {
	bench_matrix a;
	int threads, vectors;
	int64_t cut[]; /* rows of thread t: cut[t] .. cut[t+1] - 1 */
} state;

/* The first row that begins at or after nonzero k. */
static int64_t row_of(const bench_matrix *a, int64_t k)
{
	int64_t low = 0, high = a->rows;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		if (a->row_ptr[middle] < k)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void *prepare(const bench_problem *p, const char *variant)
{
	const bench_matrix *a = p->a;
	const int threads = p->threads;
	if (*variant)
		return NULL;
	state *s = malloc(sizeof *s + ((size_t)threads + 1) * sizeof s->cut[0]);
	if (!s)
		return NULL;
	s->a = *a;
	s->vectors = p->vectors;
	s->threads = threads;
	for (int t = 0; t <= threads; t++)
		s->cut[t] = row_of(a, a->nnz * t / threads);
	s->cut[0] = 0;
	s->cut[threads] = a->rows;
	return s;
}

static int multiply_serial(void *s, const double *x, double *y)
{
	const state *p = s;
	bench_plain_rows(&p->a, 0, p->a.rows, x, y);
	return 0;
}

static int multiply_openmp(void *s, const double *x, double *y)
{
	const state *p = s;
#pragma omp parallel for schedule(static) num_threads(p->threads)
	for (int t = 0; t < p->threads; t++)
		bench_plain_rows(&p->a, p->cut[t], p->cut[t + 1], x, y);
	return 0;
}

static int multiply_many(void *s, const double *x, double *y)
{
	const state *p = s;
#pragma omp parallel for schedule(static) num_threads(p->threads)
	for (int t = 0; t < p->threads; t++)
		if (p->a.val_f32)
			many_rows_f32(&p->a, p->a.val_f32, p->cut[t], p->cut[t + 1], p->vectors,
			              (const float *)(const void *)x, (float *)(void *)y);
		else
			many_rows_f64(&p->a, p->a.val, p->cut[t], p->cut[t + 1], p->vectors, x, y);
	return 0;
}

static size_t bytes(const void *s)
{
	return bench_matrix_bytes(&((const state *)s)->a);
}

const bench_competitor bench_plain_serial = {
	"plain-serial", BENCH_ONE | BENCH_F64, prepare, multiply_serial, bytes, free, NULL
};
const bench_competitor bench_plain_openmp = {
	"plain-openmp", BENCH_ONE | BENCH_F64, prepare, multiply_openmp, bytes, free, NULL
};
const bench_competitor bench_plain_many = {
	"plain", BENCH_MANY | BENCH_F64 | BENCH_F32, prepare, multiply_many, bytes, free, NULL
};

/* ---- read ------------------------------------------------------------------------------------ */

typedef uint64_t lanes __attribute__((vector_size(64)));

typedef struct {
	size_t blocks; /* of four vectors */
	int threads;
	lanes *data;
	lanes sum;
} reader;

enum { BLOCK = 4, STREAMS = 8 };

static void read_release(void *s)
{
	reader *r = s;
	if (r)
		free(r->data);
	free(r);
}

void *bench_read_prepare(size_t bytes, int threads)
{
	reader *r = aligned_alloc(sizeof(lanes), (sizeof *r + sizeof(lanes) - 1) & -sizeof(lanes));
	if (!r)
		return NULL;
	r->threads = threads;
	r->blocks = bytes / (BLOCK * sizeof(lanes)) + 1;
	r->data = bench_array((int64_t)r->blocks, BLOCK * sizeof(lanes));
	if (!r->data) {
		read_release(r);
		return NULL;
	}
	memset(r->data, 1, r->blocks * BLOCK * sizeof(lanes));
	return r;
}

static void *read_prepare(const bench_problem *p, const char *variant)
{
	(void)variant;
	return bench_read_prepare(bench_matrix_bytes(p->a), p->threads);
}

/* Several streams at once, as in a multiplication: a single stream keeps too few cache lines in
 * flight and reads a third less from memory. */
static lanes read_sum(const lanes *data, size_t blocks)
{
	lanes sum[BLOCK] = { 0 };
	size_t each = blocks / STREAMS;
	for (size_t i = 0; i < each; i++)
		for (size_t s = 0; s < STREAMS; s++)
			for (size_t j = 0; j < BLOCK; j++)
				sum[j] += data[(s * each + i) * BLOCK + j];
	for (size_t i = STREAMS * each; i < blocks; i++)
		sum[0] += data[i * BLOCK] + data[i * BLOCK + 1] + data[i * BLOCK + 2] + data[i * BLOCK + 3];
	return sum[0] + sum[1] + sum[2] + sum[3];
}

static int read_multiply(void *s, const double *x, double *y)
{
	reader *r = s;
	size_t threads = (size_t)r->threads;
	(void)x;
	(void)y;
#pragma omp parallel for schedule(static) num_threads(r->threads)
	for (size_t t = 0; t < threads; t++) {
		size_t first = r->blocks * t / threads, end = r->blocks * (t + 1) / threads;
		lanes sum = read_sum(r->data + first * BLOCK, end - first);
#pragma omp critical
		r->sum += sum; /* stored, so that the compiler cannot remove the reads */
	}
	return 0;
}

static size_t read_bytes(const void *s)
{
	return ((const reader *)s)->blocks * BLOCK * sizeof(lanes);
}

const bench_competitor bench_read = { "read",       0,   read_prepare, read_multiply, read_bytes,
	                                  read_release, NULL };
