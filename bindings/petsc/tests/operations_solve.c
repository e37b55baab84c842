/* operations_solve.c -- factorizations, relaxations and preconditioners of a matrix. */
#include "operations.h"

/* Solve with a preconditioner alone and note what comes out; it is made of A's entries, not of its
 * products, but for multigrid. */
static PetscErrorCode solve(Mat A, PCType type, note_list *notes)
{
	KSP ksp;
	PC pc;
	Vec x, b;
	PetscBool transposed;

	PetscFunctionBegin;
	PetscCall(ones_and_more(A, &x, &b));
	PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
	PetscCall(KSPSetOperators(ksp, A, A));
	PetscCall(KSPSetType(ksp, KSPPREONLY));
	PetscCall(KSPGetPC(ksp, &pc));
	PetscCall(PCSetType(pc, type));
	PetscCall(KSPSolve(ksp, b, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(PCApplyTransposeExists(pc, &transposed));
	if (transposed) {
		PetscCall(PCApplyTranspose(pc, b, x));
		PetscCall(note_vector_near(notes, x));
	}
	PetscCall(MatScale(A, 2.0)); /* and once more with new values */
	PetscCall(KSPSetOperators(ksp, A, A));
	PetscCall(KSPSolve(ksp, b, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(KSPDestroy(&ksp));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscFunctionReturn(PETSC_SUCCESS);
}

#define PRECONDITIONER(name, type)                       \
	static PetscErrorCode name(Mat *A, note_list *notes) \
	{                                                    \
		return solve(*A, type, notes);                   \
	}
PRECONDITIONER(jacobi, PCJACOBI)
PRECONDITIONER(bjacobi, PCBJACOBI)
PRECONDITIONER(pbjacobi, PCPBJACOBI)
PRECONDITIONER(lu, PCLU)
PRECONDITIONER(ilu, PCILU)
PRECONDITIONER(sor, PCSOR)
PRECONDITIONER(redundant, PCREDUNDANT)

static PetscErrorCode relax(Mat *A, note_list *notes)
{
	Vec x, b;

	PetscFunctionBegin;
	PetscCall(ones_and_more(*A, &x, &b));
	PetscCall(MatSOR(*A, b, 1.1, SOR_LOCAL_SYMMETRIC_SWEEP, 0.0, 2, 1, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* The factorizations of A + A^T, made diagonally dominant. */
static PetscErrorCode symmetric(Mat *A, note_list *notes)
{
	Mat B;

	PetscFunctionBegin;
	PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &B));
	PetscCall(MatAXPY(*A, 1.0, B, DIFFERENT_NONZERO_PATTERN));
	PetscCall(MatDestroy(&B));
	PetscCall(MatShift(*A, 20.0));
	PetscCall(MatSetOption(*A, MAT_SYMMETRIC, PETSC_TRUE));
	PetscCall(solve(*A, PCCHOLESKY, notes));
	PetscCall(solve(*A, PCICC, notes));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode invert_blocks(Mat *A, note_list *notes)
{
	const PetscScalar *inverse;
	PetscInt m;

	PetscFunctionBegin;
	PetscCall(MatInvertBlockDiagonal(*A, &inverse));
	PetscCall(MatGetLocalSize(*A, &m, NULL));
	for (PetscInt i = 0; i < m; i++)
		PetscCall(note_scalar(notes, inverse[i], note));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* A factor by hand, and a solve for several right-hand sides. */
static PetscErrorCode mat_solve(Mat *A, note_list *notes)
{
	Mat factor, B, X;
	MatFactorInfo info;
	IS rows, cols;
	PetscInt m;

	PetscFunctionBegin;
	PetscCall(MatGetSize(*A, &m, NULL));
	PetscCall(MatGetFactor(*A, MATSOLVERPETSC, MAT_FACTOR_LU, &factor));
	PetscCall(MatGetOrdering(*A, MATORDERINGND, &rows, &cols));
	PetscCall(MatFactorInfoInitialize(&info));
	PetscCall(MatLUFactorSymbolic(factor, *A, rows, cols, &info));
	PetscCall(MatLUFactorNumeric(factor, *A, &info));
	PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, m, 3, NULL, &B));
	for (PetscInt i = 0; i < m; i++)
		PetscCall(MatSetValue(B, i, i % 3, 1.0, INSERT_VALUES));
	PetscCall(assemble(B));
	PetscCall(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &X));
	PetscCall(MatMatSolve(factor, B, X));
	PetscCall(note_matrix(notes, X));
	PetscCall(MatDestroy(&X));
	PetscCall(MatDestroy(&B));
	PetscCall(MatDestroy(&factor));
	PetscCall(ISDestroy(&rows));
	PetscCall(ISDestroy(&cols));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* A factor in A's own place. */
static PetscErrorCode factor_in_place(Mat *A, note_list *notes)
{
	Mat B;
	MatFactorInfo info;
	IS rows, cols;
	Vec x, b;

	PetscFunctionBegin;
	PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
	PetscCall(multiply_once(B));
	PetscCall(ones_and_more(B, &x, &b));
	PetscCall(MatFactorInfoInitialize(&info));
	PetscCall(MatGetOrdering(B, MATORDERINGNATURAL, &rows, &cols));
	PetscCall(MatLUFactor(B, rows, cols, &info));
	PetscCall(MatSolve(B, b, x));
	PetscCall(note_vector_near(notes, x));
	PetscCall(ISDestroy(&rows));
	PetscCall(ISDestroy(&cols));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscCall(MatDestroy(&B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

const operation operations_solve[] = {
	{ "PCJACOBI", jacobi, 0 },
	{ "PCBJACOBI", bjacobi, 0 },
	{ "PCPBJACOBI", pbjacobi, 0 },
	{ "PCLU", lu, SEQUENTIAL },
	{ "PCILU", ilu, SEQUENTIAL },
	{ "PCSOR", sor, SEQUENTIAL },
	{ "PCREDUNDANT", redundant, 0 },
	{ "PCCHOLESKY, PCICC", symmetric, SEQUENTIAL },
	{ "MatSOR", relax, 0 },
	{ "MatInvertBlockDiagonal", invert_blocks, 0 },
	{ "MatLUFactor, MatMatSolve", mat_solve, SEQUENTIAL },
	{ "MatLUFactor in place", factor_in_place, SEQUENTIAL },
	{ NULL, NULL, 0 },
};
