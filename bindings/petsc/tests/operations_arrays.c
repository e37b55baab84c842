/* operations_arrays.c -- operations on the arrays themselves, and assembly from arrays. */
#include "operations.h"

static PetscErrorCode scale_array(Mat part)
{
	PetscScalar *a;
	MatInfo info;

	PetscFunctionBegin;
	PetscCall(MatGetInfo(part, MAT_LOCAL, &info));
	PetscCall(MatSeqAIJGetArray(part, &a));
	for (PetscInt k = 0; k < (PetscInt)info.nz_used; k++)
		a[k] *= 1.25;
	PetscCall(MatSeqAIJRestoreArray(part, &a));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_array(Mat *A, note_list *notes)
{
	(void)notes;
	return each_part(*A, scale_array);
}

static PetscErrorCode write_array(Mat part)
{
	PetscScalar *a;
	MatInfo info;

	PetscFunctionBegin;
	PetscCall(MatGetInfo(part, MAT_LOCAL, &info));
	PetscCall(MatSeqAIJGetArrayWrite(part, &a));
	for (PetscInt k = 0; k < (PetscInt)info.nz_used; k++)
		a[k] = (double)(k % 7) - 2.5;
	PetscCall(MatSeqAIJRestoreArrayWrite(part, &a));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_array_write(Mat *A, note_list *notes)
{
	(void)notes;
	return each_part(*A, write_array);
}

/* A matrix as large as A and distributed like it, without a type. */
static PetscErrorCode like(Mat A, Mat *B)
{
	MatType type;
	PetscInt m, n, M, N;

	PetscFunctionBegin;
	PetscCall(MatGetLocalSize(A, &m, &n));
	PetscCall(MatGetSize(A, &M, &N));
	PetscCall(MatCreate(PETSC_COMM_WORLD, B));
	PetscCall(MatSetSizes(*B, m, n, M, N));
	PetscCall(MatGetType(A, &type));
	PetscCall(MatSetType(*B, type));
	PetscCall(MatSetFromOptions(*B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode coo(Mat *A, note_list *notes)
{
	Mat B;
	PetscInt first, end, n, k = 0, *i, *j;
	PetscScalar *v;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, &n, NULL));
	PetscCall(like(*A, &B));
	PetscCall(PetscMalloc3(4 * (end - first), &i, 4 * (end - first), &j, 4 * (end - first), &v));
	for (PetscInt r = first; r < end; r++) {
		for (PetscInt d = 0; d < 4; d++) {
			i[k] = d == 3 ? (r + 1) % n : r; /* the last one may be another rank's */
			j[k] = (r + d * 17) % n;
			v[k] = 1.0 + (double)(k % 5);
			k++;
		}
	}
	PetscCall(MatSetPreallocationCOO(B, k, i, j));
	PetscCall(MatSetValuesCOO(B, v, INSERT_VALUES));
	PetscCall(multiply_once(B));
	PetscCall(MatSetValuesCOO(B, v, ADD_VALUES));
	PetscCall(multiply_once(B));
	for (PetscInt l = 0; l < k; l++)
		v[l] *= 3;
	PetscCall(MatSetValuesCOO(B, v, ADD_VALUES));
	PetscCall(PetscFree3(i, j, v));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode preallocation_csr(Mat *A, note_list *notes)
{
	Mat B;
	PetscInt first, end, n, *i, *j;
	PetscScalar *v;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, NULL, &n));
	PetscCall(like(*A, &B));
	PetscCall(PetscMalloc3(end - first + 1, &i, 2 * (end - first), &j, 2 * (end - first), &v));
	i[0] = 0;
	for (PetscInt r = 0; r < end - first; r++) {
		const PetscInt here = first + r, next = (here + 1) % n;
		j[2 * r] = PetscMin(here, next);
		j[2 * r + 1] = PetscMax(here, next);
		v[2 * r] = 2;
		v[2 * r + 1] = 3 + (double)(r % 4);
		i[r + 1] = 2 * r + 2;
	}
	PetscCall(MatSeqAIJSetPreallocationCSR(B, i, j, v));
	PetscCall(MatMPIAIJSetPreallocationCSR(B, i, j, v));
	PetscCall(PetscFree3(i, j, v));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Arrays that the program keeps, and changes between products. */
static PetscErrorCode with_arrays(Mat *A, note_list *notes)
{
	PetscInt first, end, n, *i, *j;
	PetscScalar *v;
	Mat B, C;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, NULL, &n));
	const PetscInt m = end - first;
	PetscCall(PetscMalloc3(m + 1, &i, 2 * m, &j, 2 * m, &v));
	i[0] = 0;
	for (PetscInt r = 0; r < m; r++) {
		const PetscInt here = first + r, next = (here + 1) % n;
		j[2 * r] = PetscMin(here, next);
		j[2 * r + 1] = PetscMax(here, next);
		v[2 * r] = 2;
		v[2 * r + 1] = 3;
		i[r + 1] = 2 * r + 2;
	}
	if (ranks() == 1)
		PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_WORLD, m, n, i, j, v, &B));
	else
		PetscCall(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, m, m, n, n, i, j, v, &B));
	PetscCall(multiply_once(B));
	for (PetscInt k = 0; k < 2 * m; k++)
		v[k] = 5 + (double)(k % 3);
	if (ranks() == 1)
		PetscCall(PetscObjectStateIncrease((PetscObject)B));
	else
		PetscCall(MatUpdateMPIAIJWithArray(B, v));
	PetscCall(multiply_once(B));
	PetscCall(MatDuplicate(B, MAT_COPY_VALUES, &C)); /* the arrays end with this function */
	PetscCall(MatDestroy(&B));
	PetscCall(PetscFree3(i, j, v));
	PetscCall(put_in_place(A, C));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries in every fifth row only: off-diagonal blocks of large matrices look like this. */
