/* operations_queries.c -- operations that only tell something about a matrix. */
#include "operations.h"

static PetscErrorCode norms(Mat *A, note_list *notes)
{
	const NormType types[] = { NORM_1, NORM_FROBENIUS, NORM_INFINITY };
	PetscReal value;
	PetscScalar trace;

	PetscFunctionBegin;
	for (int k = 0; k < 3; k++) {
		PetscCall(MatNorm(*A, types[k], &value));
		PetscCall(note(notes, value));
	}
	PetscCall(MatGetTrace(*A, &trace));
	PetscCall(note_scalar(notes, trace, note));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode diagonal(Mat *A, note_list *notes)
{
	Vec d;

	PetscFunctionBegin;
	PetscCall(MatCreateVecs(*A, &d, NULL));
	PetscCall(MatGetDiagonal(*A, d));
	PetscCall(note_vector(notes, d));
	PetscCall(VecDestroy(&d));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode row_extremes(Mat *A, note_list *notes)
{
	PetscErrorCode (*const of[])(Mat, Vec, PetscInt[]) = { MatGetRowMax, MatGetRowMin,
		                                                   MatGetRowMaxAbs, MatGetRowMinAbs };
	PetscInt m, *at;
	Vec v;

	PetscFunctionBegin;
	PetscCall(MatCreateVecs(*A, NULL, &v));
	PetscCall(MatGetLocalSize(*A, &m, NULL));
	PetscCall(PetscMalloc1(m, &at));
	for (int k = 0; k < 4; k++) {
		PetscCall(of[k](*A, v, at));
		PetscCall(note_vector(notes, v));
		for (PetscInt i = 0; i < m; i++)
			PetscCall(note(notes, (double)at[i]));
	}
	PetscCall(MatGetRowSum(*A, v));
	PetscCall(note_vector_near(notes, v)); /* a product by ones */
	PetscCall(PetscFree(at));
	PetscCall(VecDestroy(&v));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode columns(Mat *A, note_list *notes)
{
	const NormType types[] = { NORM_1, NORM_2, NORM_INFINITY };
	PetscInt n;
	PetscReal *value;
	PetscScalar *sum;

	PetscFunctionBegin;
	PetscCall(MatGetSize(*A, NULL, &n));
	PetscCall(PetscMalloc2(n, &value, n, &sum));
	for (int k = 0; k < 3; k++) {
		PetscCall(MatGetColumnNorms(*A, types[k], value));
		for (PetscInt j = 0; j < n; j++)
			PetscCall(note(notes, value[j]));
	}
	PetscCall(MatGetColumnSums(*A, sum));
	for (PetscInt j = 0; j < n; j++)
		PetscCall(note_scalar(notes, sum[j], note));
	PetscCall(PetscFree2(value, sum));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode info(Mat *A, note_list *notes)
{
	MatInfo found;
	PetscInt ghosts, bs, first, end;
	const PetscInt *ghost;

	PetscFunctionBegin;
	PetscCall(MatGetInfo(*A, MAT_GLOBAL_SUM, &found));
	PetscCall(note(notes, found.nz_used));
	PetscCall(note(notes, found.nz_allocated));
	PetscCall(MatGetBlockSize(*A, &bs));
	PetscCall(MatGetOwnershipRangeColumn(*A, &first, &end));
	PetscCall(note(notes, (double)(bs + first + end)));
	if (ranks() > 1) {
		PetscCall(MatGetGhosts(*A, &ghosts, &ghost));
		for (PetscInt k = 0; k < ghosts; k++)
			PetscCall(note(notes, (double)ghost[k]));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Symmetry by comparison, and by products with random vectors. */
static PetscErrorCode relations(Mat *A, note_list *notes)
{
	PetscBool is;
	Mat B;

	PetscFunctionBegin;
	PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
	PetscCall(MatEqual(*A, B, &is));
	PetscCall(note(notes, is));
	PetscCall(MatMultEqual(*A, B, 3, &is));
	PetscCall(note(notes, is));
	PetscCall(MatMultTransposeEqual(*A, B, 3, &is));
	PetscCall(note(notes, is));
	PetscCall(MatScale(B, 2.0));
	PetscCall(MatEqual(*A, B, &is));
	PetscCall(note(notes, is));
	PetscCall(MatMultEqual(*A, B, 3, &is));
	PetscCall(note(notes, is));
	PetscCall(MatDestroy(&B));
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(MatIsTranspose(*A, B, 0.0, &is));
	PetscCall(note(notes, is));
	PetscCall(MatDestroy(&B));
	PetscCall(MatIsSymmetric(*A, 0.0, &is));
	PetscCall(note(notes, is));
	PetscCall(MatIsHermitian(*A, 0.0, &is));
	PetscCall(note(notes, is));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zero_rows(Mat *A, note_list *notes)
{
	IS set;

	PetscFunctionBegin;
	PetscCall(MatFindZeroDiagonals(*A, &set));
	PetscCall(note_set(notes, set));
	PetscCall(ISDestroy(&set));
	PetscCall(MatFindZeroRows(*A, &set));
	if (set)
		PetscCall(note_set(notes, set));
	PetscCall(ISDestroy(&set));
	PetscCall(MatFindOffBlockDiagonalEntries(*A, &set));
	PetscCall(note_set(notes, set));
	PetscCall(ISDestroy(&set));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode entries(Mat *A, note_list *notes)
{
	PetscInt first, row[2], col[3] = { 0, 60, 120 };
	PetscScalar v[6];

	PetscFunctionBegin;
	PetscCall(MatGetOwnershipRange(*A, &first, NULL));
	row[0] = first;
	row[1] = first + 1;
	PetscCall(MatGetValues(*A, 2, row, 3, col, v));
	for (int k = 0; k < 6; k++)
		PetscCall(note_scalar(notes, v[k], note));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode row_ij(Mat *A, note_list *notes)
{
	PetscInt n;
	const PetscInt *i, *j;
	PetscBool done;

	PetscFunctionBegin;
	PetscCall(MatGetRowIJ(*A, 0, PETSC_FALSE, PETSC_FALSE, &n, &i, &j, &done));
	PetscCall(note(notes, done));
	for (PetscInt k = 0; done && k < i[n]; k++)
		PetscCall(note(notes, (double)j[k]));
	PetscCall(MatRestoreRowIJ(*A, 0, PETSC_FALSE, PETSC_FALSE, &n, &i, &j, &done));
	PetscCall(MatGetColumnIJ(*A, 0, PETSC_FALSE, PETSC_FALSE, &n, &i, &j, &done));
	PetscCall(note(notes, done));
	PetscCall(MatRestoreColumnIJ(*A, 0, PETSC_FALSE, PETSC_FALSE, &n, &i, &j, &done));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode orderings(Mat *A, note_list *notes)
{
	const char *const types[] = { MATORDERINGNATURAL, MATORDERINGRCM, MATORDERINGND };
	IS rows, cols;

	PetscFunctionBegin;
	for (int k = 0; k < 3; k++) {
		PetscCall(MatGetOrdering(*A, types[k], &rows, &cols));
		PetscCall(note_set(notes, rows));
		PetscCall(note_set(notes, cols));
		PetscCall(ISDestroy(&rows));
		PetscCall(ISDestroy(&cols));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode coloring(Mat *A, note_list *notes)
{
	MatColoring coloring;
	ISColoring colors;
	MatFDColoring differences;

	PetscFunctionBegin;
	PetscCall(MatColoringCreate(*A, &coloring));
	PetscCall(MatColoringSetType(coloring, MATCOLORINGSL));
	PetscCall(MatColoringApply(coloring, &colors));
	PetscCall(MatColoringDestroy(&coloring));
	PetscCall(MatFDColoringCreate(*A, colors, &differences));
	PetscCall(MatFDColoringSetUp(*A, colors, differences));
	PetscCall(MatFDColoringDestroy(&differences));
	PetscCall(note(notes, 1));
	PetscCall(ISColoringDestroy(&colors));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode view(Mat *A, note_list *notes)
{
	PetscViewer viewer;

	PetscFunctionBegin;
	(void)notes;
	PetscCall(PetscViewerASCIIOpen(PETSC_COMM_WORLD, "/dev/null", &viewer));
	PetscCall(MatView(*A, viewer));
	PetscCall(PetscViewerPushFormat(viewer, PETSC_VIEWER_ASCII_INFO_DETAIL));
	PetscCall(MatView(*A, viewer));
	PetscCall(PetscViewerPopFormat(viewer));
	PetscCall(PetscViewerPushFormat(viewer, PETSC_VIEWER_ASCII_MATLAB));
	PetscCall(MatView(*A, viewer));
	PetscCall(PetscViewerPopFormat(viewer));
	PetscCall(PetscViewerDestroy(&viewer));
	PetscFunctionReturn(PETSC_SUCCESS);
}

const operation operations_queries[] = {
	{ "MatNorm, MatGetTrace", norms, 0 },
	{ "MatGetDiagonal", diagonal, 0 },
	{ "MatGetRowMax, Min, MaxAbs, MinAbs, Sum", row_extremes, 0 },
	{ "MatGetColumnNorms, Sums", columns, 0 },
	{ "MatGetInfo, BlockSize, Ghosts", info, 0 },
	{ "MatEqual, MultEqual, IsTranspose, IsSymmetric", relations, 0 },
	{ "MatFindZeroDiagonals, ZeroRows, OffBlockDiagonal", zero_rows, 0 },
	{ "MatGetValues", entries, 0 },
	{ "MatGetRowIJ, ColumnIJ", row_ij, SEQUENTIAL },
	{ "MatGetOrdering", orderings, SEQUENTIAL },
	{ "MatColoring, MatFDColoring", coloring, SEQUENTIAL },
	{ "MatView", view, 0 },
	{ NULL, NULL, 0 },
};
