/* mkl.c -- Intel oneMKL's inspector-executor: "mkl" as the handle comes, "mkl-opt" after a hint of
 * 1000 multiplications and mkl_sparse_optimize().
 *
 * The GNU threading layer makes MKL share libgomp's team with the other OpenMP competitors; the
 * Intel layer would bring a second team that spins while the others are timed. "mkl:sequential" has
 * no team at all, which is the fastest for one small product; the layer belongs to the process, so
 * only the first one asked for counts. */
#include "competitor.h"

#include <mkl_service.h>
#include <mkl_spblas.h>
#include <stdlib.h>
#include <string.h>

enum { HINT = 1000 };

typedef struct {
	sparse_matrix_t handle;
	struct matrix_descr descr;
	size_t bytes;
	MKL_INT rows, cols, vectors; /* vectors 0: one, by mv instead of mm */
	int f32;
} state;

static void release(void *s)
{
	state *m = s;
	if (!m)
		return;
	mkl_sparse_destroy(m->handle);
	free(m);
}

static size_t held(void)
{
	int buffers;
	return (size_t)mkl_mem_stat(&buffers);
}

static int optimize(state *m, sparse_layout_t layout, MKL_INT hint)
{
	const sparse_operation_t op = SPARSE_OPERATION_NON_TRANSPOSE;
	return (m->vectors ? mkl_sparse_set_mm_hint(m->handle, op, m->descr, layout, m->vectors, hint)
	                   : mkl_sparse_set_mv_hint(m->handle, op, m->descr, hint)) ||
	       mkl_sparse_optimize(m->handle);
}

static int layer_of(const char *variant)
{
	return !strcmp(variant, "sequential")            ? MKL_THREADING_SEQUENTIAL
	       : !variant[strspn(variant, "0123456789")] ? MKL_THREADING_GNU
	                                                 : -1;
}

/* MKL only reads these arrays, though its prototypes do not say so. */
static sparse_status_t create(state *m, const bench_matrix *a)
{
	const sparse_index_base_t base = SPARSE_INDEX_BASE_ZERO;
	int32_t *row_ptr = (int32_t *)(uintptr_t)a->row_ptr, *col = (int32_t *)(uintptr_t)a->col;
	return m->f32 ? mkl_sparse_s_create_csr(&m->handle, base, m->rows, m->cols, row_ptr,
	                                        row_ptr + 1, col, (float *)(uintptr_t)a->val_f32)
	              : mkl_sparse_d_create_csr(&m->handle, base, m->rows, m->cols, row_ptr,
	                                        row_ptr + 1, col, (double *)(uintptr_t)a->val);
}

/* hint: 0: leave the handle as it comes. `layout`: of several vectors. */
static void *prepare(const bench_problem *p, int layer, sparse_layout_t layout, MKL_INT hint)
{
	const bench_matrix *a = p->a;
	state *m = layer < 0 ? NULL : calloc(1, sizeof *m);
	if (!m)
		return NULL;
	mkl_set_threading_layer(layer);
	mkl_set_num_threads(p->threads);
	m->descr.type = SPARSE_MATRIX_TYPE_GENERAL;
	m->rows = (MKL_INT)a->rows;
	m->cols = (MKL_INT)a->cols;
	m->vectors = p->vectors;
	m->f32 = a->val_f32 != NULL;
	size_t before = held();
	if (create(m, a)) {
		free(m);
		return NULL;
	}
	if (hint && optimize(m, layout, hint)) {
		release(m);
		return NULL;
	}
	/* What optimize() keeps beside our arrays is known only to MKL's own allocator. */
	m->bytes = bench_matrix_bytes(a) + (held() - before);
	return m;
}

/* "mkl-opt:500" is told of 500 multiplications. */
static MKL_INT hint_of(const char *variant)
{
	int hint = atoi(variant);
	return hint > 0 ? hint : HINT;
}

static void *prepare_raw(const bench_problem *p, const char *variant)
{
	return prepare(p, layer_of(variant), SPARSE_LAYOUT_ROW_MAJOR, 0);
}

static void *prepare_optimized(const bench_problem *p, const char *variant)
{
	return prepare(p, layer_of(variant), SPARSE_LAYOUT_ROW_MAJOR, hint_of(variant));
}

static void *prepare_columns(const bench_problem *p, const char *variant)
{
	return prepare(p, layer_of(variant), SPARSE_LAYOUT_COLUMN_MAJOR, hint_of(variant));
}

static int multiply(void *s, const double *x, double *y)
{
	state *m = s;
	return mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1.0, m->handle, m->descr, x, 0.0, y) !=
	       SPARSE_STATUS_SUCCESS;
}

static int multiply_several(const state *m, sparse_layout_t layout, const void *x, MKL_INT ldx,
                            void *y, MKL_INT ldy)
{
	const sparse_operation_t op = SPARSE_OPERATION_NON_TRANSPOSE;
	return (m->f32 ? mkl_sparse_s_mm(op, 1.0f, m->handle, m->descr, layout, x, m->vectors, ldx,
	                                 0.0f, y, ldy)
	               : mkl_sparse_d_mm(op, 1.0, m->handle, m->descr, layout, x, m->vectors, ldx, 0.0,
	                                 y, ldy)) != SPARSE_STATUS_SUCCESS;
}

static int multiply_rows(void *s, const double *x, double *y)
{
	const state *m = s;
	return multiply_several(m, SPARSE_LAYOUT_ROW_MAJOR, x, m->vectors, y, m->vectors);
}

static int multiply_columns(void *s, const double *x, double *y)
{
	const state *m = s;
	const size_t element = m->f32 ? sizeof(float) : sizeof(double);
	const char *columns = (const char *)x + (size_t)m->vectors * (size_t)m->cols * element;
	return multiply_several(m, SPARSE_LAYOUT_COLUMN_MAJOR, columns, m->cols, y, m->rows);
}

static size_t bytes(const void *s)
{
	return ((const state *)s)->bytes;
}

enum {
	ONE = BENCH_ONE | BENCH_F64,
	MANY = BENCH_MANY | BENCH_F64 | BENCH_F32,
	COLUMNS = BENCH_COLUMNS | BENCH_F64 | BENCH_F32
};

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "mkl", ONE, prepare_raw, multiply, bytes, release, NULL },
	{ "mkl-opt", ONE, prepare_optimized, multiply, bytes, release, NULL },
	{ "mkl", MANY, prepare_raw, multiply_rows, bytes, release, NULL },
	{ "mkl-opt", MANY, prepare_optimized, multiply_rows, bytes, release, NULL },
	{ "mkl-opt", COLUMNS, prepare_columns, multiply_columns, bytes, release, NULL },
	{ 0 },
};
