/* block.c -- what tulle keeps beside a sequential matrix, and how it sees that the matrix changed. */
#include "plugin.h"
#include "scalar.h"

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

static PetscErrorCode aij_arrays(Mat A, tulle_petsc_arrays *arrays)
{
	PetscScalar *a;

	PetscFunctionBegin;
	PetscCall(MatSeqAIJGetCSRAndMemType(A, &arrays->i, &arrays->j, &a, NULL));
	arrays->a = a;
	arrays->size = 1;
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(Mat A, tulle_petsc_block **block)
{
	PetscContainer container;
	PetscBool baij;

	PetscFunctionBegin;
	PetscCall(PetscNew(block));
	PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQBAIJTULLE, &baij));
	(*block)->read = baij ? tulle__petsc_baij_arrays : aij_arrays;
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
	const PetscInt *i = block->arrays.i, m = block->m / block->arrays.size;

	PetscFunctionBegin;
	PetscCall(PetscFree3(block->row, block->offset, block->part));
	block->rows = 0;
	for (PetscInt r = 0; r < m; r++)
		block->rows += i[r + 1] > i[r];
	if ((double)(m - block->rows) < EMPTY_SHARE * (double)m || m == 0)
		PetscFunctionReturn(PETSC_SUCCESS);
	const PetscInt elements = block->rows * block->arrays.size;
	PetscCall(PetscMalloc3(block->rows, &block->row, block->rows + 1, &block->offset, elements,
	                       &block->part));
	block->offset[0] = 0;
	for (PetscInt r = 0, k = 0; r < m; r++) {
		if (i[r + 1] == i[r])
			continue;
		block->row[k++] = r;
		block->offset[k] = i[r + 1];
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Describe the arrays to tulle. They are PETSc's own, checked by PETSc, and nothing is copied. */
static PetscErrorCode borrow(tulle_petsc_block *block)
{
	const tulle_index_type type = sizeof(PetscInt) == 8 ? TULLE_I64 : TULLE_I32;
	const tulle_matrix_options options = { .size = sizeof options, .check = TULLE_CHECK_NONE };
	const tulle_petsc_arrays *arrays = &block->arrays;
	const PetscInt size = arrays->size;
	tulle_context *context;

	PetscFunctionBegin;
	PetscCall(tulle__petsc_context(&context));
	tulle_matrix_destroy(block->matrix);
	block->matrix = NULL;
	TulleCall(tulle_matrix_from_bsr(context, block->row ? block->rows : block->m / size,
	                                block->n / size, size, size, TULLE_COLUMN_MAJOR, type,
	                                block->row ? block->offset : arrays->i, type, arrays->j,
	                                TULLE_PETSC_TYPE, arrays->a, &options, &block->matrix));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool same_pattern(const tulle_petsc_arrays *one, const tulle_petsc_arrays *other)
{
	return one->i == other->i && one->j == other->j && one->size == other->size;
}

/* PETSc counts changes of an object, and apart from them those of its pattern. The addresses are part
 * of the key because an operation in place may put other arrays under the same object. */
static PetscErrorCode follow(Mat A, tulle_petsc_block *block, const tulle_petsc_arrays *arrays,
                             PetscObjectState state)
{
	PetscObjectState pattern;
	PetscInt m, n, nz;

	PetscFunctionBegin;
	PetscCall(MatGetNonzeroState(A, &pattern));
	PetscCall(MatGetLocalSize(A, &m, &n));
	nz = arrays->i[m / arrays->size];
	const PetscBool same = same_pattern(&block->arrays, arrays) && block->pattern == pattern &&
	                       block->m == m && block->n == n && block->nz == nz;
	block->arrays = *arrays;
	if (same && block->matrix) {
		PetscCall(borrow(block));
		PetscCall(tulle__petsc_update(A, block));
	} else {
		block->pattern = pattern;
		block->m = m;
		block->n = n;
		block->nz = nz;
		if (arrays->size > 1)
			PetscCall(tulle__petsc_baij_plain(A, block->plain));
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
	tulle_petsc_arrays arrays;

	PetscFunctionBegin;
	PetscCall(PetscObjectQuery((PetscObject)A, KEY, (PetscObject *)&container));
	if (PetscLikely(container != NULL))
		PetscCall(PetscContainerGetPointer(container, (void **)&block));
	else
		PetscCall(create(A, &block));
	PetscCall(PetscObjectStateGet((PetscObject)A, &state));
	PetscCall(block->read(A, &arrays));
	if (PetscUnlikely(block->state != state || !same_pattern(&block->arrays, &arrays) ||
	                  block->arrays.a != arrays.a))
		PetscCall(follow(A, block, &arrays, state));
	*out = block;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_block_drop(Mat A)
{
	PetscFunctionBegin;
	PetscCall(PetscObjectCompose((PetscObject)A, KEY, NULL));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_block_touch(Mat A)
{
	PetscContainer container;
	tulle_petsc_block *block;

	PetscFunctionBegin;
	PetscCall(PetscObjectQuery((PetscObject)A, KEY, (PetscObject *)&container));
	if (container) {
		PetscCall(PetscContainerGetPointer(container, (void **)&block));
		block->state = -1; /* no object has it */
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

double tulle__petsc_entries(const tulle_petsc_block *block)
{
	return (double)block->nz * (double)block->arrays.size * (double)block->arrays.size;
}
