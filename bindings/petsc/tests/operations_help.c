/* operations_help.c -- what the operations need, and the notes that they take. */
#include "operations.h"

PetscErrorCode note(note_list *notes, double value)
{
	PetscFunctionBegin;
	PetscCheck(notes->count < NOTES, PETSC_COMM_SELF, PETSC_ERR_PLIB, "too many notes");
	notes->near[notes->count] = 0;
	notes->value[notes->count++] = value;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode note_near(note_list *notes, double value)
{
	PetscFunctionBegin;
	PetscCall(note(notes, value));
	notes->near[notes->count - 1] = 1;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode note_scalar(note_list *notes, PetscScalar value, note_one *how)
{
	PetscFunctionBegin;
	PetscCall(how(notes, PetscRealPart(value)));
	if (PetscDefined(USE_COMPLEX))
		PetscCall(how(notes, PetscImaginaryPart(value)));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode note_all(note_list *notes, Vec vector, note_one *how)
{
	const PetscScalar *v;
	PetscInt n;

	PetscFunctionBegin;
	PetscCall(VecGetLocalSize(vector, &n));
	PetscCall(VecGetArrayRead(vector, &v));
	for (PetscInt i = 0; i < n; i++)
		PetscCall(note_scalar(notes, v[i], how));
	PetscCall(VecRestoreArrayRead(vector, &v));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode note_vector(note_list *notes, Vec vector)
{
	return note_all(notes, vector, note);
}

PetscErrorCode note_vector_near(note_list *notes, Vec vector)
{
	return note_all(notes, vector, note_near);
}

PetscErrorCode note_set(note_list *notes, IS set)
{
	const PetscInt *index;
	PetscInt n;

	PetscFunctionBegin;
	PetscCall(ISGetLocalSize(set, &n));
	PetscCall(ISGetIndices(set, &index));
	PetscCall(note(notes, (double)n));
	for (PetscInt i = 0; i < n; i++)
		PetscCall(note(notes, (double)index[i]));
	PetscCall(ISRestoreIndices(set, &index));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode note_matrix(note_list *notes, Mat A)
{
	PetscInt first, end, count, m, n;
	const PetscInt *col;
	const PetscScalar *val;

	PetscFunctionBegin;
	PetscCall(MatGetSize(A, &m, &n));
	PetscCall(note(notes, (double)m));
	PetscCall(note(notes, (double)n));
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	for (PetscInt i = first; i < end; i++) {
		PetscCall(MatGetRow(A, i, &count, &col, &val));
		for (PetscInt k = 0; k < count; k++) {
			PetscCall(note(notes, (double)col[k]));
			if (val)
				PetscCall(note_scalar(notes, val[k], note));
		}
		PetscCall(MatRestoreRow(A, i, &count, &col, &val));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode put_in_place(Mat *A, Mat new)
{
	PetscFunctionBegin;
	PetscCall(MatDestroy(A));
	*A = new;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode assemble(Mat A)
{
	PetscFunctionBegin;
	PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode multiply_once(Mat A)
{
	Vec x, y;

	PetscFunctionBegin;
	PetscCall(ones_and_more(A, &x, &y));
	PetscCall(MatMult(A, x, y));
	PetscCall(MatMultTranspose(A, y, x));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&y));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode each_part(Mat A, PetscErrorCode (*body)(Mat part))
{
	PetscBool parallel;
	Mat diagonal, off;

	PetscFunctionBegin;
	PetscCall(PetscObjectBaseTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
	if (!parallel) {
		PetscCall(body(A));
		PetscFunctionReturn(PETSC_SUCCESS);
	}
	PetscCall(MatMPIAIJGetSeqAIJ(A, &diagonal, &off, NULL));
	PetscCall(body(diagonal));
	PetscCall(body(off));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill(Vec v)
{
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(VecGetOwnershipRange(v, &first, &end));
	for (PetscInt i = first; i < end; i++)
		PetscCall(VecSetValue(v, i, with_phase(1.0 + 0.3 * (double)(i % 7), i), INSERT_VALUES));
	PetscCall(VecAssemblyBegin(v));
	PetscCall(VecAssemblyEnd(v));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ones_and_more(Mat A, Vec *right, Vec *left)
{
	PetscFunctionBegin;
	PetscCall(MatCreateVecs(A, right, left));
	PetscCall(fill(*right));
	PetscCall(fill(*left));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscScalar with_phase(double value, PetscInt k)
{
#ifdef PETSC_USE_COMPLEX
	return PetscCMPLX(value, value * (double)(k % 5 - 2) / 4);
#else
	(void)k;
	return value;
#endif
}

int ranks(void)
{
	PetscMPIInt size;

	return MPI_Comm_size(PETSC_COMM_WORLD, &size) == MPI_SUCCESS ? size : 0;
}
