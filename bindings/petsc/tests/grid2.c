/* grid2.c -- an ordinary PETSc program that knows nothing of tulle: five points on a square, one KSP.
 *
 * Does what the tutorial ex2 of KSP does: a matrix by MatSetFromOptions(), entries one by one, a
 * solution of ones. -m N and -n N are the sides. */
#include "grid.h"

#include <petscksp.h>

static PetscErrorCode assemble(PetscInt m, PetscInt n, Mat *A)
{
	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, m * n, m * n));
	PetscCall(MatSetFromOptions(*A));
	PetscCall(grid_assemble(*A, m, n, (grid_points){ -1, -1, -1, 4, 0 }));
	PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
	PetscInt m = 60, n = 57;
	Mat A;
	Vec x, b;
	KSP ksp;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-m", &m, NULL));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
	PetscCall(assemble(m, n, &A));
	PetscCall(MatCreateVecs(A, &x, &b));
	PetscCall(VecSet(x, 1.0));
	PetscCall(MatMult(A, x, b));
	PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
	PetscCall(KSPSetOperators(ksp, A, A));
	PetscCall(KSPSetFromOptions(ksp));
	PetscCall(KSPSolve(ksp, b, x));
	PetscCall(KSPDestroy(&ksp));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscCall(MatDestroy(&A));
	PetscCall(PetscFinalize());
	return 0;
}
