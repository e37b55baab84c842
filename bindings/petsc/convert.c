/* convert.c -- what converters to and from tulle's matrix types have in common. */
#include "plugin.h"

PetscErrorCode tulle__petsc_target(MatType type, Mat A, MatReuse reuse, Mat *B, PetscBool *done)
{
	PetscFunctionBegin;
	if (reuse == MAT_INITIAL_MATRIX)
		PetscCall(MatDuplicate(A, MAT_COPY_VALUES, B));
	else if (reuse == MAT_REUSE_MATRIX)
		PetscCall(MatCopy(A, *B, SAME_NONZERO_PATTERN));
	PetscCall(PetscObjectTypeCompare((PetscObject)*B, type, done));
	if (reuse == MAT_REUSE_MATRIX)
		*done = PETSC_TRUE;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_by_way_of(MatType base, Mat A, MatType type, MatReuse reuse, Mat *B)
{
	PetscFunctionBegin;
	if (reuse == MAT_INPLACE_MATRIX) {
		PetscCall(MatConvert(A, base, MAT_INPLACE_MATRIX, &A));
		PetscCall(MatConvert(A, type, MAT_INPLACE_MATRIX, B));
	} else {
		Mat plain;
		PetscCall(MatConvert(A, base, MAT_INITIAL_MATRIX, &plain));
		PetscCall(MatConvert(plain, type, reuse, B));
		PetscCall(MatDestroy(&plain));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}
