/* grid.c -- five points on a grid. */
#include "grid.h"

PetscErrorCode grid_assemble(Mat A, PetscInt m, PetscInt n, grid_points points)
{
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(MatMPIAIJSetPreallocation(A, 5, NULL, 5, NULL));
	PetscCall(MatSeqAIJSetPreallocation(A, 5, NULL));
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	for (PetscInt row = first; row < end; row++) {
		const PetscInt i = row / n, j = row % n;
		const double own = points.own + points.uneven * (double)(row % 3);
		if (i > 0)
			PetscCall(MatSetValue(A, row, row - n, points.vertical, INSERT_VALUES));
		if (i < m - 1)
			PetscCall(MatSetValue(A, row, row + n, points.vertical, INSERT_VALUES));
		if (j > 0)
			PetscCall(MatSetValue(A, row, row - 1, points.left, INSERT_VALUES));
		if (j < n - 1)
			PetscCall(MatSetValue(A, row, row + 1, points.right, INSERT_VALUES));
		PetscCall(MatSetValue(A, row, row, own, INSERT_VALUES));
	}
	PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(0);
}
