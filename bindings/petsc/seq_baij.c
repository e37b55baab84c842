/* seq_baij.c -- the type seqbaijtulle: a SeqBAIJ matrix whose products are tulle's, made from its blocks.
 *
 * As seq.c does it for SeqAIJ. Two things are different. SeqBAIJ has products for each size of blocks, and
 * preallocation puts them into the table; so ours are put there at the end of each assembly. And its
 * duplicates are plain SeqBAIJ matrices. */
#include "plugin.h"

/* SeqBAIJ's own functions, to call and to put back. */
static struct {
	tulle_petsc_function convert, duplicate, assembly_end, row_ij;
	PetscErrorCode (*retrieve)(Mat);
	PetscErrorCode (*get_array)(Mat, PetscScalar **);
	PetscErrorCode (*restore_array)(Mat, PetscScalar **);
} base;

/* ---- what block.c asks for ---- */

/* What MatGetRowIJ() and MatSeqBAIJGetArray() call, without the event and the search for a name that cost more
 * than a small product. Neither copies, so there is nothing to restore. */
PetscErrorCode tulle__petsc_baij_arrays(Mat A, tulle_petsc_arrays *arrays)
{
	PetscInt rows;
	PetscScalar *a;
	PetscBool done;

	PetscFunctionBegin;
	PetscCall(((PetscErrorCode(*)(Mat, PetscInt, PetscBool, PetscBool, PetscInt *,
	                              const PetscInt **, const PetscInt **, PetscBool *))base.row_ij)(
	    A, 0, PETSC_FALSE, PETSC_TRUE, &rows, &arrays->i, &arrays->j, &done));
	PetscCall(base.get_array(A, &a));
	arrays->a = a;
	PetscCall(MatGetBlockSize(A, &arrays->size));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc's products for A's size of blocks, from the table of an empty matrix: A's table has ours. */
PetscErrorCode tulle__petsc_baij_plain(Mat A, tulle_petsc_plain plain[2])
{
	const char *prefix;
	PetscInt size;
	Mat empty;

	PetscFunctionBegin;
	PetscCall(MatGetBlockSize(A, &size));
	PetscCall(MatGetOptionsPrefix(A, &prefix));
	PetscCall(MatCreate(PETSC_COMM_SELF, &empty));
	PetscCall(MatSetSizes(empty, size, size, size, size));
	PetscCall(MatSetOptionsPrefix(empty, prefix)); /* -mat_baij_mult_version */
	PetscCall(MatSetType(empty, MATSEQBAIJ));
	PetscCall(MatSeqBAIJSetPreallocation(empty, size, 0, NULL));
	PetscCall(tulle__petsc_get_products(empty, plain));
	PetscCall(MatDestroy(&empty));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the type ---- */

static PetscErrorCode assembly_end(Mat A, MatAssemblyType mode)
{
	PetscFunctionBegin;
	PetscCall(((PetscErrorCode(*)(Mat, MatAssemblyType))base.assembly_end)(A, mode));
	PetscCall(tulle__petsc_set_products(A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode duplicate(Mat A, MatDuplicateOption option, Mat *B)
{
	PetscFunctionBegin;
	PetscCall(((PetscErrorCode(*)(Mat, MatDuplicateOption, Mat *))base.duplicate)(A, option, B));
	PetscCall(tulle__petsc_seq_from_baij(*B, MATSEQBAIJTULLE, MAT_INPLACE_MATRIX, B));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* SeqBAIJ's own functions do not tell that the values have changed. */
static PetscErrorCode retrieve_values(Mat A)
{
	PetscFunctionBegin;
	PetscCall(base.retrieve(A));
	PetscCall(PetscObjectStateIncrease((PetscObject)A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode restore_array(Mat A, PetscScalar **a)
{
	PetscFunctionBegin;
	PetscCall(base.restore_array(A, a));
	PetscCall(PetscObjectStateIncrease((PetscObject)A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_seq_to_baij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	tulle_petsc_plain plain[2];
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATSEQBAIJ, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	PetscCall(tulle__petsc_baij_plain(*out, plain));
	PetscCall(tulle__petsc_reset_products(*out, plain));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, base.convert));
	PetscCall(MatSetOperation(*out, MATOP_DUPLICATE, base.duplicate));
	PetscCall(MatSetOperation(*out, MATOP_ASSEMBLY_END, base.assembly_end));
	PetscCall(PetscObjectComposeFunction(object, "MatRetrieveValues_C", base.retrieve));
	PetscCall(PetscObjectComposeFunction(object, "MatSeqBAIJRestoreArray_C", base.restore_array));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_seqbaij_seqbaijtulle_C", NULL));
	PetscCall(tulle__petsc_block_drop(*out));
	PetscCall(PetscObjectChangeTypeName(object, MATSEQBAIJ));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Conversions to SeqBAIJ come here, too. */
static PetscErrorCode to_other(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscBool plain;

	PetscFunctionBegin;
	PetscCall(PetscStrcmp(type, MATSEQBAIJ, &plain));
	if (plain)
		PetscCall(tulle__petsc_seq_to_baij(A, type, reuse, out));
	else
		PetscCall(tulle__petsc_by_way_of(MATSEQBAIJ, A, type, reuse, out));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_seq_from_baij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
	PetscObject object;
	PetscBool done;

	PetscFunctionBegin;
	(void)type;
	PetscCall(tulle__petsc_target(MATSEQBAIJTULLE, A, reuse, out, &done));
	if (done)
		PetscFunctionReturn(PETSC_SUCCESS);
	object = (PetscObject)*out;
	if (!base.retrieve) {
		PetscCall(MatGetOperation(*out, MATOP_CONVERT, &base.convert));
		PetscCall(MatGetOperation(*out, MATOP_DUPLICATE, &base.duplicate));
		PetscCall(MatGetOperation(*out, MATOP_ASSEMBLY_END, &base.assembly_end));
		PetscCall(MatGetOperation(*out, MATOP_GET_ROW_IJ, &base.row_ij));
		PetscCall(PetscObjectQueryFunction(object, "MatSeqBAIJGetArray_C", &base.get_array));
		PetscCall(
		    PetscObjectQueryFunction(object, "MatSeqBAIJRestoreArray_C", &base.restore_array));
		PetscCall(PetscObjectQueryFunction(object, "MatRetrieveValues_C", &base.retrieve));
	}
	PetscCall(tulle__petsc_set_products(*out));
	PetscCall(MatSetOperation(*out, MATOP_CONVERT, (tulle_petsc_function)to_other));
	PetscCall(MatSetOperation(*out, MATOP_DUPLICATE, (tulle_petsc_function)duplicate));
	PetscCall(MatSetOperation(*out, MATOP_ASSEMBLY_END, (tulle_petsc_function)assembly_end));
	PetscCall(PetscObjectComposeFunction(object, "MatRetrieveValues_C", retrieve_values));
	PetscCall(PetscObjectComposeFunction(object, "MatSeqBAIJRestoreArray_C", restore_array));
	PetscCall(PetscObjectComposeFunction(object, "MatConvert_seqbaij_seqbaijtulle_C",
	                                     tulle__petsc_seq_from_baij));
	PetscCall(PetscObjectChangeTypeName(object, MATSEQBAIJTULLE));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_seq_baij_create(Mat A)
{
	PetscFunctionBegin;
	PetscCall(MatSetType(A, MATSEQBAIJ));
	PetscCall(tulle__petsc_seq_from_baij(A, MATSEQBAIJTULLE, MAT_INPLACE_MATRIX, &A));
	PetscFunctionReturn(PETSC_SUCCESS);
}
