/* load.c -- matrices from files of PETSc, of Matrix Market, and tuned files. */
#include "tools/load.h"

#include <limits.h>
#include <string.h>

#include "plugin.h"

/* ---- what all ranks agree on ---- */

/* A failure of one rank ends all of them, with one message: that of the first rank that failed. */
static PetscErrorCode end_together(tulle_status status)
{
	char message[1024] = "";
	PetscMPIInt rank;
	int failed;

	PetscFunctionBegin;
	PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
	failed = status == TULLE_OK ? INT_MAX : rank;
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD));
	if (failed == INT_MAX)
		PetscFunctionReturn(PETSC_SUCCESS);
	if (rank == failed)
		PetscCall(PetscSNPrintf(message, sizeof message, "rank %d: %s", rank, tulle_last_error()));
	PetscCallMPI(MPI_Bcast(message, sizeof message, MPI_CHAR, failed, PETSC_COMM_WORLD));
	SETERRQ(PETSC_COMM_WORLD, PETSC_ERR_FILE_UNEXPECTED, "%s", message);
}

typedef enum { PETSCS, MATRIX_MARKET, TUNED } file_kind;

/* The first rank looks for all. A tuned file with a damaged header is known by its name. */
static PetscErrorCode look(const char *path, file_kind *kind)
{
	tulle_file_info info = { .size = sizeof info };
	PetscMPIInt rank;
	PetscBool named;
	int found = PETSCS;

	PetscFunctionBegin;
	PetscCall(PetscStrendswith(path, ".tulle", &named));
	PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
	if (named)
		found = TUNED;
	else if (rank == 0 && tulle_file_describe(path, &info) == TULLE_OK)
		found = strcmp(info.layout, "tuned") == 0 ? TUNED : MATRIX_MARKET;
	PetscCallMPI(MPI_Bcast(&found, 1, MPI_INT, 0, PETSC_COMM_WORLD));
	*kind = (file_kind)found;
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ranks on several machines may see several files of one name. */
static PetscErrorCode compare_sizes(const char *path, const tulle_file_info *info)
{
	const PetscInt64 rows = info->rows, cols = info->cols, entries = info->entries;
	PetscInt64 size[] = { rows, -rows, cols, -cols, entries, -entries };

	PetscFunctionBegin;
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, size, 6, MPIU_INT64, MPI_MAX, PETSC_COMM_WORLD));
	PetscCheck(size[0] == -size[1] && size[2] == -size[3] && size[4] == -size[5], PETSC_COMM_WORLD,
	           PETSC_ERR_FILE_UNEXPECTED, "%s: the ranks see different files", path);
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* The parts of the ranks are what the file has, all of it and nothing twice. */
static PetscErrorCode compare_entries(const char *path, PetscInt64 entries, PetscInt64 whole)
{
	PetscFunctionBegin;
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPIU_INT64, MPI_SUM, PETSC_COMM_WORLD));
	PetscCheck(entries == whole, PETSC_COMM_WORLD, PETSC_ERR_FILE_UNEXPECTED,
	           "%s: the ranks have read %lld entries, the file has %lld; it was changed meanwhile",
	           path, (long long)entries, (long long)whole);
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* On all ranks, or on none. */
static PetscErrorCode check_fits(const char *path, const char *what, PetscInt64 count)
{
	PetscFunctionBegin;
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT64, MPI_MAX, PETSC_COMM_WORLD));
	PetscCheck(
	    count <= PETSC_MAX_INT, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
	    "%s: %lld %s; this PETSc counts to %lld: use one with 64-bit integers, or more ranks", path,
	    (long long)count, what, (long long)PETSC_MAX_INT);
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rows ---- */

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

static PetscErrorCode set_sizes(const char *path, int64_t rows, int64_t cols, Mat A)
{
	PetscFunctionBegin;
	PetscCall(check_fits(path, "rows", rows));
	PetscCall(check_fits(path, "columns", cols));
	PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, (PetscInt)rows, (PetscInt)cols));
	PetscCall(MatSetUp(A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of this rank, of which the first is row `skipped` of csr. They are counted as PETSc would, for
 * MatSetValues() wants room for each. */
static PetscErrorCode keep_rows(const tulle_csr_view *csr, PetscInt skipped, Mat A)
{
	PetscInt first, end, left, right, *own, *ghosts;

	PetscFunctionBegin;
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	PetscCall(MatGetOwnershipRangeColumn(A, &left, &right));
	PetscCall(PetscCalloc2(end - first, &own, end - first, &ghosts));
	for (PetscInt r = 0; r < end - first; r++) {
		for (PetscInt k = offset(csr, skipped + r); k < offset(csr, skipped + r + 1); k++) {
			const PetscInt c = column(csr, k);
			if (left <= c && c < right)
				own[r]++;
			else
				ghosts[r]++;
		}
	}
	PetscCall(MatSeqAIJSetPreallocation(A, 0, own));
	PetscCall(MatMPIAIJSetPreallocation(A, 0, own, 0, ghosts));
	PetscCall(PetscFree2(own, ghosts));
	for (PetscInt r = 0; r < end - first; r++) {
		for (PetscInt k = offset(csr, skipped + r); k < offset(csr, skipped + r + 1); k++) {
			const PetscScalar value = csr->val ? ((const double *)csr->val)[k] : 1.0;
			PetscCall(MatSetValue(A, first + r, column(csr, k), value, ADD_VALUES));
		}
	}
	PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- files ---- */

/* Each rank reads all of the file. */
static PetscErrorCode read_matrix_market(const char *path, Mat A)
{
	tulle_matrix *matrix = NULL;
	tulle_csr_view csr = { .size = sizeof csr };
	PetscInt first;

	PetscFunctionBegin;
	PetscCall(end_together(tulle_matrix_read(NULL, path, NULL, &matrix)));
	TulleCall(tulle_matrix_view_csr(matrix, &csr));
	PetscCall(check_fits(path, "entries", csr.nnz));
	PetscCall(set_sizes(path, csr.rows, csr.cols, A));
	PetscCall(MatGetOwnershipRange(A, &first, NULL));
	PetscCall(keep_rows(&csr, first, A));
	tulle_matrix_destroy(matrix);
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each rank reads its rows. */
static PetscErrorCode read_tuned(const char *path, Mat A)
{
	const tulle_read_options options = { .size = sizeof options, .value_type = TULLE_F64 };
	tulle_file_info info = { .size = sizeof info };
	tulle_csr_view csr = { .size = sizeof csr };
	tulle_matrix *matrix = NULL;
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(end_together(tulle_file_describe(path, &info)));
	PetscCall(compare_sizes(path, &info));
	PetscCall(set_sizes(path, info.rows, info.cols, A));
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	PetscCall(end_together(tulle_matrix_read_rows(NULL, path, first, end, &options, &matrix)));
	TulleCall(tulle_matrix_view_csr(matrix, &csr));
	PetscCall(compare_entries(path, csr.nnz, info.entries));
	PetscCall(check_fits(path, "entries on one rank", csr.nnz));
	PetscCall(keep_rows(&csr, 0, A));
	tulle_matrix_destroy(matrix);
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_load(const char *path, MatType type, Mat *A)
{
	PetscViewer viewer;
	file_kind kind;

	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetType(*A, type));
	PetscCall(look(path, &kind));
	if (kind == TUNED) {
		PetscCall(read_tuned(path, *A));
	} else if (kind == MATRIX_MARKET) {
		PetscCall(read_matrix_market(path, *A));
	} else {
		PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &viewer));
		PetscCall(MatLoad(*A, viewer));
		PetscCall(PetscViewerDestroy(&viewer));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}
