/* baij.c -- matrices of blocks: PETSc's BAIJ and tulle's, side by side.
 *
 *     mpiexec -n 2 test_petsc_baij -dll_append libtulle_petsc.so [-size N]
 *
 * Blocks of 1 x 1 to 8 x 8 (complex: 5 x 5), or only of N x N; several shapes. After each change of both matrices all products must
 * agree within the bound, and entries in every bit. Options such as -mat_tulle_format are the plugin's. */
#include "operations.h"

typedef struct {
	const char *name;
	PetscInt rows, cols; /* in blocks */
	PetscInt period;     /* block row i has blocks if i % period < used */
	PetscInt used;
} shape;

static const shape shapes[] = {
	{ "square", 24, 24, 4, 3 },    { "tall", 31, 12, 7, 6 },
	{ "wide", 9, 40, 3, 3 },       { "mostly empty rows", 40, 24, 8, 1 },
	{ "no blocks", 10, 10, 1, 0 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, LARGEST = 8, GENERAL_SIZE = 8 };
/* SeqBAIJ's own A^H x, which stays, rejects larger blocks. */
enum { TESTED = PetscDefined(USE_COMPLEX) ? 5 : LARGEST };

static int failures, comparisons;

static PetscErrorCode fail(const shape *s, PetscInt size, const char *what, const char *why)
{
	PetscFunctionBegin;
	failures++;
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "FAILED %s, blocks of %d, %s: %s\n", s->name, (int)size,
	                      what, why));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- matrices ---- */

static PetscErrorCode create(const shape *s, PetscInt size, MatType type, Mat *A)
{
	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, s->rows * size, s->cols * size));
	PetscCall(MatSetBlockSize(*A, size));
	PetscCall(MatSetType(*A, type));
	PetscCall(MatSetUp(*A));
	PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* A block in whose order of entries an error would show. */
