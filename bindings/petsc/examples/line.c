/* line.c -- the program of docs/migration/petsc.md: heat in a rod, with whatever matrix type the options name. */
#include <petscksp.h>

static PetscErrorCode assemble(PetscInt n, Mat *A)
{
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, n, n));
	PetscCall(MatSetFromOptions(*A)); /* -mat_type */
	PetscCall(MatSeqAIJSetPreallocation(*A, 3, NULL));
	PetscCall(MatMPIAIJSetPreallocation(*A, 3, NULL, 2, NULL));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	for (PetscInt i = first; i < end; i++) {
		const PetscInt cols[] = { i - 1, i, i + 1 == n ? -1 : i + 1 }; /* below 0: ignored */
		const PetscScalar vals[] = { -1, 2, -1 };

		PetscCall(MatSetValues(*A, 1, &i, 3, cols, vals, INSERT_VALUES));
	}
	PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
	Mat A;
	Vec x, b;
	KSP ksp;
	PetscInt iterations;
	PetscReal residual;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(assemble(200, &A));
	PetscCall(MatCreateVecs(A, &x, &b));
	PetscCall(VecSet(b, 1.0));
	PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
	PetscCall(KSPSetOperators(ksp, A, A));
	PetscCall(KSPSetType(ksp, KSPCG));
	PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
	PetscCall(KSPSetFromOptions(ksp));
	PetscCall(KSPSolve(ksp, b, x));
	PetscCall(KSPGetIterationNumber(ksp, &iterations));
	PetscCall(MatMult(A, x, b));
	PetscCall(VecShift(b, -1.0)); /* A x - b */
	PetscCall(VecNorm(b, NORM_INFINITY, &residual));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d iterations, residual %.1e\n", (int)iterations,
	                      (double)residual));
	PetscCall(KSPDestroy(&ksp));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscCall(MatDestroy(&A));
	PetscCall(PetscFinalize());
	return residual > 1e-6;
}
