/* mkl_pagerank.c -- PageRank as a C programmer with MKL would write it, for bindings/python/bench.
 *
 * P^T is an optimized handle with values 1/W: MKL keeps values anyway, and with these the vectors need
 * no scaling. The vector work is one parallel loop. */
#include <math.h>
#include <mkl_service.h>
#include <mkl_spblas.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
	int64_t nodes;
	int threads;
	const unsigned char *dangling;
	sparse_matrix_t handle;
	struct matrix_descr descr;
	double *r, *z;
} graph;

EXPORT void mkl_pagerank_destroy(graph *g);
EXPORT graph *mkl_pagerank_create(int64_t nodes, int32_t *row_ptr, int32_t *col, double *val,
                                  const unsigned char *dangling, int threads, int iterations);
EXPORT double mkl_pagerank_run(graph *g, double d, int iterations, double *ranks);

void mkl_pagerank_destroy(graph *g)
{
	if (!g)
		return;
	mkl_sparse_destroy(g->handle);
	free(g->r);
	free(g->z);
	free(g);
}

/* P^T by rows; the arrays stay the caller's. NULL: it cannot be done. */
graph *mkl_pagerank_create(int64_t nodes, int32_t *row_ptr, int32_t *col, double *val,
                           const unsigned char *dangling, int threads, int iterations)
{
	const sparse_operation_t op = SPARSE_OPERATION_NON_TRANSPOSE;
	graph *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	mkl_set_threading_layer(MKL_THREADING_GNU);
	mkl_set_num_threads(threads);
	g->nodes = nodes;
	g->threads = threads;
	g->dangling = dangling;
	g->descr.type = SPARSE_MATRIX_TYPE_GENERAL;
	g->r = malloc((size_t)nodes * sizeof *g->r);
	g->z = malloc((size_t)nodes * sizeof *g->z);
	if (!g->r || !g->z ||
	    mkl_sparse_d_create_csr(&g->handle, SPARSE_INDEX_BASE_ZERO, (MKL_INT)nodes, (MKL_INT)nodes,
	                            row_ptr, row_ptr + 1, col, val) ||
	    mkl_sparse_set_mv_hint(g->handle, op, g->descr, iterations) ||
	    mkl_sparse_optimize(g->handle)) {
		mkl_pagerank_destroy(g);
		return NULL;
	}
	return g;
}

/* `iterations` iterations from r = 1/N on. Seconds of one; negative: MKL refused. */
double mkl_pagerank_run(graph *g, double d, int iterations, double *ranks)
{
	const int64_t n = g->nodes;
	const double uniform = 1 / (double)n;
	double *const r = g->r, *const z = g->z;
	double lost = 0, difference = 0;

	for (int64_t i = 0; i < n; i++) {
		r[i] = uniform;
		lost += g->dangling[i] ? uniform : 0;
	}
	const double begin = omp_get_wtime();
	for (int k = 0; k < iterations; k++) {
		const double c = (d * lost + (1 - d)) * uniform;

		if (mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, d, g->handle, g->descr, r, 0, z))
			return -1;
		lost = difference = 0;
#pragma omp parallel for simd reduction(+ : lost, difference) num_threads(g->threads)
		for (int64_t i = 0; i < n; i++) {
			const double rank = z[i] + c;

			difference += fabs(rank - r[i]);
			lost += g->dangling[i] ? rank : 0;
			r[i] = rank;
		}
	}
	const double seconds = (omp_get_wtime() - begin) / iterations;
	for (int64_t i = 0; i < n; i++)
		ranks[i] = r[i];
	return difference >= 0 ? seconds : -1;
}
