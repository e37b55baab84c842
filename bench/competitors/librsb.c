/* librsb.c -- librsb's recursive sparse blocks, untuned. */
#include "competitor.h"

#include <rsb.h>

static int initialized;

static void *prepare(const bench_problem *p, const char *variant)
{
	const bench_matrix *a = p->a;
	rsb_err_t error = RSB_ERR_NO_ERROR;
	if (*variant)
		return NULL;
	if (!initialized && rsb_lib_init(RSB_NULL_INIT_OPTIONS) != RSB_ERR_NO_ERROR)
		return NULL;
	initialized = 1;
	rsb_int_t n = p->threads;
	if (rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &n) != RSB_ERR_NO_ERROR)
		return NULL;
	return rsb_mtx_alloc_from_csr_const(a->val, a->row_ptr, a->col, (rsb_nnz_idx_t)a->nnz,
	                                    RSB_NUMERICAL_TYPE_DOUBLE, (rsb_coo_idx_t)a->rows,
	                                    (rsb_coo_idx_t)a->cols, 0, 0, RSB_FLAG_NOFLAGS, &error);
}

static int multiply(void *s, const double *x, double *y)
{
	static const double one = 1.0, zero = 0.0;
	return rsb_spmv(RSB_TRANSPOSITION_N, &one, s, x, 1, &zero, y, 1) != RSB_ERR_NO_ERROR;
}

static size_t bytes(const void *s)
{
	size_t size = 0;
	rsb_mtx_get_info(s, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &size);
	return size;
}

static void release(void *s)
{
	rsb_mtx_free(s);
}

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "librsb", BENCH_ONE | BENCH_F64, prepare, multiply, bytes, release, NULL },
	{ 0 },
};
