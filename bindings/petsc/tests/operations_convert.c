/* operations_convert.c -- MatConvert() and MatSetType(), there and back. */
#include "operations.h"

#include <string.h>

static PetscErrorCode in_place(Mat *A, MatType type)
{
	return MatConvert(*A, type, MAT_INPLACE_MATRIX, A);
}

/* New, then once more with other values, then in the old one's place. */
static PetscErrorCode initial_and_reuse(Mat *A, MatType type)
{
	Mat B;

	PetscFunctionBegin;
	PetscCall(MatConvert(*A, type, MAT_INITIAL_MATRIX, &B));
	PetscCall(multiply_once(B));
	PetscCall(MatScale(*A, 1.5));
	PetscCall(MatConvert(*A, type, MAT_REUSE_MATRIX, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode initial(Mat *A, MatType type)
{
	Mat B;

	PetscFunctionBegin;
	PetscCall(MatConvert(*A, type, MAT_INITIAL_MATRIX, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

#define CONVERSION(name, how, type)                      \
	static PetscErrorCode name(Mat *A, note_list *notes) \
	{                                                    \
		(void)notes;                                     \
		return how(A, type);                             \
	}
CONVERSION(same_initial, initial, "same")
CONVERSION(aij_in_place, in_place, MATAIJ)
CONVERSION(aij_reuse, initial_and_reuse, MATAIJ)
CONVERSION(base_in_place, in_place, ranks() == 1 ? MATSEQAIJ : MATMPIAIJ)
CONVERSION(base_initial, initial_and_reuse, ranks() == 1 ? MATSEQAIJ : MATMPIAIJ)
CONVERSION(dense_in_place, in_place, MATDENSE)
CONVERSION(dense_reuse, initial_and_reuse, MATDENSE)
CONVERSION(baij_in_place, in_place, MATBAIJ)
CONVERSION(baij_reuse, initial_and_reuse, MATBAIJ)
CONVERSION(sell_in_place, in_place, MATSELL)
CONVERSION(sell_initial, initial, MATSELL)
CONVERSION(perm_in_place, in_place, MATAIJPERM)
CONVERSION(perm_initial, initial, MATAIJPERM)
CONVERSION(crl_in_place, in_place, MATAIJCRL)
CONVERSION(is_initial, initial, MATIS)

/* Symmetric matrices only. */
static PetscErrorCode sbaij(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(MatAXPY(*A, 1.0, B, DIFFERENT_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscCall(MatSetOption(*A, MAT_SYMMETRIC, PETSC_TRUE));
	PetscCall(MatConvert(*A, MATSBAIJ, MAT_INITIAL_MATRIX, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode adjacency(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	PetscCall(MatConvert(*A, MATMPIADJ, MAT_INITIAL_MATRIX, &B));
	PetscCall(note_matrix(notes, B));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* To tulle's type, from whatever A is. */
static PetscErrorCode to_tulle(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	PetscCall(initial_and_reuse(A, "aijtulle"));
	PetscCall(in_place(A, MATDENSE));
	PetscCall(in_place(A, "aijtulle"));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Blocks of 3 x 3, symmetric, some of them with zeros. */
static PetscErrorCode block_matrix(MatType type, Mat *B)
{
	const PetscInt n = 120, size = 3;
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, B));
	PetscCall(MatSetSizes(*B, PETSC_DECIDE, PETSC_DECIDE, n, n));
	PetscCall(MatSetBlockSize(*B, size));
	PetscCall(MatSetType(*B, type));
	PetscCall(MatSetUp(*B));
	PetscCall(MatSetOption(*B, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
	PetscCall(MatGetOwnershipRange(*B, &first, &end));
	for (PetscInt i = first; i < end; i++)
		for (PetscInt j = strstr(type, "sbaij") ? i : 0; j < n; j++)
			if (i == j || (i * j + i + j) % 13 == 0)
				PetscCall(MatSetValue(*B, i, j, i == j ? 10.0 : 1.0 / (double)(1 + (i + j) % 7),
				                      INSERT_VALUES));
	PetscCall(assemble(*B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* From a type with blocks to tulle's if A is of tulle's, else to PETSc's AIJ; with new values, too. For AIJ
 * anew: in PETSc 3.18 reuse from SeqSBAIJ with blocks gives a matrix with wrong products. */
static PetscErrorCode from_blocks(Mat *A, MatType type, MatReuse reuse)
{
	PetscBool ours;
	Mat B, C;

	PetscFunctionBegin;
	PetscCall(PetscObjectTypeCompareAny((PetscObject)*A, &ours, "seqaijtulle", "mpiaijtulle", ""));
	const MatType to = ours ? "aijtulle" : MATAIJ;
	PetscCall(block_matrix(type, &B));
	if (reuse == MAT_INPLACE_MATRIX) {
		PetscCall(MatConvert(B, to, MAT_INPLACE_MATRIX, &B));
		PetscCall(put_in_place(A, B));
	} else {
		PetscCall(MatConvert(B, to, MAT_INITIAL_MATRIX, &C));
		PetscCall(multiply_once(C));
		PetscCall(MatScale(B, 1.5));
		if (!ours)
			PetscCall(MatDestroy(&C));
		PetscCall(MatConvert(B, to, ours ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, &C));
		PetscCall(MatDestroy(&B));
		PetscCall(put_in_place(A, C));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

#define FROM_BLOCKS(name, type, reuse)                   \
	static PetscErrorCode name(Mat *A, note_list *notes) \
	{                                                    \
		(void)notes;                                     \
		return from_blocks(A, type, reuse);              \
	}
FROM_BLOCKS(from_baij, MATBAIJ, MAT_REUSE_MATRIX)
FROM_BLOCKS(from_baij_in_place, MATBAIJ, MAT_INPLACE_MATRIX)
FROM_BLOCKS(from_sbaij, MATSBAIJ, MAT_REUSE_MATRIX)
FROM_BLOCKS(from_sbaij_in_place, MATSBAIJ, MAT_INPLACE_MATRIX)

static PetscErrorCode there_and_back(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	for (int k = 0; k < 3; k++) {
		PetscCall(in_place(A, "aijtulle"));
		PetscCall(multiply_once(*A));
		PetscCall(in_place(A, ranks() == 1 ? MATSEQAIJ : MATMPIAIJ));
		PetscCall(multiply_once(*A));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* MatSetType() empties a matrix that has another type. */
static PetscErrorCode set_type(Mat *A, note_list *notes)
{
	PetscInt first, end;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatSetType(*A, "aijtulle"));
	PetscCall(MatSetType(*A, MATDENSE));
	PetscCall(MatSetType(*A, MATAIJ));
	PetscCall(MatSetUp(*A));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	for (PetscInt i = first; i < end; i++)
		PetscCall(MatSetValue(*A, i, i, 3.0 + (double)(i % 2), INSERT_VALUES));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

#if defined(PETSC_HAVE_HYPRE)
CONVERSION(hypre_initial, initial, MATHYPRE)
#endif

const operation operations_convert[] = {
	{ "MatConvert same", same_initial, 0 },
	{ "MatConvert aij in place", aij_in_place, PLAIN },
	{ "MatConvert aij initial, reuse", aij_reuse, PLAIN },
	{ "MatConvert seqaij, mpiaij in place", base_in_place, PLAIN },
	{ "MatConvert seqaij, mpiaij initial", base_initial, PLAIN },
	{ "MatConvert dense in place", dense_in_place, PLAIN },
	{ "MatConvert dense initial, reuse", dense_reuse, PLAIN },
	{ "MatConvert baij in place", baij_in_place, PLAIN },
	{ "MatConvert baij initial, reuse", baij_reuse, PLAIN },
	{ "MatConvert sbaij", sbaij, PLAIN },
	{ "MatConvert sell in place", sell_in_place, PLAIN },
	{ "MatConvert sell initial", sell_initial, PLAIN },
	{ "MatConvert aijperm in place", perm_in_place, PLAIN },
	{ "MatConvert aijperm initial", perm_initial, PLAIN },
	{ "MatConvert aijcrl", crl_in_place, PLAIN },
	{ "MatConvert is", is_initial, PLAIN },
	{ "MatConvert mpiadj", adjacency, 0 },
	{ "MatConvert aijtulle", to_tulle, 0 },
	{ "MatConvert from baij", from_baij, 0 },
	{ "MatConvert from baij in place", from_baij_in_place, 0 },
	{ "MatConvert from sbaij", from_sbaij, 0 },
	{ "MatConvert from sbaij in place", from_sbaij_in_place, 0 },
	{ "MatConvert there and back", there_and_back, PLAIN },
	{ "MatSetType", set_type, PLAIN },
#if defined(PETSC_HAVE_HYPRE)
	{ "MatConvert hypre", hypre_initial, PLAIN },
#endif
	{ NULL, NULL, 0 },
};
