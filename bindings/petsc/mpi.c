/* mpi.c -- the type mpiaijtulle: an MPIAIJ matrix with both blocks of each rank of tulle's type.
 *
 * PETSc's MPIAIJ moves the ghost values and multiplies by its two blocks, whatever type these have.
 * All that is to do here is to see that new blocks become ours. */
#include "plugin.h"

/* MPIAIJ's own functions, to call and to put back. */
static struct {
	tulle_petsc_function assembly_end, convert;
	PetscErrorCode (*preallocate)(Mat, PetscInt, const PetscInt[], PetscInt, const PetscInt[]);
} base;

static PetscErrorCode to_ours(Mat block)
{
	return MatSeqAIJSetType(block, MATSEQAIJTULLE);
}

static PetscErrorCode to_plain(Mat block)
{
	return MatConvert(block, MATSEQAIJ, MAT_INPLACE_MATRIX, &block);
}

static PetscErrorCode each_block(Mat A, PetscErrorCode (*change)(Mat))
{
	Mat diagonal, off;

	PetscFunctionBegin;
	PetscCall(MatMPIAIJGetSeqAIJ(A, &diagonal, &off, NULL));
	if (diagonal)
		PetscCall(change(diagonal));
	if (off)
		PetscCall(change(off));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode preallocate(Mat A, PetscInt d, const PetscInt dn[], PetscInt o,
                                  const PetscInt on[])
{
	PetscFunctionBegin;
	PetscCall(base.preallocate(A, d, dn, o, on));
	PetscCall(each_block(A, to_ours));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Some operations, MatCreateSubMatrix() for one, make blocks without preallocation; they assemble in the
 * end. */
static PetscErrorCode assembly_end(Mat A, MatAssemblyType mode)
{
	PetscFunctionBegin;
	PetscCall(((PetscErrorCode(*)(Mat, MatAssemblyType))base.assembly_end)(A, mode));
	PetscCall(each_block(A, to_ours));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode to_aij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATMPIAIJ, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	PetscCall(each_block(*out, to_plain));
	PetscCall(MatSetOperation(*out, MATOP_ASSEMBLY_END, base.assembly_end));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, base.convert));
	PetscCall(PetscObjectComposeFunction(object, "MatMPIAIJSetPreallocation_C", base.preallocate));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_mpiaijtulle_mpiaij_C", NULL));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_mpiaij_mpiaijtulle_C", NULL));
	PetscCall(PetscObjectChangeTypeName(object, MATMPIAIJ));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode to_other(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	return tulle__petsc_by_way_of(MATMPIAIJ, A, type, reuse, out);
}

static PetscErrorCode from_aij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATMPIAIJTULLE, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	if (!base.preallocate) {
		PetscCall(MatGetOperation(*out, MATOP_ASSEMBLY_END, &base.assembly_end));
		PetscCall(MatGetOperation(*out, MATOP_CONVERT, &base.convert));
		PetscCall(
		    PetscObjectQueryFunction(object, "MatMPIAIJSetPreallocation_C", &base.preallocate));
	}
	PetscCall(MatSetOperation(*out, MATOP_ASSEMBLY_END, (tulle_petsc_function)assembly_end));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, (tulle_petsc_function)to_other));
	PetscCall(PetscObjectComposeFunction(object, "MatMPIAIJSetPreallocation_C", preallocate));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_mpiaijtulle_mpiaij_C", to_aij));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_mpiaij_mpiaijtulle_C", from_aij));
	PetscCall(PetscObjectChangeTypeName(object, MATMPIAIJTULLE));
	PetscCall(each_block(*out, to_ours));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_mpi_create(Mat A)
{
	PetscFunctionBegin;
	PetscCall(MatSetType(A, MATMPIAIJ));
	PetscCall(from_aij(A, MATMPIAIJTULLE, MAT_INPLACE_MATRIX, &A));
	PetscFunctionReturn(PETSC_SUCCESS);
}
