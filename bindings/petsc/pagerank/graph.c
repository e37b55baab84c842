/* graph.c -- a graph from a file: checked, distributed, its links transposed. */
#include "graph.h"

#include <float.h>

#include "tools/load.h"
#include "tools/partition.h"

/* ---- weights ---- */

/* W of each row, and whether a weight is none. The whole row is on this rank. */
static PetscErrorCode add_weights(Mat A, Vec sums)
{
	PetscInt first, end, count;
	const PetscScalar *values;
	PetscScalar *w;
	int bad = 0;

	PetscFunctionBegin;
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	PetscCall(VecGetArrayWrite(sums, &w));
	for (PetscInt i = first; i < end; i++) {
		PetscCall(MatGetRow(A, i, &count, NULL, &values));
		w[i - first] = 0;
		for (PetscInt k = 0; k < count; k++) {
			bad |= !(values[k] >= 0 && values[k] <= DBL_MAX);
			w[i - first] += values[k];
		}
		PetscCall(MatRestoreRow(A, i, &count, NULL, &values));
	}
	PetscCall(VecRestoreArrayWrite(sums, &w));
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
	PetscCheck(!bad, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
	           "the weight of a link is negative, infinite or not a number");
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* 1 / W, and 0 where there is nothing to share out. */
static PetscErrorCode invert(pagerank_graph *graph)
{
	PetscScalar *w;
	PetscInt n;

	PetscFunctionBegin;
	PetscCall(VecGetLocalSize(graph->inverse, &n));
	PetscCall(VecGetArray(graph->inverse, &w));
	graph->dangling = 0;
	for (PetscInt i = 0; i < n; i++) {
		graph->dangling += w[i] == 0;
		w[i] = w[i] == 0 ? 0 : 1 / w[i];
	}
	PetscCall(VecRestoreArray(graph->inverse, &w));
	PetscCallMPI(
	    MPI_Allreduce(MPI_IN_PLACE, &graph->dangling, 1, MPIU_INT64, MPI_SUM, PETSC_COMM_WORLD));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- graph ---- */

static PetscErrorCode count_ghosts(pagerank_graph *graph)
{
	PetscBool parallel;
	PetscInt count = 0;
	Mat off;

	PetscFunctionBegin;
	PetscCall(PetscObjectBaseTypeCompare((PetscObject)graph->links, MATMPIAIJ, &parallel));
	if (parallel) {
		PetscCall(MatMPIAIJGetSeqAIJ(graph->links, NULL, &off, NULL));
		PetscCall(MatGetSize(off, NULL, &count));
	}
	graph->ghosts = graph->most = count;
	PetscCallMPI(
	    MPI_Allreduce(MPI_IN_PLACE, &graph->ghosts, 1, MPIU_INT64, MPI_SUM, PETSC_COMM_WORLD));
	PetscCallMPI(
	    MPI_Allreduce(MPI_IN_PLACE, &graph->most, 1, MPIU_INT64, MPI_MAX, PETSC_COMM_WORLD));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode graph_load(const char *path, const char *order, MatType type, pagerank_graph *graph)
{
	PetscBool natural;
	PetscInt columns;
	MatInfo info;
	Mat A, B;

	PetscFunctionBegin;
	graph->node = NULL;
	PetscCall(tulle__petsc_load(path, MATAIJ, &A));
	PetscCall(MatGetSize(A, &graph->nodes, &columns));
	PetscCheck(graph->nodes == columns && columns > 0, PETSC_COMM_WORLD, PETSC_ERR_ARG_SIZ,
	           "%s: the matrix of a graph is square and not empty", path);
	PetscCall(PetscStrcmp(order, "natural", &natural));
	if (!natural) {
		PetscCall(tulle__petsc_partition(A, order, &graph->node));
		PetscCall(MatCreateSubMatrix(A, graph->node, graph->node, MAT_INITIAL_MATRIX, &B));
		PetscCall(MatDestroy(&A));
		A = B;
	}
	PetscCall(MatGetInfo(A, MAT_GLOBAL_SUM, &info));
	graph->entries = (PetscInt64)info.nz_used;
	PetscCall(MatCreateVecs(A, NULL, &graph->inverse));
	PetscCall(add_weights(A, graph->inverse));
	PetscCall(invert(graph));
	PetscCall(MatTranspose(A, MAT_INITIAL_MATRIX, &graph->links));
	PetscCall(MatDestroy(&A));
	PetscCall(MatConvert(graph->links, type, MAT_INPLACE_MATRIX, &graph->links));
	PetscCall(count_ghosts(graph));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode graph_destroy(pagerank_graph *graph)
{
	PetscFunctionBegin;
	PetscCall(ISDestroy(&graph->node));
	PetscCall(VecDestroy(&graph->inverse));
	PetscCall(MatDestroy(&graph->links));
	PetscFunctionReturn(PETSC_SUCCESS);
}
