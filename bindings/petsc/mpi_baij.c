/* mpi_baij.c -- the type mpibaijtulle: an MPIBAIJ matrix with both blocks of each rank of tulle's type.
 *
 * PETSc's MPIBAIJ writes values of its blocks without telling them (MatAXPY(), MatDiagonalScale()), and some
 * operations put plain blocks into a matrix. So a product looks first whether the matrix has changed since the
 * last one. */
#include "plugin.h"

/* MPIBAIJ's own functions, to call and to put back. */
static struct {
	tulle_petsc_plain plain[2];
	tulle_petsc_function convert;
} base;

/* Data with this number is attached to a matrix; PETSc knows whether the matrix has changed after that. */
static PetscInt seen;

/* ---- the blocks ---- */

static PetscErrorCode to_ours(Mat block)
{
	PetscFunctionBegin;
	PetscCall(tulle__petsc_seq_from_baij(block, MATSEQBAIJTULLE, MAT_INPLACE_MATRIX, &block));
	PetscCall(tulle__petsc_block_touch(block));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode to_plain(Mat block)
{
	return tulle__petsc_seq_to_baij(block, MATSEQBAIJ, MAT_INPLACE_MATRIX, &block);
}

/* MatMPIBAIJGetSeqBAIJ() wants a matrix whose type is exactly its own. */
static PetscErrorCode each_block(Mat A, PetscErrorCode (*change)(Mat))
{
	Mat diagonal, off;

	PetscFunctionBegin;
	PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATMPIBAIJ));
	PetscCall(MatMPIBAIJGetSeqBAIJ(A, &diagonal, &off, NULL));
	PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATMPIBAIJTULLE));
	PetscCall(change(diagonal));
	PetscCall(change(off));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode bring_up_to_date(Mat A)
{
	PetscInt ignored = 0;
	PetscBool same;

	PetscFunctionBegin;
	PetscCall(PetscObjectComposedDataGetInt((PetscObject)A, seen, ignored, same));
	if (PetscUnlikely(!same)) {
		PetscCall(each_block(A, to_ours));
		PetscCall(PetscObjectComposedDataSetInt((PetscObject)A, seen, ignored));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- products ---- */

/* z = y + op(A) x, y may be z or NULL. */
static PetscErrorCode product(Mat A, tulle_op op, Vec x, Vec y, Vec z)
{
	PetscFunctionBegin;
	PetscCall(bring_up_to_date(A));
	PetscCall(tulle__petsc_plain_product(A, &base.plain[op], x, y, z));
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

static PetscErrorCode to_baij(Mat A, MatReuse reuse, Mat *out)
{
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	PetscCall(tulle__petsc_target(MATMPIBAIJ, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	PetscCall(each_block(*out, to_plain));
	PetscCall(tulle__petsc_reset_products(*out, base.plain));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, base.convert));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_mpibaij_mpibaijtulle_C", NULL));
	PetscCall(PetscObjectChangeTypeName(object, MATMPIBAIJ));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Conversions to MPIBAIJ come here, too: operations that merge a matrix of PETSc's own type into ours leave
 * none of our composed functions. */
static PetscErrorCode to_other(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscBool plain;

	PetscFunctionBegin;
	PetscCall(PetscStrcmp(type, MATMPIBAIJ, &plain));
	if (plain)
		PetscCall(to_baij(A, reuse, out));
	else
		PetscCall(tulle__petsc_by_way_of(MATMPIBAIJ, A, type, reuse, out));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode from_baij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	const tulle_petsc_plain ours[2] = {
		{ (tulle_petsc_function)mult, (tulle_petsc_function)mult_add },
		{ (tulle_petsc_function)mult_transpose, (tulle_petsc_function)mult_transpose_add },
	};
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATMPIBAIJTULLE, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	if (!base.plain[0].mult) {
		PetscCall(tulle__petsc_get_products(*out, base.plain));
		PetscCall(MatGetOperation(*out, MATOP_CONVERT, &base.convert));
		PetscCall(PetscObjectComposedDataRegister(&seen));
	}
	PetscCall(tulle__petsc_reset_products(*out, ours));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, (tulle_petsc_function)to_other));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_mpibaij_mpibaijtulle_C", from_baij));
	PetscCall(PetscObjectChangeTypeName(object, MATMPIBAIJTULLE));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_mpi_baij_create(Mat A)
{
	PetscFunctionBegin;
	PetscCall(MatSetType(A, MATMPIBAIJ));
	PetscCall(from_baij(A, MATMPIBAIJTULLE, MAT_INPLACE_MATRIX, &A));
	PetscFunctionReturn(PETSC_SUCCESS);
}
