/* overhead.c -- what MatMult() costs beside the multiplication itself, on a tiny matrix.
 *
 *     tulle-petsc-overhead -dll_append libtulle_petsc.so
 *
 * Three times for a tridiagonal matrix of 16 rows: tulle_mul_f64() on PETSc's arrays, MatMult() of
 * PETSc's own type, MatMult() of tulle's. The best of many blocks of calls, in nanoseconds. */
#include <petscmat.h>
#include <petsctime.h>

#include "plugin.h"

enum { ROWS = 16, CALLS = 20000, BLOCKS = 50 };

static PetscErrorCode tridiagonal(MatType type, Mat *A)
{
	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_SELF, A));
	PetscCall(MatSetSizes(*A, ROWS, ROWS, ROWS, ROWS));
	PetscCall(MatSetType(*A, type));
	PetscCall(MatSeqAIJSetPreallocation(*A, 3, NULL));
	for (PetscInt i = 0; i < ROWS; i++)
		for (PetscInt j = PetscMax(i - 1, 0); j <= PetscMin(i + 1, ROWS - 1); j++)
			PetscCall(MatSetValue(*A, i, j, i == j ? 2.5 : -1.0 / (double)(i + j), INSERT_VALUES));
	PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nanoseconds of one product: by the plan if there is one, else by A. */
static PetscErrorCode time_products(const tulle_plan *plan, Mat A, double *best)
{
	PetscLogDouble begin, end;
	const PetscScalar *xs;
	PetscScalar *ys;
	Vec x, y;

	PetscFunctionBegin;
	PetscCall(MatCreateVecs(A, &x, &y));
	PetscCall(VecSet(x, 1.0));
	*best = PETSC_MAX_REAL;
	for (int block = 0; block < BLOCKS; block++) {
		PetscCall(VecGetArrayRead(x, &xs));
		PetscCall(VecGetArrayWrite(y, &ys));
		PetscCall(PetscTime(&begin));
		if (plan) {
			for (int k = 0; k < CALLS; k++)
				TulleCall(tulle_mul_f64(plan, 1, xs, 0, ys));
		} else {
			for (int k = 0; k < CALLS; k++)
				PetscCall(MatMult(A, x, y));
		}
		PetscCall(PetscTime(&end));
		PetscCall(VecRestoreArrayWrite(y, &ys));
		PetscCall(VecRestoreArrayRead(x, &xs));
		*best = PetscMin(*best, (end - begin) / CALLS * 1e9);
	}
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&y));
	PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
	const tulle_index_type type = sizeof(PetscInt) == 8 ? TULLE_I64 : TULLE_I32;
	const tulle_context_options one = { .size = sizeof one, .threads = 1 };
	const tulle_plan_options csr = { .size = sizeof csr, .format = "csr" };
	double kernel, plain, ours;
	const PetscInt *i, *j;
	PetscScalar *a;
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;
	Mat A, B;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(tridiagonal(MATSEQAIJ, &A));
	PetscCall(tridiagonal(MATSEQAIJTULLE, &B));
	PetscCall(MatSeqAIJGetCSRAndMemType(A, &i, &j, &a, NULL));
	TulleCall(tulle_context_create(&one, &context));
	TulleCall(
	    tulle_matrix_from_csr(context, ROWS, ROWS, type, i, type, j, TULLE_F64, a, NULL, &matrix));
	TulleCall(tulle_plan_create(matrix, &csr, &plan));
	PetscCall(PetscOptionsSetValue(NULL, "-mat_tulle_format", "csr"));
	PetscCall(time_products(plan, A, &kernel));
	PetscCall(time_products(NULL, A, &plain));
	PetscCall(time_products(NULL, B, &ours));
	PetscCall(
	    PetscPrintf(PETSC_COMM_SELF,
	                "tulle_mul_f64 %.0f ns, MatMult of seqaij %.0f ns, of seqaijtulle %.0f ns: "
	                "%.0f ns over the kernel\n",
	                kernel, plain, ours, ours - kernel));
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(matrix);
	tulle_context_destroy(context);
	PetscCall(MatDestroy(&A));
	PetscCall(MatDestroy(&B));
	PetscCall(PetscFinalize());
	return 0;
}
