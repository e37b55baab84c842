/* convert.c -- tulle-petsc-convert: a Matrix Market or tuned file as a PETSc binary file.
 *
 *     tulle-petsc-convert IN.mtx OUT.petsc
 *
 * PETSc with 64-bit integers writes and reads other files than PETSc with 32-bit integers, so there is one
 * program for each. */
#include "tools/load.h"

int main(int argc, char **argv)
{
	PetscViewer viewer;
	Mat A;

	PetscCall(
	    PetscInitialize(&argc, &argv, NULL,
	                    "tulle-petsc-convert IN.mtx OUT.petsc: Matrix Market to PETSc binary\n"));
	PetscCheck(argc >= 3, PETSC_COMM_WORLD, PETSC_ERR_USER, "wanted: IN.mtx OUT.petsc");
	PetscCall(tulle__petsc_load(argv[1], MATAIJ, &A));
	PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, argv[2], FILE_MODE_WRITE, &viewer));
	PetscCall(MatView(A, viewer));
	PetscCall(PetscViewerDestroy(&viewer));
	PetscCall(MatDestroy(&A));
	PetscCall(PetscFinalize());
	return 0;
}
