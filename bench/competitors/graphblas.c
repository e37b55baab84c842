/* graphblas.c -- SuiteSparse:GraphBLAS, w += A u over plus-times with full vectors.
 *
 * u and w are packed around the caller's x and y and unpacked again: no copy. A full w that starts
 * at zero with an accumulator stays full, so rows without entries come out as 0 and the library can
 * use its fastest dot kernel. */
#include "competitor.h"

#include <GraphBLAS.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	GrB_Matrix a;
	GrB_Vector u, w;
	size_t rows, cols;
} state;

static int initialized;

static void release(void *s)
{
	state *m = s;
	if (!m)
		return;
	GrB_Matrix_free(&m->a);
	GrB_Vector_free(&m->u);
	GrB_Vector_free(&m->w);
	free(m);
}

/* Its indices have 64 bits, and pack takes the arrays over. */
static GrB_Index *widen(const int32_t *from, size_t n)
{
	GrB_Index *to = malloc((n + !n) * sizeof *to);
	for (size_t k = 0; to && k < n; k++)
		to[k] = (GrB_Index)from[k];
	return to;
}

static int pack(GrB_Matrix matrix, const bench_matrix *a)
{
	size_t rows = (size_t)a->rows, nnz = (size_t)a->nnz;
	GrB_Index *row_ptr = widen(a->row_ptr, rows + 1), *col = widen(a->col, nnz);
	void *val = malloc((nnz + !nnz) * sizeof *a->val);
	if (row_ptr && col && val) {
		memcpy(val, a->val, nnz * sizeof *a->val);
		if (!GxB_Matrix_pack_CSR(matrix, &row_ptr, &col, &val, (rows + 1) * sizeof *row_ptr,
		                         (nnz + !nnz) * sizeof *col, (nnz + !nnz) * sizeof *a->val, false,
		                         false, NULL))
			return GrB_Matrix_wait(matrix, GrB_MATERIALIZE);
	}
	free(row_ptr);
	free(col);
	free(val);
	return 1;
}

static void *prepare(const bench_problem *p, const char *variant)
{
	const bench_matrix *a = p->a;
	if (*variant || (!initialized && GrB_init(GrB_NONBLOCKING)))
		return NULL;
	initialized = 1;
	GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, p->threads);
	state *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->rows = (size_t)a->rows;
	m->cols = (size_t)a->cols;
	if (GrB_Matrix_new(&m->a, GrB_FP64, m->rows, m->cols) || pack(m->a, a) ||
	    GrB_Vector_new(&m->u, GrB_FP64, m->cols) || GrB_Vector_new(&m->w, GrB_FP64, m->rows)) {
		release(m);
		return NULL;
	}
	return m;
}

static int multiply(void *s, const double *x, double *y)
{
	state *m = s;
	void *u = (void *)(uintptr_t)x, *w = y;
	GrB_Index size;
	bool iso;
	memset(y, 0, m->rows * sizeof *y);
	return GxB_Vector_pack_Full(m->u, &u, m->cols * sizeof *x, false, NULL) ||
	       GxB_Vector_pack_Full(m->w, &w, m->rows * sizeof *y, false, NULL) ||
	       GrB_mxv(m->w, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, m->a, m->u, NULL) ||
	       GrB_Vector_wait(m->w, GrB_MATERIALIZE) ||
	       GxB_Vector_unpack_Full(m->u, &u, &size, &iso, NULL) ||
	       GxB_Vector_unpack_Full(m->w, &w, &size, &iso, NULL) || w != (void *)y;
}

static size_t bytes(const void *s)
{
	size_t size = 0;
	GxB_Matrix_memoryUsage(&size, ((const state *)s)->a);
	return size;
}

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "graphblas", BENCH_ONE | BENCH_F64, prepare, multiply, bytes, release, NULL },
	{ 0 },
};
