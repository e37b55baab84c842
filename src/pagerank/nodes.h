/* nodes.h -- the vectors of one call, and the results of a pass over the nodes. */
#ifndef TULLE_PAGERANK_NODES_H
#define TULLE_PAGERANK_NODES_H

#include "core/exact.h"
#include "core/executable.h"

/* Results of a pass, for one part or for all. */
typedef struct {
	double difference; /* ||r' - r||_1 */
	double dangling;   /* rank of the dangling nodes in r' */
} tulle__found;

/* The vectors of one call. r is stored divided by the weights: s_i = r_i / |weight_i|, which is
 * what the multiplication reads. This saves the memory traffic of one vector. */
typedef struct {
	tulle__env *env;
	int64_t nodes, parts;
	const double *weight, *teleport; /* teleport NULL: uniform */
	double scale;                    /* v_j = teleport_j scale, or scale */
	double *s, *z;                   /* z = A^T s */
	tulle__found *found;             /* of each part */
	tulle__executable passes;        /* TULLE__PASS_START, TULLE__PASS_STEP */
} tulle__nodes;

/* The argument of a pass: r' = d z + c v. */
typedef struct {
	const tulle__nodes *n;
	double d, c;
} tulle__pass;

/* The operations: the first computes s from r' = v, without an r; the second from r' as above. */
enum { TULLE__PASS_START, TULLE__PASS_STEP };

/* Finds the kernels of the passes, which have n->parts parts. */
tulle_status tulle__nodes_prepare(tulle__nodes *n);

/* s from r = v. */
tulle__found tulle__nodes_start(const tulle__nodes *n);

/* r' = d z + c v, s from r'. */
tulle__found tulle__nodes_step(const tulle__nodes *n, double d, double c);

/* ranks = r. */
void tulle__nodes_ranks(const tulle__nodes *n, double *ranks);

#endif
