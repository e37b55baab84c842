/* operations_products.c -- products of matrices. */
#include "operations.h"

static PetscErrorCode mat_mat(Mat *A, note_list *notes)
{
	Mat C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatMatMult(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(multiply_once(C));
	PetscCall(MatScale(*A, 1.5));
	PetscCall(MatMatMult(*A, *A, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ptap(Mat *A, note_list *notes)
{
	Mat C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatPtAP(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(multiply_once(C));
	PetscCall(MatScale(*A, 0.5));
	PetscCall(MatPtAP(*A, *A, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode rart(Mat *A, note_list *notes)
{
	Mat C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatRARt(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose_mat(Mat *A, note_list *notes)
{
	Mat C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatTransposeMatMult(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mat_transpose(Mat *A, note_list *notes)
{
	Mat C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatMatTransposeMult(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mat_mat_mat(Mat *A, note_list *notes)
{
	Mat C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatMatMatMult(*A, *A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Four dense columns with as many rows as A has columns, or rows if transposed. */
static PetscErrorCode dense(Mat A, PetscBool transposed, Mat *D)
{
	PetscInt m, n, first, end;

	PetscFunctionBegin;
	PetscCall(MatGetLocalSize(A, &m, &n));
	PetscCall(MatCreateDense(PETSC_COMM_WORLD, transposed ? m : n, PETSC_DECIDE, PETSC_DECIDE, 4,
	                         NULL, D));
	PetscCall(MatGetOwnershipRange(*D, &first, &end));
	for (PetscInt i = first; i < end; i++)
		for (PetscInt j = 0; j < 4; j++)
			PetscCall(MatSetValue(*D, i, j, 1.0 + (double)((i * 3 + j) % 5), INSERT_VALUES));
	PetscCall(assemble(*D));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mat_dense(Mat *A, note_list *notes)
{
	Mat D, C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(dense(*A, PETSC_FALSE, &D));
	PetscCall(MatMatMult(*A, D, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(MatScale(*A, 3.0));
	PetscCall(MatMatMult(*A, D, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(MatDestroy(&D));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose_dense(Mat *A, note_list *notes)
{
	Mat D, C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(dense(*A, PETSC_TRUE, &D));
	PetscCall(MatTransposeMatMult(*A, D, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(MatDestroy(&D));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ptap_plain(Mat *A, note_list *notes)
{
	Mat P, C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatConvert(*A, ranks() == 1 ? MATSEQAIJ : MATMPIAIJ, MAT_INITIAL_MATRIX, &P));
	PetscCall(MatPtAP(*A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
	PetscCall(MatDestroy(&P));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Products with vectors that have no entry in the list of comparisons. */
static PetscErrorCode other_vectors(Mat *A, note_list *notes)
{
	Vec x, y, r, b;

	PetscFunctionBegin;
	PetscCall(ones_and_more(*A, &x, &y));
	PetscCall(VecDuplicate(y, &r));
	PetscCall(VecDuplicate(y, &b));
	PetscCall(VecSet(b, 2.0));
	PetscCall(MatResidual(*A, b, x, r));
	PetscCall(note_vector_near(notes, r));
	PetscCall(MatMultHermitianTranspose(*A, y, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(MatMultHermitianTransposeAdd(*A, y, x, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(MatInterpolate(*A, x, r));
	PetscCall(note_vector_near(notes, r));
	PetscCall(MatRestrict(*A, r, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&y));
	PetscCall(VecDestroy(&r));
	PetscCall(VecDestroy(&b));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode compute_operator(Mat *A, note_list *notes)
{
	Mat D;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatComputeOperator(*A, MATDENSE, &D));
	PetscCall(put_in_place(A, D));
	PetscFunctionReturn(PETSC_SUCCESS);
}

const operation operations_products[] = {
	{ "MatMatMult", mat_mat, NEAR_ENTRIES },
	{ "MatPtAP", ptap, PLAIN | NEAR_ENTRIES },
	{ "MatRARt", rart, PLAIN | NEAR_ENTRIES },
	{ "MatTransposeMatMult", transpose_mat, PLAIN | NEAR_ENTRIES },
	{ "MatMatTransposeMult", mat_transpose, PLAIN | SEQUENTIAL },
	{ "MatMatMatMult", mat_mat_mat, PLAIN | NEAR_ENTRIES },
	{ "MatMatMult dense", mat_dense, PLAIN | NEAR_ENTRIES },
	{ "MatTransposeMatMult dense", transpose_dense, PLAIN | NEAR_ENTRIES },
	{ "MatPtAP with plain P", ptap_plain, PLAIN | NEAR_ENTRIES },
	{ "MatResidual, Hermitian, Interpolate, Restrict", other_vectors, 0 },
	{ "MatComputeOperator", compute_operator, PLAIN | NEAR_ENTRIES },
	{ NULL, NULL, 0 },
};
