/* load.c -- matrices from files of PETSc and of Matrix Market. */
#include "tools/load.h"

#include "plugin.h"

static int is_matrix_market(const char *path)
{
	tulle_file_info info = { .size = sizeof info };

	return tulle_file_describe(path, &info) == TULLE_OK;
}

static PetscInt offset(const tulle_csr_view *csr, PetscInt row)
{
	return csr->offset_type == TULLE_I64 ? (PetscInt)((const int64_t *)csr->row_ptr)[row]
	                                     : (PetscInt)((const int32_t *)csr->row_ptr)[row];
}

static PetscInt column(const tulle_csr_view *csr, PetscInt k)
{
	return csr->column_type == TULLE_I64 ? (PetscInt)((const int64_t *)csr->col)[k]
	                                     : (PetscInt)((const int32_t *)csr->col)[k];
}

/* The rows of this rank. They are counted as PETSc would, for MatSetValues() wants room for each. */
static PetscErrorCode keep_rows(const tulle_csr_view *csr, Mat A)
{
	PetscInt first, end, left, right, *own, *ghosts;

	PetscFunctionBegin;
	PetscCall(MatSetUp(A));
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	PetscCall(MatGetOwnershipRangeColumn(A, &left, &right));
	PetscCall(PetscCalloc2(end - first, &own, end - first, &ghosts));
	for (PetscInt r = first; r < end; r++) {
		for (PetscInt k = offset(csr, r); k < offset(csr, r + 1); k++) {
			const PetscInt c = column(csr, k);
			if (left <= c && c < right)
				own[r - first]++;
			else
				ghosts[r - first]++;
		}
	}
	PetscCall(MatSeqAIJSetPreallocation(A, 0, own));
	PetscCall(MatMPIAIJSetPreallocation(A, 0, own, 0, ghosts));
	PetscCall(PetscFree2(own, ghosts));
	for (PetscInt r = first; r < end; r++) {
		for (PetscInt k = offset(csr, r); k < offset(csr, r + 1); k++) {
			const PetscScalar value = csr->val ? ((const double *)csr->val)[k] : 1.0;
			PetscCall(MatSetValue(A, r, column(csr, k), value, ADD_VALUES));
		}
	}
	PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_matrix_market(const char *path, Mat A)
{
	tulle_matrix *matrix;
	tulle_csr_view csr = { .size = sizeof csr };

	PetscFunctionBegin;
	TulleCall(tulle_matrix_read(NULL, path, NULL, &matrix));
	TulleCall(tulle_matrix_view_csr(matrix, &csr));
	PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, (PetscInt)csr.rows, (PetscInt)csr.cols));
	PetscCall(keep_rows(&csr, A));
	tulle_matrix_destroy(matrix);
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_load(const char *path, MatType type, Mat *A)
{
	PetscViewer viewer;

	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetType(*A, type));
	if (is_matrix_market(path)) {
		PetscCall(read_matrix_market(path, *A));
	} else {
		PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &viewer));
		PetscCall(MatLoad(*A, viewer));
		PetscCall(PetscViewerDestroy(&viewer));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}
