/* product.c -- products of sequential matrices, AIJ and BAIJ. */
#include <string.h>

#include "plugin.h"
#include "scalar.h"

/* z = b + the sums of the rows that have entries. */
static void spread(const tulle_petsc_block *block, const PetscScalar *b, PetscScalar *z)
{
	const PetscInt size = block->arrays.size;

	if (!b)
		memset(z, 0, (size_t)block->m * sizeof *z);
	else if (b != z)
		memcpy(z, b, (size_t)block->m * sizeof *z);
	for (PetscInt k = 0; k < block->rows; k++)
		for (PetscInt l = 0; l < size; l++)
			z[block->row[k] * size + l] += block->part[k * size + l];
}

/* The elements of x for rows that have entries. */
static void gather(const tulle_petsc_block *block, const PetscScalar *x)
{
	const PetscInt size = block->arrays.size;

	for (PetscInt k = 0; k < block->rows; k++)
		for (PetscInt l = 0; l < size; l++)
			block->part[k * size + l] = x[block->row[k] * size + l];
}

/* z = b + op(A) x; b may be z, or NULL for nothing. */
static PetscErrorCode multiply(const tulle_petsc_block *block, tulle_op op, const PetscScalar *x,
                               const PetscScalar *b, PetscScalar *z)
{
	const tulle_plan *plan = block->way[op].plan;

	PetscFunctionBegin;
	if (!block->row) {
		TulleCall(tulle__petsc_mul_add(plan, x, b, z));
	} else if (op == TULLE_NORMAL) {
		TulleCall(tulle__petsc_mul_add(plan, x, NULL, block->part));
		spread(block, b, z);
	} else {
		gather(block, x);
		TulleCall(tulle__petsc_mul_add(plan, block->part, b, z));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_plain_product(Mat A, const tulle_petsc_plain *plain, Vec x, Vec y,
                                          Vec z)
{
	return y ? ((PetscErrorCode(*)(Mat, Vec, Vec, Vec))plain->mult_add)(A, x, y, z)
	         : ((PetscErrorCode(*)(Mat, Vec, Vec))plain->mult)(A, x, z);
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
	if (!block->way[op].plan) {
		/* PETSc's product for the general size of blocks leaves z as it is where a block row is empty */
		if (!y && block->rows < block->m / block->arrays.size)
			PetscCall(VecZeroEntries(z));
		PetscCall(tulle__petsc_plain_product(A, &block->plain[op], x, y, z));
		PetscFunctionReturn(PETSC_SUCCESS);
	}
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
	/* as PETSc counts them */
	PetscCall(PetscLogFlops(
	    2.0 * tulle__petsc_entries(block) -
	    (y || op == TULLE_TRANSPOSED ? 0.0 : (double)block->rows * (double)block->arrays.size)));
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

/* ---- the table of operations ---- */

static const MatOperation entry[2][2] = { { MATOP_MULT, MATOP_MULT_ADD },
	                                      { MATOP_MULT_TRANSPOSE, MATOP_MULT_TRANSPOSE_ADD } };

PetscErrorCode tulle__petsc_get_products(Mat A, tulle_petsc_plain plain[2])
{
	PetscFunctionBegin;
	for (int op = 0; op < 2; op++) {
		PetscCall(MatGetOperation(A, entry[op][0], &plain[op].mult));
		PetscCall(MatGetOperation(A, entry[op][1], &plain[op].mult_add));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_reset_products(Mat A, const tulle_petsc_plain plain[2])
{
	PetscFunctionBegin;
	for (int op = 0; op < 2; op++) {
		PetscCall(MatSetOperation(A, entry[op][0], plain[op].mult));
		PetscCall(MatSetOperation(A, entry[op][1], plain[op].mult_add));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_set_products(Mat A)
{
	const tulle_petsc_plain ours[2] = {
		{ (tulle_petsc_function)mult, (tulle_petsc_function)mult_add },
		{ (tulle_petsc_function)mult_transpose, (tulle_petsc_function)mult_transpose_add },
	};

	return tulle__petsc_reset_products(A, ours);
}
