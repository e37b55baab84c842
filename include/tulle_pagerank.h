/* tulle_pagerank.h -- the PageRank of a directed graph, computed with a plan for its links.
 *
 * A[i][j] is a link from node i to node j. Nodes count from 0, also in messages. Three steps, as for a
 * multiplication:
 *
 *     tulle_pagerank_create()    count the out-links and plan A^T: once per graph
 *     tulle_pagerank_run()       compute ranks for one damping, tolerance and teleport vector
 *     tulle_pagerank_destroy()
 *
 * What is computed. There are N nodes; W_i is the sum of the weights of node i's links; d is the
 * damping; v is a teleport vector with sum 1, by default 1/N everywhere. The iteration starts with
 * r = v and runs until ||r' - r||_1 < tolerance:
 *
 *     r'_j = d (sum over links i -> j of w_ij r_i / W_i  +  D v_j) + (1 - d) v_j
 *
 * where D is the rank of the dangling nodes, those with W_i = 0: they link to all nodes, weighted
 * by v. Ranks therefore add up to 1. Each iteration reduces the distance from r to the solution r*
 * in the L1 norm by the factor d or better. Therefore ||r' - r*||_1 <= d/(1-d) ||r' - r||_1 except
 * for rounding, and the number of iterations is bounded in advance.
 *
 * Weights. A matrix without values has links of weight 1, which take no memory: A is stored as a
 * pattern, and r is divided by W before the multiplication. A matrix with values has weighted
 * links; weights must be finite and not negative. Links given twice add up. Self-links count like
 * any other link. Ranks are f64; the weights of an f32 matrix are widened.
 *
 * Determinism. One graph handle gives the same bits at any number of threads.
 *
 * Compatibility. networkx.pagerank() has the same formula, dangling rule and start, but stops at N
 * times its `tol`. To stop at the same point, set tolerance = N * tol. Errors, sizes of structures
 * and NULL options are as in tulle.h. */
#ifndef TULLE_PAGERANK_H
#define TULLE_PAGERANK_H

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tulle_pagerank tulle_pagerank; /* a graph that is prepared for runs */

/* Count the out-links of a square matrix and plan the multiplication by A^T. The handle holds a
 * reference to the matrix: you may destroy your handle, but not arrays that the matrix borrows.
 * `plan` has the options for that multiplication: multiplies 0 means one run with default damping
 * and tolerance; op, lossy and online must be 0. NULL: defaults.
 *
 * TULLE_E_MATRIX if the matrix is not square, if a weight is negative, infinite or NaN, or if the
 * weights of a node add up to less than 2^-900 (and are not all zero) or more than 2^900. */
TULLE_API tulle_status tulle_pagerank_create(const tulle_matrix *links,
                                             const tulle_plan_options *plan, tulle_pagerank **out);

/* The plan for A^T, to describe and explain; valid as long as the handle. NULL for NULL. */
TULLE_API const tulle_plan *tulle_pagerank_plan(const tulle_pagerank *graph);

typedef struct {
	size_t size;      /* = sizeof(tulle_pagerank_options) */
	double damping;   /* above 0 and below 1; 0: default 0.85 */
	double tolerance; /* stop when ||r' - r||_1 is below this; above 0; 0: default 1e-8 */

	/* 0: the number that is proven to reach the tolerance, tulle_pagerank_iterations(). */
	int64_t max_iterations;

	/* N elements, finite, not negative, not all zero; they are divided by their sum. NULL: 1/N. The
	 * array is only read, and only during the call. */
	const double *teleport;

	/* Called on the calling thread after each iteration, numbered from 1, with ||r' - r||_1. A
	 * nonzero return value ends the run with the ranks computed so far. NULL: no progress
	 * reports. */
	int (*progress)(void *user, int64_t iteration, double residual);
	void *user;
} tulle_pagerank_options;

typedef struct {
	size_t size; /* = sizeof(tulle_pagerank_info) */
	int64_t nodes, links;
	int64_t dangling; /* nodes without links, or with weights of 0 only */
	int64_t iterations;
	double residual;              /* ||r' - r||_1 of the last iteration */
	double error_bound;           /* d/(1-d) residual >= ||r' - r*||_1, except for rounding */
	int converged;                /* 1: residual < tolerance */
	int stopped;                  /* 1: ended by the progress function */
	double damping, tolerance;    /* as used */
	int64_t max_iterations;       /* as used */
	double create_seconds;        /* spent in tulle_pagerank_create, including the plan */
	double seconds;               /* spent in this run */
	double seconds_per_iteration; /* average of this run */
} tulle_pagerank_info;

/* Compute the ranks of all nodes and write them to `ranks`, which has room for N doubles. Allocates
 * memory for 2 N more doubles for the call. Many threads may call it on one handle. A run that ends
 * without reaching the tolerance is not a failure: see info.converged. info may be NULL. After a
 * failure `ranks` is untouched. */
TULLE_API tulle_status tulle_pagerank_run(const tulle_pagerank *graph,
                                          const tulle_pagerank_options *options, double *ranks,
                                          tulle_pagerank_info *info);

TULLE_API void tulle_pagerank_destroy(tulle_pagerank *graph);

/* The least k with 2 d^k < tolerance, plus one for rounding: the L1 distance between the start and
 * the result of the first iteration is at most 2. Returns -1 if an argument is out of range; 0
 * means the default, as above. */
TULLE_API int64_t tulle_pagerank_iterations(double damping, double tolerance);

/* What is computed, as text to print: the same for all programs that show ranks. The strings are
 * static. */
typedef struct {
	size_t size;          /* = sizeof(tulle_pagerank_rules) */
	const char *formula;  /* "r' = d (P^T r + D v) + (1 - d) v" */
	const char *links;    /* what P is */
	const char *dangling; /* where the rank of nodes without links goes */
	const char *teleport; /* what v is unless it is given */
	const char *start;    /* the first r */
	const char *norm;     /* of the residual */
	const char *stop;     /* the stop test */
} tulle_pagerank_rules;

TULLE_API tulle_status tulle_pagerank_describe(tulle_pagerank_rules *rules);

#ifdef __cplusplus
}
#endif
#endif
