/* graph.h -- the struct of the handle of a graph. */
#ifndef TULLE_PAGERANK_GRAPH_H
#define TULLE_PAGERANK_GRAPH_H

#include "core/env.h"
#include "csr/csr_matrix.h"
#include "tulle_pagerank.h"

struct tulle_pagerank {
	tulle__env *env;
	tulle_matrix *links; /* whose arrays the plan may read: held */
	tulle_plan *plan;    /* of A^T */
	double *weight;      /* of each node: its links' weights added up; -1: dangling */
	double *wide;        /* values of our own, when the matrix has f32 */
	int64_t nodes, dangling;
	double create_seconds;
};

/* Sum the weights of each node's links into weight[0 .. a->rows-1]. A dangling node gets -1;
 * *dangling is their number. TULLE_E_MATRIX: the message names the first wrong weight or node. */
tulle_status tulle__out_weights(tulle__env *env, const tulle__csr *a, double *weight,
                                int64_t *dangling);

#endif
