/* graph.h -- a graph that is distributed over the ranks and ready for PageRank. */
#ifndef TULLE_PETSC_GRAPH_H
#define TULLE_PETSC_GRAPH_H

#include "plugin.h"

typedef struct {
	Mat links;      /* A^T: row j has the links into node j */
	Vec inverse;    /* 1 / W_i, W_i the weights of node i's links added up; 0 for dangling nodes */
	IS node;        /* which node of the file each row is; NULL: row i is node i */
	PetscInt nodes; /* of all ranks ... */
	PetscInt64 entries;  /* ... */
	PetscInt64 dangling; /* ... */
	PetscInt64 ghosts; /* values of other ranks that a multiplication needs, all ranks' added up */
	PetscInt64 most;   /* and of the rank that needs most */
} pagerank_graph;

/* From a file whose entry (i, j) is a link from node i to node j, its value the link's weight. `order`
 * is "natural", rows as in the file, or a type of MatPartitioning, "ptscotch", which brings nodes that
 * are linked to one rank. */
PetscErrorCode graph_load(const char *path, const char *order, MatType type, pagerank_graph *graph);
PetscErrorCode graph_destroy(pagerank_graph *graph);

/* iterate.c */
typedef struct {
	PetscReal damping, tolerance;
	PetscInt max_iterations;
	PetscInt warm_up; /* products before the iterations, to time these without planning */
	PetscInt iterations;
	double residual;
	double seconds; /* of all iterations, the slowest rank's */
} pagerank_run;

/* r: the ranks of this graph's rows, in r of the layout of graph->inverse. */
PetscErrorCode iterate(const pagerank_graph *graph, pagerank_run *run, Vec r);

/* show.c */

/* Print the `count` nodes of highest rank. */
PetscErrorCode show_top(const pagerank_graph *graph, Vec r, PetscInt count);

/* Write all ranks in the order of the nodes, one per line. */
PetscErrorCode write_ranks(const pagerank_graph *graph, Vec r, const char *path);

#endif
