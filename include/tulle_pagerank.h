/* tulle_pagerank.h -- the PageRank of a directed graph, on a plan of its links.
 *
 * A[i][j] is a link from node i to node j. Three steps, as for a multiplication:
 *
 *     tulle_pagerank_create()    out-links are counted, A^T is planned: once for a graph
 *     tulle_pagerank_run()       ranks for one damping, tolerance and teleport vector
 *     tulle_pagerank_destroy()
 *
 * What is computed. N nodes; W_i, the weights of node i's links added up; damping d; a teleport
 * vector v of sum 1, by default 1/N everywhere. From r = v on, until ||r' - r||_1 < tolerance:
 *
 *     r'_j = d (sum over links i -> j of w_ij r_i / W_i  +  D v_j) + (1 - d) v_j
 *
 * where D is the rank of the dangling nodes, those with W_i = 0: they link to all nodes, by v. So
 * ranks add up to 1. An iteration brings r nearer to the solution r* by the factor d or better in the
 * L1 norm; therefore ||r' - r*||_1 <= d/(1-d) ||r' - r||_1 but for rounding, and the number of
 * iterations is bounded beforehand.
 *
 * Weights. A matrix without values has links of weight 1, and they take no memory: A is kept as a
 * pattern, and r is divided by W before the multiplication. A matrix with values has weighted links;
 * weights are finite and not negative. Links given twice add up; a link from a node to itself is a link
 * as any other. Ranks are f64; an f32 matrix has its weights widened.
 *
 * Bits. One graph handle gives the same bits at any number of threads.
 *
 * Others. networkx.pagerank() has the same formula, dangling rule and start, but stops at N times its
 * `tol`: to end where it does, set tolerance = N * tol. Errors, sizes of structures and NULL options
 * are as in tulle.h. */
#ifndef TULLE_PAGERANK_H
#define TULLE_PAGERANK_H

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tulle_pagerank tulle_pagerank; /* a graph that is ready for runs */

/* Count the out-links of a square matrix and plan the multiplication by A^T. The handle holds the
 * matrix: you may destroy yours, though not arrays that it borrows. `plan` is for that multiplication:
 * multiplies 0 means one run at default damping and tolerance; op and lossy have to be 0. NULL: defaults.
 *
 * TULLE_E_MATRIX for a matrix that is not square, for a weight that is negative, infinite or NaN, and
 * for weights of a node that add up to less than 2^-900 (and are not all zero) or more than 2^900. */
TULLE_API tulle_status tulle_pagerank_create(const tulle_matrix *links,
                                             const tulle_plan_options *plan, tulle_pagerank **out);

/* The plan for A^T, to describe and explain; it lives as long as the handle. NULL for NULL. */
TULLE_API const tulle_plan *tulle_pagerank_plan(const tulle_pagerank *graph);

typedef struct {
	size_t size;      /* = sizeof(tulle_pagerank_options) */
	double damping;   /* above 0 and below 1; 0: 0.85 */
	double tolerance; /* stop when ||r' - r||_1 is below; above 0; 0: 1e-8 */

	/* 0: as many as are proven to reach the tolerance, tulle_pagerank_iterations(). */
	int64_t max_iterations;

	/* N elements, finite, not negative, not all zero; they are divided by their sum. NULL: 1/N. Only
	 * read, during the call. */
	const double *teleport;

	/* Called on the calling thread after each iteration, numbered from 1, with ||r' - r||_1. Anything
	 * but 0 ends the run: its ranks are those so far. NULL: nobody wants to know. */
	int (*progress)(void *user, int64_t iteration, double residual);
	void *user;
} tulle_pagerank_options;

typedef struct {
	size_t size; /* = sizeof(tulle_pagerank_info) */
	int64_t nodes, links;
	int64_t dangling; /* nodes without a link, or with weights of 0 only */
	int64_t iterations;
	double residual;              /* ||r' - r||_1 of the last iteration */
	double error_bound;           /* d/(1-d) residual >= ||r' - r*||_1, but for rounding */
	int converged;                /* 1: residual < tolerance */
	int stopped;                  /* 1: by the progress function */
	double damping, tolerance;    /* as used ... */
	int64_t max_iterations;       /* ... */
	double create_seconds;        /* spent in tulle_pagerank_create, the plan included */
	double seconds;               /* spent in this run ... */
	double seconds_per_iteration; /* ... in an iteration, on average */
} tulle_pagerank_info;

/* Write the ranks of all nodes, `ranks` having room for N doubles. Memory for 2 N more is taken
 * for the call, which may be made from many threads on one handle. A run that ends without having
 * reached the tolerance is no failure: see info.converged. info may be NULL. After a failure ranks are
 * untouched. */
TULLE_API tulle_status tulle_pagerank_run(const tulle_pagerank *graph,
                                          const tulle_pagerank_options *options, double *ranks,
                                          tulle_pagerank_info *info);

TULLE_API void tulle_pagerank_destroy(tulle_pagerank *graph);

/* The least k with 2 d^k < tolerance, and one for rounding: no start is further than 2 from where
 * its first iteration leads. -1 when an argument is out of range; 0 means the default, as above. */
TULLE_API int64_t tulle_pagerank_iterations(double damping, double tolerance);

/* What is computed, in words to print: the same for everyone who shows ranks. They live as long as
 * the library. */
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
