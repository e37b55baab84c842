/* mkl_batch.c -- batches by Intel oneMKL: a loop over handles, as they come or optimized, on one thread
 * ("mkl-loop", "mkl-opt-loop") or with OpenMP over the problems ("mkl-omp-raw", "mkl-omp-opt").
 *
 * The sequential layer throughout: every other one adds to each of thousands of small calls. */
#include "competitor.h"

#include <mkl_service.h>
#include <mkl_spblas.h>
#include <stdlib.h>

enum { HINT = 1000 };

typedef struct {
	const bench_batch *b;
	int threads; /* 0: a plain loop */
	sparse_matrix_t *handle;
	struct matrix_descr descr;
	size_t bytes;
} state;

static void release(void *p)
{
	state *s = p;
	if (!s)
		return;
	for (int64_t i = 0; s->handle && i < s->b->count; i++)
		if (s->handle[i])
			mkl_sparse_destroy(s->handle[i]);
	free(s->handle);
	free(s);
}

static sparse_status_t create(const bench_batch *b, int64_t i, sparse_matrix_t *out)
{
	/* MKL only reads these arrays, though its prototype does not say so. */
	int32_t *row_ptr = (int32_t *)(uintptr_t)(b->row_ptr + b->row_at[i]);
	int32_t *col = (int32_t *)(uintptr_t)(b->col + b->col_at[i]);
	MKL_INT rows = (MKL_INT)b->rows[i], cols = (MKL_INT)b->cols[i];
	if (b->f32)
		return mkl_sparse_s_create_csr(out, SPARSE_INDEX_BASE_ZERO, rows, cols, row_ptr,
		                               row_ptr + 1, col, (float *)(uintptr_t)b->val + b->val_at[i]);
	return mkl_sparse_d_create_csr(out, SPARSE_INDEX_BASE_ZERO, rows, cols, row_ptr, row_ptr + 1,
	                               col, (double *)(uintptr_t)b->val + b->val_at[i]);
}

static void *prepare(const bench_batch *b, int threads, int optimized)
{
	state *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	mkl_set_threading_layer(MKL_THREADING_SEQUENTIAL);
	s->b = b;
	s->threads = threads;
	s->descr.type = SPARSE_MATRIX_TYPE_GENERAL;
	s->handle = calloc((size_t)b->count + 1, sizeof *s->handle);
	int failed = !s->handle;
	for (int64_t i = 0; i < b->count && !failed; i++) {
		failed = create(b, i, &s->handle[i]) != SPARSE_STATUS_SUCCESS;
		if (optimized && !failed)
			failed = mkl_sparse_set_mv_hint(s->handle[i], SPARSE_OPERATION_NON_TRANSPOSE, s->descr,
			                                HINT) ||
			         mkl_sparse_optimize(s->handle[i]);
	}
	if (failed) {
		release(s);
		return NULL;
	}
	return s;
}

static void *prepare_loop(const bench_problem *p, const char *variant)
{
	(void)variant;
	return prepare(p->batch, 0, 0);
}

static void *prepare_opt_loop(const bench_problem *p, const char *variant)
{
	(void)variant;
	return prepare(p->batch, 0, 1);
}

static void *prepare_omp(const bench_problem *p, const char *variant)
{
	(void)variant;
	return prepare(p->batch, p->threads, 0);
}

static void *prepare_opt_omp(const bench_problem *p, const char *variant)
{
	(void)variant;
	return prepare(p->batch, p->threads, 1);
}

static int one(const state *s, int64_t i, const double *x, double *y)
{
	const bench_batch *b = s->b;
	const sparse_operation_t op = SPARSE_OPERATION_NON_TRANSPOSE;
	if (b->f32)
		return mkl_sparse_s_mv(op, 1.0f, s->handle[i], s->descr,
		                       (const float *)(const void *)x + b->x_at[i], 1.0f,
		                       (float *)(void *)y + b->y_at[i]) != SPARSE_STATUS_SUCCESS;
	return mkl_sparse_d_mv(op, 1.0, s->handle[i], s->descr, x + b->x_at[i], 1.0, y + b->y_at[i]) !=
	       SPARSE_STATUS_SUCCESS;
}

static int multiply(void *p, const double *x, double *y)
{
	const state *s = p;
	int failed = 0;
	if (s->threads == 0) {
		for (int64_t i = 0; i < s->b->count; i++)
			failed |= one(s, i, x, y);
		return failed;
	}
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->threads) reduction(| : failed)
	for (int64_t i = 0; i < s->b->count; i++)
		failed |= one(s, i, x, y);
	return failed;
}

static size_t bytes(const void *p)
{
	(void)p;
	return 0;
}

enum { CAN = BENCH_BATCH | BENCH_F32 | BENCH_F64 };

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "mkl-loop", CAN, prepare_loop, multiply, bytes, release, NULL },
	{ "mkl-opt-loop", CAN, prepare_opt_loop, multiply, bytes, release, NULL },
	{ "mkl-omp-raw", CAN, prepare_omp, multiply, bytes, release, NULL },
	{ "mkl-omp-opt", CAN, prepare_opt_omp, multiply, bytes, release, NULL },
	{ 0 },
};