static PetscErrorCode few_rows(Mat *A, note_list *notes)
{
	Mat B;
	PetscInt first, end, n;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, NULL, &n));
	PetscCall(like(*A, &B));
	PetscCall(MatSeqAIJSetPreallocation(B, 6, NULL));
	PetscCall(MatMPIAIJSetPreallocation(B, 6, NULL, 6, NULL));
	for (PetscInt i = (first + 4) / 5 * 5; i < end; i += 5)
		for (PetscInt d = 0; d < 6; d++)
			PetscCall(MatSetValue(B, i, (i * 3 + d * 19) % n, 0.7 + (double)d, ADD_VALUES));
	PetscCall(assemble(B));
	PetscCall(multiply_once(B));
	PetscCall(MatScale(B, 1.1));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode reset_preallocation(Mat *A, note_list *notes)
{
	PetscInt first, end, n;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatResetPreallocation(*A));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, NULL, &n));
	for (PetscInt i = first; i < end; i++)
		PetscCall(MatSetValue(*A, i, (i * 8 + 13) % n, 3.0, ADD_VALUES));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode preallocate_again(Mat *A, note_list *notes)
{
	PetscInt first, end, n;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatSeqAIJSetPreallocation(*A, 3, NULL));
	PetscCall(MatMPIAIJSetPreallocation(*A, 3, NULL, 3, NULL));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(MatGetSize(*A, NULL, &n));
	for (PetscInt i = first; i < end; i++)
		for (PetscInt d = 1; d < 4; d++)
			PetscCall(MatSetValue(*A, i, (i * d + 5) % n, 1.0 + (double)d, ADD_VALUES));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode load(Mat *A, note_list *notes)
{
	char name[PETSC_MAX_PATH_LEN] = "operations.bin";
	PetscViewer viewer;
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(PetscOptionsGetString(NULL, NULL, "-file", name, sizeof name, NULL));
	PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, name, FILE_MODE_WRITE, &viewer));
	PetscCall(MatView(*A, viewer));
	PetscCall(PetscViewerDestroy(&viewer));
	PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, name, FILE_MODE_READ, &viewer));
	PetscCall(like(*A, &B));
	PetscCall(MatLoad(B, viewer));
	PetscCall(PetscViewerDestroy(&viewer));
	PetscCall(put_in_place(A, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

const operation operations_arrays[] = {
	{ "MatSeqAIJGetArray", get_array, 0 },
	{ "MatSeqAIJGetArrayWrite", get_array_write, 0 },
	{ "COO assembly", coo, 0 },
	{ "MatSetPreallocationCSR", preallocation_csr, 0 },
	{ "MatCreateAIJWithArrays, MatUpdateAIJWithArray", with_arrays, PLAIN },
	{ "mostly empty rows", few_rows, 0 },
	{ "MatResetPreallocation", reset_preallocation, 0 },
	{ "MatSetPreallocation again", preallocate_again, 0 },
	{ "MatView, MatLoad", load, 0 },
	{ NULL, NULL, 0 },
};
