/* partition.c -- which rank gets which rows, by one of PETSc's partitioners. */
#include "tools/partition.h"

#include "plugin.h"

/* A partitioner with integers of another width than PETSc's, as Debian gives to its 64-bit PETSc, returns
 * nonsense. */
static PetscErrorCode check_owners(IS owner, PetscMPIInt size, const char *order)
{
	PetscInt least, most;

	PetscFunctionBegin;
	PetscCall(ISGetMinMax(owner, &least, &most));
	int bad = least <= most && (least < 0 || most >= size);
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
	PetscCheck(!bad, PETSC_COMM_WORLD, PETSC_ERR_LIB,
	           "%s gives nodes to ranks that there are not: are its integers as wide as PETSc's?",
	           order);
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_partition(Mat A, const char *order, IS *node)
{
	MatPartitioning partitioning;
	IS owner, number;
	PetscMPIInt rank, size;
	PetscInt *counts;
	Mat both, turned;

	PetscFunctionBegin;
	PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
	PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
	PetscCall(MatTranspose(A, MAT_INITIAL_MATRIX, &turned));
	PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &both));
	PetscCall(MatAXPY(both, 1.0, turned, DIFFERENT_NONZERO_PATTERN));
	PetscCall(MatDestroy(&turned));
	PetscCall(MatPartitioningCreate(PETSC_COMM_WORLD, &partitioning));
	PetscCall(MatPartitioningSetAdjacency(partitioning, both));
	PetscCall(MatPartitioningSetType(partitioning, order));
	PetscCall(MatPartitioningSetFromOptions(partitioning));
	PetscCall(MatPartitioningApply(partitioning, &owner));
	PetscCall(check_owners(owner, size, order));
	PetscCall(MatPartitioningDestroy(&partitioning));
	PetscCall(MatDestroy(&both));
	PetscCall(ISPartitioningToNumbering(owner, &number));
	PetscCall(PetscMalloc1(size, &counts));
	PetscCall(ISPartitioningCount(owner, size, counts));
	PetscCall(ISInvertPermutation(number, counts[rank], node));
	PetscCall(PetscFree(counts));
	PetscCall(ISDestroy(&number));
	PetscCall(ISDestroy(&owner));
	PetscFunctionReturn(PETSC_SUCCESS);
}
