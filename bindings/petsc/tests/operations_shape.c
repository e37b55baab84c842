/* operations_shape.c -- operations that make another matrix of a matrix. */
#include "operations.h"

static PetscErrorCode duplicate(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode duplicate_then_copy(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatDuplicate(*A, MAT_DO_NOT_COPY_VALUES, &B));
	PetscCall(multiply_once(B));
	PetscCall(MatCopy(*A, B, SAME_NONZERO_PATTERN));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Both share the pattern's arrays, and the first one is gone when the second is multiplied. */
static PetscErrorCode duplicate_sharing(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatDuplicate(*A, MAT_SHARE_NONZERO_PATTERN, &B));
	PetscCall(MatCopy(*A, B, SAME_NONZERO_PATTERN));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode copy_different(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(multiply_once(B));
	PetscCall(MatCopy(*A, B, DIFFERENT_NONZERO_PATTERN));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(multiply_once(B));
	PetscCall(MatScale(*A, 3.0));
	PetscCall(MatTranspose(*A, MAT_REUSE_MATRIX, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose_in_place(Mat *A, note_list *notes)
{
	(void)notes;
	return MatTranspose(*A, MAT_INPLACE_MATRIX, A);
}

static PetscErrorCode hermitian_transpose(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatHermitianTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every second row of each rank. */
static PetscErrorCode half(Mat A, IS *set)
{
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	PetscCall(ISCreateStride(PETSC_COMM_WORLD, (end - first) / 2, first, 2, set));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode sub_matrix(Mat *A, note_list *notes)
{
	IS set;
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(half(*A, &set));
	PetscCall(MatCreateSubMatrix(*A, set, set, MAT_INITIAL_MATRIX, &B));
	PetscCall(multiply_once(B));
	PetscCall(MatScale(*A, 1.5));
	PetscCall(MatCreateSubMatrix(*A, set, set, MAT_REUSE_MATRIX, &B));
	PetscCall(ISDestroy(&set));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode sub_matrices(Mat *A, note_list *notes)
{
	IS set;
	Mat *parts;

	PetscFunctionBegin;
	PetscCall(ISCreateStride(PETSC_COMM_SELF, 30, 2, 3, &set));
	PetscCall(MatIncreaseOverlap(*A, 1, &set, 1));
	PetscCall(ISSort(set));
	PetscCall(MatCreateSubMatrices(*A, 1, &set, &set, MAT_INITIAL_MATRIX, &parts));
	PetscCall(multiply_once(parts[0]));
	PetscCall(note_matrix(notes, parts[0]));
	PetscCall(MatScale(*A, 0.5));
	PetscCall(MatCreateSubMatrices(*A, 1, &set, &set, MAT_REUSE_MATRIX, &parts));
	PetscCall(note_matrix(notes, parts[0]));
	PetscCall(MatDestroySubMatrices(1, &parts));
	PetscCall(note_set(notes, set));
	PetscCall(ISDestroy(&set));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode permute(Mat *A, note_list *notes)
{
	PetscInt first, end, *index;
	IS set;
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(PetscMalloc1(end - first, &index));
	for (PetscInt i = 0; i < end - first; i++)
		index[i] = end - 1 - i;
	PetscCall(ISCreateGeneral(PETSC_COMM_WORLD, end - first, index, PETSC_OWN_POINTER, &set));
	PetscCall(MatPermute(*A, set, set, &B));
	PetscCall(ISDestroy(&set));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode diagonal_block(Mat *A, note_list *notes)
{
	Mat block;

	PetscFunctionBegin;
	PetscCall(MatGetDiagonalBlock(*A, &block));
	PetscCall(note_matrix(notes, block));
	PetscCall(multiply_once(block));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode redundant(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	PetscCall(MatCreateRedundantMatrix(*A, ranks(), MPI_COMM_NULL, MAT_INITIAL_MATRIX, &B));
	PetscCall(multiply_once(B));
	PetscCall(note_matrix(notes, B));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode concatenate(Mat *A, note_list *notes)
{
	PetscInt first, end;
	IS all, mine;
	Mat *own, B;
	PetscInt n;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, NULL, &n));
	PetscCall(ISCreateStride(PETSC_COMM_SELF, end - first, first, 1, &mine));
	PetscCall(ISCreateStride(PETSC_COMM_SELF, n, 0, 1, &all));
	PetscCall(MatCreateSubMatrices(*A, 1, &mine, &all, MAT_INITIAL_MATRIX, &own));
	PetscCall(MatCreateMPIMatConcatenateSeqMat(PETSC_COMM_WORLD, own[0], end - first,
	                                           MAT_INITIAL_MATRIX, &B));
	PetscCall(MatDestroySubMatrices(1, &own));
	PetscCall(ISDestroy(&mine));
	PetscCall(ISDestroy(&all));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode local_mat(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	if (ranks() == 1)
		PetscFunctionReturn(PETSC_SUCCESS);
	PetscCall(MatMPIAIJGetLocalMat(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(multiply_once(B));
	PetscCall(MatScale(*A, 2.0));
	PetscCall(MatMPIAIJGetLocalMat(*A, MAT_REUSE_MATRIX, &B));
	PetscCall(note_matrix(notes, B));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Matrices that hold another one and use its products. */
static PetscErrorCode wrapped(Mat *A, note_list *notes)
{
	Mat nest, turned, normal;
	Vec x, y, nx, ny;

	PetscFunctionBegin;
	PetscCall(ones_and_more(*A, &x, &y));
	PetscCall(MatCreateTranspose(*A, &turned));
	PetscCall(MatMult(turned, y, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(MatMultTranspose(turned, x, y));
	PetscCall(note_vector_near(notes, y));
	PetscCall(MatCreateNormal(*A, &normal));
	PetscCall(VecSet(x, 1.0));
	PetscCall(VecDuplicate(x, &nx));
	PetscCall(MatMult(normal, x, nx));
	PetscCall(note_vector_near(notes, nx));
	PetscCall(VecDestroy(&nx));
	PetscCall(MatCreateNest(PETSC_COMM_WORLD, 1, NULL, 2, NULL, (Mat[]){ *A, *A }, &nest));
	PetscCall(MatCreateVecs(nest, &nx, &ny));
	PetscCall(VecSet(nx, 0.5));
	PetscCall(MatMult(nest, nx, ny));
	PetscCall(note_vector_near(notes, ny));
	PetscCall(VecDestroy(&nx));
	PetscCall(VecDestroy(&ny));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&y));
	PetscCall(MatDestroy(&nest));
	PetscCall(MatDestroy(&normal));
	PetscCall(MatDestroy(&turned));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode kronecker(Mat *A, note_list *notes)
{
	Mat small, B;
	IS set;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(ISCreateStride(PETSC_COMM_SELF, 4, 0, 1, &set));
	PetscCall(MatCreateSubMatrix(*A, set, set, MAT_INITIAL_MATRIX, &small));
	PetscCall(MatSeqAIJKron(*A, small, MAT_INITIAL_MATRIX, &B));
	PetscCall(MatDestroy(&small));
	PetscCall(ISDestroy(&set));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

const operation operations_shape[] = {
	{ "MatDuplicate", duplicate, 0 },
	{ "MatDuplicate without values, MatCopy", duplicate_then_copy, 0 },
	{ "MatDuplicate sharing the pattern", duplicate_sharing, 0 },
	{ "MatCopy different", copy_different, 0 },
	{ "MatTranspose initial, reuse", transpose, 0 },
	{ "MatTranspose in place", transpose_in_place, 0 },
	{ "MatHermitianTranspose", hermitian_transpose, 0 },
	{ "MatCreateSubMatrix", sub_matrix, 0 },
	{ "MatIncreaseOverlap, MatCreateSubMatrices", sub_matrices, 0 },
	{ "MatPermute", permute, PLAIN },
	{ "MatGetDiagonalBlock", diagonal_block, 0 },
	{ "MatCreateRedundantMatrix", redundant, 0 },
	{ "MatCreateMPIMatConcatenateSeqMat", concatenate, PLAIN },
	{ "MatMPIAIJGetLocalMat", local_mat, 0 },
	{ "MatCreateTranspose, Normal, Nest", wrapped, 0 },
	{ "MatSeqAIJKron", kronecker, PLAIN | SEQUENTIAL },
	{ NULL, NULL, 0 },
};
