/* grid3.c -- an ordinary PETSc program that knows nothing of tulle: seven points in a cube, one KSP.
 *
 * Does what the tutorial ex45 of KSP does: a DMDA makes the matrix, so -dm_mat_type sets its type. The
 * source lies in the middle of the cube, and its sides are kept at zero. */
#include <petscdmda.h>
#include <petscksp.h>

static PetscErrorCode right_side(KSP ksp, Vec b, void *nothing)
{
	DM dm;
	DMDALocalInfo grid;
	PetscScalar ***at;

	PetscFunctionBegin;
	(void)nothing;
	PetscCall(KSPGetDM(ksp, &dm));
	PetscCall(DMDAGetLocalInfo(dm, &grid));
	PetscCall(VecSet(b, 0.0));
	PetscCall(DMDAVecGetArray(dm, b, &at));
	for (PetscInt k = grid.zs; k < grid.zs + grid.zm; k++)
		for (PetscInt j = grid.ys; j < grid.ys + grid.ym; j++)
			for (PetscInt i = grid.xs; i < grid.xs + grid.xm; i++)
				if (4 * i > grid.mx && 4 * i < 3 * grid.mx && 4 * k > grid.mz)
					at[k][j][i] = 1.0 + (double)(j % 5);
	PetscCall(DMDAVecRestoreArray(dm, b, &at));
	PetscFunctionReturn(0);
}

static PetscErrorCode matrix(KSP ksp, Mat shape, Mat A, void *nothing)
{
	DM dm;
	DMDALocalInfo g;

	PetscFunctionBegin;
	(void)nothing;
	(void)shape;
	PetscCall(KSPGetDM(ksp, &dm));
	PetscCall(DMDAGetLocalInfo(dm, &g));
	for (PetscInt k = g.zs; k < g.zs + g.zm; k++) {
		for (PetscInt j = g.ys; j < g.ys + g.ym; j++) {
			for (PetscInt i = g.xs; i < g.xs + g.xm; i++) {
				const MatStencil row = { .k = k, .j = j, .i = i };
				const MatStencil all[7] = { row,
					                        { .k = k - 1, .j = j, .i = i },
					                        { .k = k + 1, .j = j, .i = i },
					                        { .k = k, .j = j - 1, .i = i },
					                        { .k = k, .j = j + 1, .i = i },
					                        { .k = k, .j = j, .i = i - 1 },
					                        { .k = k, .j = j, .i = i + 1 } };
				const PetscScalar values[7] = { 6, -1, -1, -1, -1, -1, -1 };
				const PetscBool inside =
				    i > 0 && j > 0 && k > 0 && i < g.mx - 1 && j < g.my - 1 && k < g.mz - 1;
				PetscCall(
				    MatSetValuesStencil(A, 1, &row, inside ? 7 : 1, all, values, INSERT_VALUES));
			}
		}
	}
	PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
	KSP ksp;
	DM dm;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
	PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
	                       DMDA_STENCIL_STAR, 13, 14, 15, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE,
	                       1, 1, NULL, NULL, NULL, &dm));
	PetscCall(DMSetFromOptions(dm));
	PetscCall(DMSetUp(dm));
	PetscCall(KSPSetDM(ksp, dm));
	PetscCall(KSPSetComputeRHS(ksp, right_side, NULL));
	PetscCall(KSPSetComputeOperators(ksp, matrix, NULL));
	PetscCall(KSPSetFromOptions(ksp));
	PetscCall(KSPSolve(ksp, NULL, NULL));
	PetscCall(KSPDestroy(&ksp));
	PetscCall(DMDestroy(&dm));
	PetscCall(PetscFinalize());
	return 0;
}
