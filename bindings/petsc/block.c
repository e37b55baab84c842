/* block.c -- what tulle keeps beside a sequential matrix, and how it sees that the matrix changed. */
#include "plugin.h"

/* The block hangs on the matrix as a composed object, so PETSc destroys it with the matrix. */
#define KEY "tulle_block"

/* PETSc itself leaves out empty rows from this share on. */
#define EMPTY_SHARE 0.6

static PetscErrorCode destroy(tulle_petsc_content content)
{
	tulle_petsc_block *block = TULLE_PETSC_CONTENT(content);

	PetscFunctionBegin;
	if (block->options.view)
		PetscCall(tulle__petsc_view_end(block));
	tulle__petsc_forget(block);
	PetscCall(PetscFree3(block->row, block->offset, block->part));
	PetscCall(PetscFree(block));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(Mat A, tulle_petsc_block **block)
{
	PetscContainer container;

	PetscFunctionBegin;
	PetscCall(PetscNew(block));
	PetscCall(tulle__petsc_options(A, &(*block)->options));
	PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
	PetscCall(PetscContainerSetPointer(container, *block));
	PetscCall(TULLE_PETSC_SET_DESTROY(container, destroy));
	PetscCall(PetscObjectCompose((PetscObject)A, KEY, (PetscObject)container));
	PetscCall(PetscContainerDestroy(&container)); /* the matrix holds it */
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only rows with entries, if most have none. Columns and values stay PETSc's: empty rows have none. */
static PetscErrorCode leave_out_empty_rows(tulle_petsc_block *block)
{
	PetscFunctionBegin;
	PetscCall(PetscFree3(block->row, block->offset, block->part));
	block->rows = 0;
	for (PetscInt r = 0; r < block->m; r++)
		block->rows += block->i[r + 1] > block->i[r];
	if ((double)(block->m - block->rows) < EMPTY_SHARE * (double)block->m || block->m == 0)
		PetscFunctionReturn(PETSC_SUCCESS);
	PetscCall(PetscMalloc3(block->rows, &block->row, block->rows + 1, &block->offset, block->rows,
	                       &block->part));
	block->offset[0] = 0;
	for (PetscInt r = 0, k = 0; r < block->m; r++) {
		if (block->i[r + 1] == block->i[r])
			continue;
		block->row[k++] = r;
		block->offset[k] = block->i[r + 1];
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Describe the arrays to tulle. They are PETSc's own, checked by PETSc, and nothing is copied. */
static PetscErrorCode borrow(tulle_petsc_block *block)
{
	const tulle_index_type type = sizeof(PetscInt) == 8 ? TULLE_I64 : TULLE_I32;
	const tulle_matrix_options options = { .size = sizeof options, .check = TULLE_CHECK_NONE };
	tulle_context *context;

	PetscFunctionBegin;
	PetscCall(tulle__petsc_context(&context));
	tulle_matrix_destroy(block->matrix);
	block->matrix = NULL;
	TulleCall(tulle_matrix_from_csr(context, block->row ? block->rows : block->m, block->n, type,
	                                block->row ? block->offset : block->i, type, block->j,
	                                TULLE_F64, block->a, &options, &block->matrix));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc counts changes of an object, and apart from them those of its pattern. The addresses are part
 * of the key because an operation in place may put other arrays under the same object. */
static PetscErrorCode follow(Mat A, tulle_petsc_block *block, const PetscInt *i, const PetscInt *j,
                             const PetscScalar *a, PetscObjectState state)
{
	PetscObjectState pattern;
	PetscInt m, n;

	PetscFunctionBegin;
	PetscCall(MatGetNonzeroState(A, &pattern));
	PetscCall(MatGetLocalSize(A, &m, &n));
	const PetscBool same = block->i == i && block->j == j && block->pattern == pattern &&
	                       block->m == m && block->n == n && block->nz == i[m];
	block->i = i;
	block->j = j;
	block->a = a;
	if (same && block->matrix) {
		PetscCall(borrow(block));
		PetscCall(tulle__petsc_update(A, block));
	} else {
		block->pattern = pattern;
		block->m = m;
		block->n = n;
		block->nz = i[m];
		tulle__petsc_forget(block);
		PetscCall(leave_out_empty_rows(block));
		PetscCall(borrow(block));
	}
	block->state = state;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_block(Mat A, tulle_petsc_block **out)
{
	PetscContainer container;
	tulle_petsc_block *block;
	PetscObjectState state;
	const PetscInt *i, *j;
	PetscScalar *a;

	PetscFunctionBegin;
	PetscCall(PetscObjectQuery((PetscObject)A, KEY, (PetscObject *)&container));
	if (PetscLikely(container != NULL))
		PetscCall(PetscContainerGetPointer(container, (void **)&block));
	else
		PetscCall(create(A, &block));
	PetscCall(PetscObjectStateGet((PetscObject)A, &state));
	PetscCall(MatSeqAIJGetCSRAndMemType(A, &i, &j, &a, NULL));
	if (PetscUnlikely(block->state != state || block->i != i || block->j != j || block->a != a))
		PetscCall(follow(A, block, i, j, a, state));
	*out = block;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_block_drop(Mat A)
{
	PetscFunctionBegin;
	PetscCall(PetscObjectCompose((PetscObject)A, KEY, NULL));
	PetscFunctionReturn(PETSC_SUCCESS);
}
