/* seq.c -- the type seqaijtulle: a SeqAIJ matrix whose products are tulle's.
 *
 * It is PETSc's SeqAIJ in all but four entries of its table of operations (products), one that had
 * been empty (conversion) and two composed functions. The arrays stay PETSc's, so everything else works
 * as before; what tulle needs besides hangs on the matrix and follows it (block.c). */
#include "plugin.h"

#include <string.h>

/* SeqAIJ's own functions, to put back. */
static struct {
	tulle_petsc_function mult, mult_add, mult_transpose, mult_transpose_add, convert;
	PetscErrorCode (*retrieve)(Mat);
	PetscErrorCode (*kronecker)(Mat, Mat, MatReuse, Mat *);
} base;

/* ---- products ---- */

/* z = b + the sums of the rows that have entries. */
static void spread(const tulle_petsc_block *block, const double *b, double *z)
{
	if (!b)
		memset(z, 0, (size_t)block->m * sizeof *z);
	else if (b != z)
		memcpy(z, b, (size_t)block->m * sizeof *z);
	for (PetscInt k = 0; k < block->rows; k++)
		z[block->row[k]] += block->part[k];
}

/* z = b + op(A) x; b may be z, or NULL for nothing. */
static PetscErrorCode multiply(const tulle_petsc_block *block, tulle_op op, const double *x,
                               const double *b, double *z)
{
	const tulle_plan *plan = block->way[op].plan;
	const double beta = b ? 1 : 0;

	PetscFunctionBegin;
	if (!block->row) {
		TulleCall(tulle_mul_add_f64(plan, 1, x, beta, b, z));
	} else if (op == TULLE_NORMAL) {
		TulleCall(tulle_mul_f64(plan, 1, x, 0, block->part));
		spread(block, b, z);
	} else {
		for (PetscInt k = 0; k < block->rows; k++)
			block->part[k] = x[block->row[k]];
		TulleCall(tulle_mul_add_f64(plan, 1, block->part, beta, b, z));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* z = y + op(A) x, y may be z or NULL. */
static PetscErrorCode product(Mat A, tulle_op op, Vec x, Vec y, Vec z)
{
	tulle_petsc_block *block;
	const PetscScalar *xs, *ys = NULL;
	PetscScalar *zs;

	PetscFunctionBegin;
	PetscCall(tulle__petsc_block(A, &block));
	PetscCall(tulle__petsc_plan(A, block, op));
	PetscCall(VecGetArrayRead(x, &xs));
	if (y == z) {
		PetscCall(VecGetArray(z, &zs));
		PetscCall(multiply(block, op, xs, zs, zs));
		PetscCall(VecRestoreArray(z, &zs));
	} else {
		if (y)
			PetscCall(VecGetArrayRead(y, &ys));
		PetscCall(VecGetArrayWrite(z, &zs));
		PetscCall(multiply(block, op, xs, ys, zs));
		PetscCall(VecRestoreArrayWrite(z, &zs));
		if (y)
			PetscCall(VecRestoreArrayRead(y, &ys));
	}
	PetscCall(VecRestoreArrayRead(x, &xs));
	/* as SeqAIJ counts them */
	PetscCall(PetscLogFlops(2.0 * (double)block->nz -
	                        (y || op == TULLE_TRANSPOSED ? 0.0 : (double)block->rows)));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mult(Mat A, Vec x, Vec y)
{
	return product(A, TULLE_NORMAL, x, NULL, y);
}

static PetscErrorCode mult_add(Mat A, Vec x, Vec y, Vec z)
{
	return product(A, TULLE_NORMAL, x, y, z);
}

static PetscErrorCode mult_transpose(Mat A, Vec x, Vec y)
{
	return product(A, TULLE_TRANSPOSED, x, NULL, y);
}

static PetscErrorCode mult_transpose_add(Mat A, Vec x, Vec y, Vec z)
{
	return product(A, TULLE_TRANSPOSED, x, y, z);
}

/* ---- the type ---- */

/* SeqAIJ's does not tell that the values have changed. */
static PetscErrorCode retrieve_values(Mat A)
{
	PetscFunctionBegin;
	PetscCall(base.retrieve(A));
	PetscCall(PetscObjectStateIncrease((PetscObject)A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* SeqAIJ's wants a second factor whose type is exactly its own. */
static PetscErrorCode kronecker(Mat A, Mat B, MatReuse reuse, Mat *C)
{
	Mat plain;

	PetscFunctionBegin;
	PetscCall(MatConvert(B, MATSEQAIJ, MAT_INITIAL_MATRIX, &plain));
	PetscCall(base.kronecker(A, plain, reuse, C));
	PetscCall(MatDestroy(&plain));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode to_aij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATSEQAIJ, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	PetscCall(MatSetOperation(*out, MATOP_MULT, base.mult));
	PetscCall(MatSetOperation(*out, MATOP_MULT_ADD, base.mult_add));
	PetscCall(MatSetOperation(*out, MATOP_MULT_TRANSPOSE, base.mult_transpose));
	PetscCall(MatSetOperation(*out, MATOP_MULT_TRANSPOSE_ADD, base.mult_transpose_add));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, base.convert));
	PetscCall(PetscObjectComposeFunction(object, "MatRetrieveValues_C", base.retrieve));
	PetscCall(PetscObjectComposeFunction(object, "MatSeqAIJKron_C", base.kronecker));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_seqaijtulle_seqaij_C", NULL));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_seqaij_seqaijtulle_C", NULL));
	PetscCall(tulle__petsc_block_drop(*out));
	PetscCall(PetscObjectChangeTypeName(object, MATSEQAIJ));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode to_other(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	return tulle__petsc_by_way_of(MATSEQAIJ, A, type, reuse, out);
}

PetscErrorCode tulle__petsc_seq_from_aij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATSEQAIJTULLE, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	if (!base.mult) {
		PetscCall(MatGetOperation(*out, MATOP_MULT, &base.mult));
		PetscCall(MatGetOperation(*out, MATOP_MULT_ADD, &base.mult_add));
		PetscCall(MatGetOperation(*out, MATOP_MULT_TRANSPOSE, &base.mult_transpose));
		PetscCall(MatGetOperation(*out, MATOP_MULT_TRANSPOSE_ADD, &base.mult_transpose_add));
		PetscCall(MatGetOperation(*out, MATOP_CONVERT, &base.convert));
		PetscCall(PetscObjectQueryFunction(object, "MatRetrieveValues_C", &base.retrieve));
		PetscCall(PetscObjectQueryFunction(object, "MatSeqAIJKron_C", &base.kronecker));
	}
	PetscCall(MatSetOperation(*out, MATOP_MULT, (tulle_petsc_function)mult));
	PetscCall(MatSetOperation(*out, MATOP_MULT_ADD, (tulle_petsc_function)mult_add));
	PetscCall(MatSetOperation(*out, MATOP_MULT_TRANSPOSE, (tulle_petsc_function)mult_transpose));
	PetscCall(
	    MatSetOperation(*out, MATOP_MULT_TRANSPOSE_ADD, (tulle_petsc_function)mult_transpose_add));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, (tulle_petsc_function)to_other));
	PetscCall(PetscObjectComposeFunction(object, "MatRetrieveValues_C", retrieve_values));
	PetscCall(PetscObjectComposeFunction(object, "MatSeqAIJKron_C", kronecker));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_seqaijtulle_seqaij_C", to_aij));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_seqaij_seqaijtulle_C",
	                                     tulle__petsc_seq_from_aij));
	PetscCall(PetscObjectChangeTypeName(object, MATSEQAIJTULLE));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_seq_create(Mat A)
{
	PetscFunctionBegin;
	PetscCall(MatSetType(A, MATSEQAIJ));
	PetscCall(tulle__petsc_seq_from_aij(A, MATSEQAIJTULLE, MAT_INPLACE_MATRIX, &A));
	PetscFunctionReturn(PETSC_SUCCESS);
}
