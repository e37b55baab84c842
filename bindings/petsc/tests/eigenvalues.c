/* eigenvalues.c -- SLEPc's eigenvalues by products of PETSc's type and of tulle's, to 1e-10.
 *
 * The largest ones of a symmetric and of an unsymmetric matrix on a grid, and the smallest ones by
 * shift and invert. */
#include "grid.h"

#include <math.h>
#include <slepceps.h>

enum { WANTED = 5 };

/* Convection and diffusion on a square of side n; symmetric for a wind of 0. */
static PetscErrorCode assemble(PetscInt n, double wind, MatType type, Mat *A)
{
	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n));
	PetscCall(MatSetType(*A, type));
	PetscCall(grid_assemble(*A, n, n, (grid_points){ -1, -1.1 - wind, -1.1 + wind, 4.2, 0.01 }));
	PetscFunctionReturn(0);
}

static PetscErrorCode solve(Mat A, PetscBool symmetric, PetscBool smallest, double *found)
{
	EPS eps;
	ST st;
	PetscInt converged;
	PetscScalar real;

	PetscFunctionBegin;
	PetscCall(EPSCreate(PETSC_COMM_WORLD, &eps));
	PetscCall(EPSSetOperators(eps, A, NULL));
	PetscCall(EPSSetProblemType(eps, symmetric ? EPS_HEP : EPS_NHEP));
	PetscCall(EPSSetTolerances(eps, 1e-12, 2000));
	PetscCall(EPSSetDimensions(eps, WANTED, PETSC_DEFAULT, PETSC_DEFAULT));
	if (smallest) {
		PetscCall(EPSGetST(eps, &st));
		PetscCall(STSetType(st, STSINVERT));
		PetscCall(EPSSetTarget(eps, 0.0));
		PetscCall(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
	}
	PetscCall(EPSSetFromOptions(eps));
	PetscCall(EPSSolve(eps));
	PetscCall(EPSGetConverged(eps, &converged));
	PetscCheck(converged >= WANTED, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED,
	           "too few eigenvalues");
	for (PetscInt k = 0; k < WANTED; k++) {
		PetscCall(EPSGetEigenvalue(eps, k, &real, NULL));
		found[k] = real;
	}
	PetscCall(EPSDestroy(&eps));
	PetscFunctionReturn(0);
}

static PetscErrorCode compare(double wind, PetscBool smallest, int *failures)
{
	static const char *const types[2] = { MATAIJ, "aijtulle" };
	double found[2][WANTED];

	PetscFunctionBegin;
	for (int k = 0; k < 2; k++) {
		Mat A;
		PetscCall(assemble(30, wind, types[k], &A));
		PetscCall(solve(A, wind == 0 ? PETSC_TRUE : PETSC_FALSE, smallest, found[k]));
		PetscCall(MatDestroy(&A));
	}
	for (int k = 0; k < WANTED; k++) {
		const double off = fabs(found[1][k] - found[0][k]);
		const int fails = !(off <= 1e-10 * fabs(found[0][k]));
		*failures += fails;
		PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%swind %g, %s: %.15g, off by %.1e\n",
		                      fails ? "FAILED " : "", wind, smallest ? "smallest" : "largest",
		                      found[1][k], off));
	}
	PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
	int failures = 0;

	PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
	PetscCall(compare(0.0, PETSC_FALSE, &failures));
	PetscCall(compare(0.3, PETSC_FALSE, &failures));
	PetscCall(compare(0.0, PETSC_TRUE, &failures));
	PetscCall(SlepcFinalize());
	return failures != 0;
}
