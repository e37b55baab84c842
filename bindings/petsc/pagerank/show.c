/* show.c -- ranks for people and for files, in the numbers that nodes have in the file. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
	double rank;
	int64_t node;
} ranked;

/* The highest first; of equal ones the first node. */
static int compare(const void *a, const void *b)
{
	const ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return (x->node > y->node) - (x->node < y->node);
}

/* All ranks of the graph on rank 0, by node. */
static PetscErrorCode gather(const pagerank_graph *graph, Vec r, Vec *all)
{
	VecScatter scatter;
	Vec natural = r;

	PetscFunctionBegin;
	if (graph->node) {
		const PetscInt *node;
		const PetscScalar *ranks;
		PetscInt n;
		PetscCall(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, graph->nodes, &natural));
		PetscCall(VecGetLocalSize(r, &n));
		PetscCall(ISGetIndices(graph->node, &node));
		PetscCall(VecGetArrayRead(r, &ranks));
		PetscCall(VecSetValues(natural, n, node, ranks, INSERT_VALUES));
		PetscCall(VecRestoreArrayRead(r, &ranks));
		PetscCall(ISRestoreIndices(graph->node, &node));
		PetscCall(VecAssemblyBegin(natural));
		PetscCall(VecAssemblyEnd(natural));
	}
	PetscCall(VecScatterCreateToZero(natural, &scatter, all));
	PetscCall(VecScatterBegin(scatter, natural, *all, INSERT_VALUES, SCATTER_FORWARD));
	PetscCall(VecScatterEnd(scatter, natural, *all, INSERT_VALUES, SCATTER_FORWARD));
	PetscCall(VecScatterDestroy(&scatter));
	if (natural != r)
		PetscCall(VecDestroy(&natural));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each rank sends its own highest, so little goes through the network. */
PetscErrorCode show_top(const pagerank_graph *graph, Vec r, PetscInt count)
{
	PetscMPIInt rank, size;
	PetscInt n, first;
	const PetscInt *node = NULL;
	const PetscScalar *ranks;
	ranked *mine, *all = NULL;

	PetscFunctionBegin;
	PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
	PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
	PetscCall(VecGetLocalSize(r, &n));
	PetscCall(VecGetOwnershipRange(r, &first, NULL));
	PetscCall(PetscMalloc1(PetscMax(n, count), &mine));
	PetscCall(VecGetArrayRead(r, &ranks));
	if (graph->node)
		PetscCall(ISGetIndices(graph->node, &node));
	for (PetscInt i = 0; i < n; i++)
		mine[i] = (ranked){ .rank = ranks[i], .node = node ? node[i] : first + i };
	for (PetscInt i = n; i < count; i++)
		mine[i] = (ranked){ .rank = -1, .node = -1 };
	if (graph->node)
		PetscCall(ISRestoreIndices(graph->node, &node));
	PetscCall(VecRestoreArrayRead(r, &ranks));
	qsort(mine, (size_t)PetscMax(n, count), sizeof *mine, compare);
	if (rank == 0)
		PetscCall(PetscMalloc1(count * size, &all));
	const int bytes = (int)((size_t)count * sizeof *mine);
	PetscCallMPI(MPI_Gather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, PETSC_COMM_WORLD));
	if (rank == 0) {
		qsort(all, (size_t)count * (size_t)size, sizeof *all, compare);
		for (PetscInt k = 0; k < count && all[k].node >= 0; k++)
			PetscCall(PetscPrintf(PETSC_COMM_SELF, "%4d  %-12lld %.9e\n", (int)k + 1,
			                      (long long)all[k].node + 1, all[k].rank));
	}
	PetscCall(PetscFree(all));
	PetscCall(PetscFree(mine));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode write_ranks(const pagerank_graph *graph, Vec r, const char *path)
{
	const PetscScalar *ranks;
	PetscInt n;
	FILE *file;
	Vec all;

	PetscFunctionBegin;
	PetscCall(gather(graph, r, &all));
	PetscCall(VecGetLocalSize(all, &n)); /* 0 but on rank 0 */
	PetscCall(PetscFOpen(PETSC_COMM_WORLD, path, "w", &file));
	PetscCall(VecGetArrayRead(all, &ranks));
	for (PetscInt i = 0; i < n; i++)
		PetscCall(PetscFPrintf(PETSC_COMM_SELF, file, "%.17g\n", ranks[i]));
	PetscCall(VecRestoreArrayRead(all, &ranks));
	PetscCall(PetscFClose(PETSC_COMM_WORLD, file));
	PetscCall(VecDestroy(&all));
	PetscFunctionReturn(PETSC_SUCCESS);
}
