/* operations_values.c -- operations that change values, or add entries. */
#include "operations.h"

static PetscErrorCode set(Mat A, PetscInt step, PetscInt factor, InsertMode mode)
{
	PetscInt first, end, n;

	PetscFunctionBegin;
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	PetscCall(MatGetSize(A, NULL, &n));
	for (PetscInt i = first; i < end; i += step)
		PetscCall(MatSetValue(A, i, (i * factor) % n, 3.5, mode));
	PetscCall(assemble(A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode nothing(Mat *A, note_list *notes)
{
	(void)A;
	(void)notes;
	return PETSC_SUCCESS;
}

static PetscErrorCode add_existing(Mat *A, note_list *notes)
{
	(void)notes;
	return set(*A, 2, 1, ADD_VALUES);
}

static PetscErrorCode insert_existing(Mat *A, note_list *notes)
{
	(void)notes;
	return set(*A, 3, 1, INSERT_VALUES);
}

static PetscErrorCode add_new(Mat *A, note_list *notes)
{
	(void)notes;
	return set(*A, 2, 31, ADD_VALUES);
}

static PetscErrorCode add_off_process(Mat *A, note_list *notes)
{
	PetscMPIInt rank;
	PetscInt m;

	PetscFunctionBegin;
	(void)notes;
	PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
	PetscCall(MatGetSize(*A, &m, NULL));
	if (rank == 0)
		PetscCall(MatSetValue(*A, m - 1, 0, 2.5, ADD_VALUES));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode flush_between(Mat *A, note_list *notes)
{
	PetscInt first;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, NULL));
	PetscCall(MatSetValue(*A, first, first, 2.0, ADD_VALUES));
	PetscCall(MatAssemblyBegin(*A, MAT_FLUSH_ASSEMBLY));
	PetscCall(MatAssemblyEnd(*A, MAT_FLUSH_ASSEMBLY));
	PetscCall(MatSetValue(*A, first, first, 4.0, INSERT_VALUES));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_local(Mat *A, note_list *notes)
{
	ISLocalToGlobalMapping map;
	PetscInt first, end, *index;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	PetscCall(PetscMalloc1(end - first, &index));
	for (PetscInt i = first; i < end; i++)
		index[i - first] = i;
	PetscCall(ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, end - first, index,
	                                       PETSC_OWN_POINTER, &map));
	PetscCall(MatSetLocalToGlobalMapping(*A, map, map));
	for (PetscInt i = 0; i < end - first; i++) {
		const PetscScalar v = 1.5;
		PetscCall(MatSetValuesLocal(*A, 1, &i, 1, &i, &v, ADD_VALUES));
	}
	PetscCall(assemble(*A));
	PetscCall(MatZeroRowsLocal(*A, end > first ? 1 : 0, (const PetscInt[]){ 0 }, 2.0, NULL, NULL));
	PetscCall(ISLocalToGlobalMappingDestroy(&map));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_blocked(Mat *A, note_list *notes)
{
	PetscInt first, bs;
	const PetscScalar v = 2.25;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatGetBlockSize(*A, &bs));
	PetscCall(MatGetOwnershipRange(*A, &first, NULL));
	first /= bs;
	PetscCall(MatSetValuesBlocked(*A, 1, &first, 1, &first, &v, ADD_VALUES));
	PetscCall(assemble(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode scale(Mat *A, note_list *notes)
{
	(void)notes;
	return MatScale(*A, 2.5);
}

static PetscErrorCode diagonal_scale(Mat *A, note_list *notes)
{
	Vec left, right;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(ones_and_more(*A, &right, &left));
	PetscCall(MatDiagonalScale(*A, left, right));
	PetscCall(VecDestroy(&left));
	PetscCall(VecDestroy(&right));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode shift(Mat *A, note_list *notes)
{
	(void)notes;
	return MatShift(*A, 5.0);
}

static PetscErrorCode set_diagonal(Mat *A, InsertMode mode)
{
	Vec left, right;

	PetscFunctionBegin;
	PetscCall(ones_and_more(*A, &right, &left));
	PetscCall(MatDiagonalSet(*A, left, mode));
	PetscCall(VecDestroy(&left));
	PetscCall(VecDestroy(&right));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode diagonal_insert(Mat *A, note_list *notes)
{
	(void)notes;
	return set_diagonal(A, INSERT_VALUES);
}

static PetscErrorCode diagonal_add(Mat *A, note_list *notes)
{
	(void)notes;
	return set_diagonal(A, ADD_VALUES);
}

static PetscErrorCode zero_entries(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatZeroEntries(*A));
	PetscCall(MatShift(*A, 1.0));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode axpy_same(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
	PetscCall(MatAXPY(*A, 2.0, B, SAME_NONZERO_PATTERN));
	PetscCall(MatAXPY(*A, 0.5, B, SUBSET_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode axpy_different(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(MatAXPY(*A, 2.0, B, DIFFERENT_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode aypx(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(MatAYPX(*A, 0.5, B, UNKNOWN_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two rows of the matrix, named by every rank that owns one. */
static PetscErrorCode zero_rows_of(Mat A, PetscBool keep, PetscBool columns)
{
	const PetscInt both[] = { 1, 50 };
	PetscInt mine[2], n = 0, first, end;
	Vec x, b;

	PetscFunctionBegin;
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	for (int k = 0; k < 2; k++)
		if (first <= both[k] && both[k] < end)
			mine[n++] = both[k];
	PetscCall(MatSetOption(A, MAT_KEEP_NONZERO_PATTERN, keep));
	PetscCall(ones_and_more(A, &x, &b));
	if (columns)
		PetscCall(MatZeroRowsColumns(A, n, mine, 1.5, x, b));
	else
		PetscCall(MatZeroRows(A, n, mine, 1.5, x, b));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zero_rows(Mat *A, note_list *notes)
{
	(void)notes;
	return zero_rows_of(*A, PETSC_FALSE, PETSC_FALSE);
}

static PetscErrorCode zero_rows_keep(Mat *A, note_list *notes)
{
	(void)notes;
	return zero_rows_of(*A, PETSC_TRUE, PETSC_FALSE);
}

static PetscErrorCode zero_rows_columns(Mat *A, note_list *notes)
{
	(void)notes;
	return zero_rows_of(*A, PETSC_TRUE, PETSC_TRUE);
}

static PetscErrorCode store_retrieve(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_LOCATIONS, PETSC_FALSE));
	PetscCall(MatStoreValues(*A));
	PetscCall(MatScale(*A, 7.0));
	PetscCall(multiply_once(*A));
	PetscCall(MatRetrieveValues(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode chop(Mat *A, note_list *notes)
{
	(void)notes;
#if PETSC_VERSION_GE(3, 20, 0)
	return MatFilter(*A, 0.3, PETSC_FALSE, PETSC_FALSE);
#else
	return MatChop(*A, 0.3);
#endif
}

static PetscErrorCode random_values(Mat *A, note_list *notes)
{
	PetscRandom random;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
	PetscCall(PetscRandomSetSeed(random, 5));
	PetscCall(PetscRandomSeed(random));
	PetscCall(MatSetRandom(*A, random));
	PetscCall(PetscRandomDestroy(&random));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode conjugate(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatConjugate(*A));
	PetscCall(MatRealPart(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode imaginary_part(Mat *A, note_list *notes)
{
	(void)notes;
	return MatImaginaryPart(*A);
}

static PetscErrorCode many_changes(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	for (int k = 0; k < 60; k++) { /* more than enough products to be planned anew */
		PetscCall(MatScale(*A, k % 2 ? 2.0 : 0.5));
		PetscCall(multiply_once(*A));
		if (k == 30)
			PetscCall(set(*A, 2, 31, ADD_VALUES));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Neither changes the pattern, so the plans get new values. */
static PetscErrorCode conjugate_and_scale(Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	(void)notes;
	PetscCall(MatConjugate(*A));
	PetscCall(multiply_once(*A));
	PetscCall(MatScale(*A, with_phase(0.8, 1)));
	PetscFunctionReturn(PETSC_SUCCESS);
}

const operation operations_values[] = {
	{ "nothing", nothing, 0 },
	{ "MatSetValues add", add_existing, 0 },
	{ "MatSetValues insert", insert_existing, 0 },
	{ "MatSetValues new entries", add_new, 0 },
	{ "MatSetValues off process", add_off_process, 0 },
	{ "MatAssembly flush", flush_between, 0 },
	{ "MatSetValuesLocal, MatZeroRowsLocal", set_local, 0 },
	{ "MatSetValuesBlocked", set_blocked, 0 },
	{ "MatScale", scale, 0 },
	{ "MatDiagonalScale", diagonal_scale, 0 },
	{ "MatShift", shift, 0 },
	{ "MatDiagonalSet insert", diagonal_insert, 0 },
	{ "MatDiagonalSet add", diagonal_add, 0 },
	{ "MatZeroEntries", zero_entries, 0 },
	{ "MatAXPY same, subset", axpy_same, 0 },
	{ "MatAXPY different", axpy_different, 0 },
	{ "MatAYPX", aypx, 0 },
	{ "MatZeroRows", zero_rows, 0 },
	{ "MatZeroRows keep pattern", zero_rows_keep, 0 },
	{ "MatZeroRowsColumns", zero_rows_columns, 0 },
	{ "MatStoreValues, MatRetrieveValues", store_retrieve, 0 },
	{ "MatChop", chop, 0 },
	{ "MatSetRandom", random_values, 0 },
	{ "MatConjugate, MatRealPart", conjugate, 0 },
	{ "MatConjugate, MatScale by a complex number", conjugate_and_scale, 0 },
	{ "MatImaginaryPart", imaginary_part, 0 },
	{ "values change between products", many_changes, 0 },
	{ NULL, NULL, 0 },
};