static PetscErrorCode set_block(Mat A, PetscInt size, PetscInt i, PetscInt j, double scale)
{
	PetscScalar values[LARGEST * LARGEST];

	PetscFunctionBegin;
	for (PetscInt k = 0; k < size * size; k++)
		values[k] =
		    with_phase(scale * (double)(1 + (i * 5 + j * 3 + k * 7) % 11) / (double)(1 + k), i + k);
	PetscCall(MatSetValuesBlocked(A, 1, &i, 1, &j, values, INSERT_VALUES));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill(const shape *s, Mat A, double scale)
{
	PetscInt first, end, size;

	PetscFunctionBegin;
	PetscCall(MatGetBlockSize(A, &size));
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	for (PetscInt i = first / size; i < end / size; i++)
		for (PetscInt k = 0; i % s->period < s->used && k < 5; k++)
			PetscCall(set_block(A, size, i, (i * (k + 1) + k * 5) % s->cols, scale));
	PetscCall(assemble(A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- changes, each made to both ---- */

static PetscErrorCode none(const shape *s, Mat *A)
{
	(void)s;
	(void)A;
	return PETSC_SUCCESS;
}

static PetscErrorCode set_values(const shape *s, Mat *A)
{
	return fill(s, *A, 3.0);
}

static PetscErrorCode scale(const shape *s, Mat *A)
{
	(void)s;
	return MatScale(*A, -0.7);
}

static PetscErrorCode diagonal_scale(const shape *s, Mat *A)
{
	Vec right, left;

	PetscFunctionBegin;
	(void)s;
	PetscCall(ones_and_more(*A, &right, &left));
	PetscCall(MatDiagonalScale(*A, left, right));
	PetscCall(VecDestroy(&right));
	PetscCall(VecDestroy(&left));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode axpy(const shape *s, Mat *A)
{
	Mat B;

	PetscFunctionBegin;
	(void)s;
	PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
	PetscCall(MatAXPY(*A, 0.5, B, SAME_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* An MPIBAIJ matrix that was assembled without blocks and gets some crashes in PETSc 3.18 when it is converted. */
static int must_stay_empty(const shape *s)
{
	return s->used == 0 && ranks() > 1;
}

static PetscErrorCode new_blocks(const shape *s, Mat *A)
{
	PetscInt first, end, size;

	PetscFunctionBegin;
	if (must_stay_empty(s))
		PetscFunctionReturn(PETSC_SUCCESS);
	PetscCall(MatGetBlockSize(*A, &size));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	for (PetscInt i = first / size; i < end / size; i++)
		PetscCall(set_block(*A, size, i, (i * 11 + 2) % s->cols, 0.3));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode axpy_other_pattern(const shape *s, Mat *A)
{
	const shape other = { s->name, s->rows, s->cols, 2, 1 };
	PetscInt size;
	MatType type;
	Mat B;

	PetscFunctionBegin;
	if (must_stay_empty(s))
		PetscFunctionReturn(PETSC_SUCCESS);
	PetscCall(MatGetBlockSize(*A, &size));
	PetscCall(MatGetType(*A, &type));
	PetscCall(create(&other, size, type, &B));
	PetscCall(fill(&other, B, 0.9));
	PetscCall(MatAXPY(*A, -2.0, B, DIFFERENT_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* On several ranks MatSeqBAIJGetArray() is for the blocks, of which the diagonal one can be had from any type. */
static PetscErrorCode array(const shape *s, Mat *A)
{
	Mat part = *A;
	PetscScalar *a;
	MatInfo info;

	PetscFunctionBegin;
	(void)s;
	if (ranks() > 1)
		PetscCall(MatGetDiagonalBlock(*A, &part));
	PetscCall(MatGetInfo(part, MAT_LOCAL, &info));
	PetscCall(MatSeqBAIJGetArray(part, &a));
	for (PetscInt k = 0; k < (PetscInt)info.nz_used; k++)
		a[k] += 0.25;
	PetscCall(MatSeqBAIJRestoreArray(part, &a));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode store_and_retrieve(const shape *s, Mat *A)
{
	PetscFunctionBegin;
	(void)s;
	PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_LOCATIONS, PETSC_FALSE));
	PetscCall(MatStoreValues(*A));
	PetscCall(MatScale(*A, 4.0));
	PetscCall(multiply_once(*A));
	PetscCall(MatRetrieveValues(*A));
	PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode duplicate(const shape *s, Mat *A)
{
	Mat B;

	PetscFunctionBegin;
	(void)s;
	PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose(const shape *s, Mat *A)
{
	Mat B;

	PetscFunctionBegin;
	(void)s;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose_in_place(const shape *s, Mat *A)
{
	(void)s;
	return MatTranspose(*A, MAT_INPLACE_MATRIX, A);
}

static const struct {
	const char *name;
	PetscErrorCode (*body)(const shape *s, Mat *A);
} changes[] = {
	{ "as made", none },
	{ "again", none },
	{ "MatSetValuesBlocked", set_values },
	{ "MatScale", scale },
	{ "MatDiagonalScale", diagonal_scale },
	{ "MatAXPY same pattern", axpy },
	{ "MatSeqBAIJGetArray", array },
	{ "MatStoreValues, MatRetrieveValues", store_and_retrieve },
	{ "MatDuplicate", duplicate },
	{ "new blocks", new_blocks },
	{ "MatScale of new blocks", scale },
	{ "MatTranspose", transpose },
	{ "MatTranspose in place", transpose_in_place },
	{ "MatAXPY other pattern", axpy_other_pattern },
	{ "MatScale after MatAXPY", scale },
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* ---- comparisons ---- */

static PetscErrorCode check_type(const shape *s, PetscInt size, const char *what, Mat A)
{
	PetscBool is;

	PetscFunctionBegin;
	PetscCall(PetscObjectTypeCompare((PetscObject)A, ranks() == 1 ? "seqbaijtulle" : "mpibaijtulle",
	                                 &is));
	if (!is)
		PetscCall(fail(s, size, what, "the result has another type"));
	if (is && ranks() > 1) {
		Mat diagonal;
		PetscCall(MatGetDiagonalBlock(A, &diagonal));
		PetscCall(PetscObjectTypeCompare((PetscObject)diagonal, "seqbaijtulle", &is));
		if (!is)
			PetscCall(fail(s, size, what, "the diagonal block has another type"));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries and products are compared with those of PETSc's matrix as AIJ. Its own products are wrong for the general size of blocks, which
 * duplicates of any size have, too: where a block row is empty, MatMult() leaves y as it was (3.18). */
static PetscErrorCode check(const shape *s, PetscInt size, const char *what, Mat A[2])
{
	static note_list notes[2];
	const char *why;
	Mat aij[2];

	PetscFunctionBegin;
	comparisons++;
	for (int k = 0; k < 2; k++) {
		notes[k].count = 0;
		PetscCall(MatConvert(A[k], MATAIJ, MAT_INITIAL_MATRIX, &aij[k]));
		PetscCall(note_matrix(&notes[k], aij[k]));
	}
	if (notes_differ(&notes[0], &notes[1])) /* on this rank */
		PetscCall(fail(s, size, what, "entries differ"));
	why = NULL;
	for (int k = 0; !why && k < 8; k++) /* past the products that are counted */
		PetscCall(compare_products(aij[0], A[1], &why));
	if (why)
		PetscCall(fail(s, size, what, why));
	PetscCall(MatDestroy(&aij[0]));
	PetscCall(MatDestroy(&aij[1]));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* To PETSc's own type, and from it into a matrix that is there. */
static PetscErrorCode convert_back(const shape *s, PetscInt size, Mat A[2])
{
	MatType type = ranks() == 1 ? MATSEQBAIJ : MATMPIBAIJ;
	PetscBool is;
	Mat C;

	PetscFunctionBegin;
	PetscCall(MatScale(A[0], 1.25));
	PetscCall(MatConvert(A[0], "baijtulle", MAT_REUSE_MATRIX, &A[1]));
	PetscCall(check(s, size, "MatConvert into a matrix that is there", A));
	PetscCall(MatConvert(A[1], type, MAT_INITIAL_MATRIX, &C));
	PetscCall(PetscObjectTypeCompare((PetscObject)C, type, &is));
	if (!is)
		PetscCall(fail(s, size, "MatConvert baij", "the result has another type"));
	PetscCall(check(s, size, "MatConvert baij", (Mat[2]){ A[0], C }));
	PetscCall(MatDestroy(&C));
	PetscCall(MatConvert(A[1], type, MAT_INPLACE_MATRIX, &A[1]));
	PetscCall(PetscObjectTypeCompare((PetscObject)A[1], type, &is));
	if (!is)
		PetscCall(fail(s, size, "MatConvert baij in place", "the result has another type"));
	PetscCall(check(s, size, "MatConvert baij in place", A));
	PetscCall(MatConvert(A[1], "baijtulle", MAT_INPLACE_MATRIX, &A[1]));
	PetscCall(check(s, size, "MatConvert in place", A));
	PetscCall(check_type(s, size, "MatConvert in place", A[1]));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* converted: MatConvert() makes ours; else it is assembled with our type. */
static PetscErrorCode try(const shape *s, PetscInt size, PetscBool converted)
{
	Mat A[2];

	PetscFunctionBegin;
	PetscCall(create(s, size, MATBAIJ, &A[0]));
	PetscCall(fill(s, A[0], 1.0));
	if (converted) {
		PetscCall(MatConvert(A[0], "baijtulle", MAT_INITIAL_MATRIX, &A[1]));
		PetscCall(MatSetOption(A[1], MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
	} else {
		PetscCall(create(s, size, "baijtulle", &A[1]));
		PetscCall(fill(s, A[1], 1.0));
	}
	for (int c = 0; c < CHANGES; c++) {
		for (int k = 0; k < 2; k++)
			PetscCall(changes[c].body(s, &A[k]));
		PetscCall(check(s, size, changes[c].name, A));
		PetscCall(check_type(s, size, changes[c].name, A[1]));
	}
	if (size < GENERAL_SIZE)
		PetscCall(convert_back(s, size, A));
	PetscCall(MatDestroy(&A[0]));
	PetscCall(MatDestroy(&A[1]));
	PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
	PetscInt only = 0;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-size", &only, NULL));
	for (PetscInt size = 1; size <= TESTED; size++)
		for (int s = 0; s < SHAPES && (!only || size == only); s++) {
			PetscCall(try(&shapes[s], size, PETSC_TRUE));
			PetscCall(try(&shapes[s], size, PETSC_FALSE));
		}
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
	PetscCall(
	    PetscPrintf(PETSC_COMM_WORLD, "%d comparisons, %d failures\n", comparisons, failures));
	PetscCall(PetscFinalize());
	return failures || comparisons == 0;
}
