/* nodes.h -- one call's vectors, and what a pass over the nodes finds out. */
#ifndef TULLE_PAGERANK_NODES_H
#define TULLE_PAGERANK_NODES_H

#include "core/exact.h"
#include "core/executable.h"

/* What a pass finds out, of one part or of all. */
typedef struct {
	double difference; /* ||r' - r||_1 */
	double dangling;   /* rank of the dangling nodes in r' */
} tulle__found;

/* One call's vectors. r is kept divided by the weights: s_i = r_i / |weight_i|, which is what the
 * multiplication reads. One vector less goes through the caches than with r and s. */
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

/* The operations: s from r' = v, where there is no r; and from r' as above. */
enum { TULLE__PASS_START, TULLE__PASS_STEP };

/* Finds the kernels of the passes, which are cut into n->parts. */
tulle_status tulle__nodes_prepare(tulle__nodes *n);

/* s from r = v. */
tulle__found tulle__nodes_start(const tulle__nodes *n);

/* r' = d z + c v, s from r'. */
tulle__found tulle__nodes_step(const tulle__nodes *n, double d, double c);

/* ranks = r. */
void tulle__nodes_ranks(const tulle__nodes *n, double *ranks);

#endif
