/* seq.c -- the type seqaijtulle: a SeqAIJ matrix whose products are tulle's.
 *
 * It is PETSc's SeqAIJ in all but four entries of its table of operations (products), one that had
 * been empty (conversion) and two composed functions. The arrays stay PETSc's, so everything else works
 * as before; what tulle needs besides hangs on the matrix and follows it (block.c). */
#include "plugin.h"

/* SeqAIJ's own functions, to put back. */
static struct {
	tulle_petsc_plain plain[2];
	tulle_petsc_function convert;
	PetscErrorCode (*retrieve)(Mat);
	PetscErrorCode (*kronecker)(Mat, Mat, MatReuse, Mat *);
} base;

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
	PetscCall(tulle__petsc_reset_products(*out, base.plain));
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
	if (!base.retrieve) {
		PetscCall(tulle__petsc_get_products(*out, base.plain));
		PetscCall(MatGetOperation(*out, MATOP_CONVERT, &base.convert));
		PetscCall(PetscObjectQueryFunction(object, "MatRetrieveValues_C", &base.retrieve));
		PetscCall(PetscObjectQueryFunction(object, "MatSeqAIJKron_C", &base.kronecker));
	}
	PetscCall(tulle__petsc_set_products(*out));
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
