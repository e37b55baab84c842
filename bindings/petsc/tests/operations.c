/* operations.c -- every operation on PETSc's type and on tulle's, side by side.
 *
 *     mpiexec -n 2 test_petsc_operations -dll_append libtulle_petsc.so [-how type|option|plain] [-only NAME]
 *
 * type: matrices are made with the type aijtulle. option: they are PETSc's AIJ, and -mat_seqaij_type
 * gives their blocks tulle's. plain: both are PETSc's, to see that the test is right. Options such as -mat_tulle_format are the plugin's. */
#include "operations.h"

#include <string.h>

static const operation *const tables[] = { operations_values,   operations_arrays,
	                                       operations_shape,    operations_convert,
	                                       operations_products, operations_solve,
	                                       operations_queries };
static PetscBool by_option, by_type;
static int failures;

static PetscErrorCode fail(const char *name, const char *why)
{
	PetscFunctionBegin;
	failures++;
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "FAILED %s: %s\n", name, why));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether AIJ matrices made from now on are ours. */
static PetscErrorCode use_ours(PetscBool ours)
{
	PetscFunctionBegin;
	if (by_option && ours)
		PetscCall(PetscOptionsSetValue(NULL, "-mat_seqaij_type", "seqaijtulle"));
	else
		PetscCall(PetscOptionsClearValue(NULL, "-mat_seqaij_type"));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Six entries in most rows, at places all over the matrix; some rows are empty but for a diagonal. */
static PetscErrorCode make(PetscBool ours, Mat *A)
{
	const PetscInt n = 121;
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, n, n));
	PetscCall(MatSetType(*A, ours && by_type ? "aijtulle" : MATAIJ));
	PetscCall(MatSeqAIJSetPreallocation(*A, 12, NULL));
	PetscCall(MatMPIAIJSetPreallocation(*A, 12, NULL, 12, NULL));
	PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	for (PetscInt i = first; i < end; i++) {
		PetscCall(MatSetValue(*A, i, i, with_phase(10.0 + (double)(i % 3), i), INSERT_VALUES));
		for (PetscInt k = 1; i % 10 && k < 6; k++) {
			const PetscInt j = (i * (7 + k) + k * 13) % n;
			PetscCall(MatSetValue(*A, i, j, with_phase(1.0 / (double)(1 + (i + j) % 7), i + 2 * j),
			                      INSERT_VALUES));
		}
	}
	PetscCall(assemble(*A));
	PetscCall(multiply_once(*A));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static int wrong_parts;

static PetscErrorCode is_ours(Mat part)
{
	PetscBool is;

	PetscFunctionBegin;
	PetscCall(PetscObjectTypeCompare((PetscObject)part, "seqaijtulle", &is));
	wrong_parts += !is;
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Do to one of the two what the operation does. */
static PetscErrorCode run(const operation *op, PetscBool ours, Mat *A, note_list *notes)
{
	PetscFunctionBegin;
	notes->count = 0;
	PetscCall(use_ours(ours));
	PetscCall(make(ours, A));
	PetscCall(op->body(A, notes));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode judge(const operation *op, Mat A[2], const note_list notes[2])
{
	const char *why;
	int here = notes_differ(&notes[0], &notes[1]), differ;

	PetscFunctionBegin;
	PetscCallMPI(MPI_Allreduce(&here, &differ, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
	if (differ)
		PetscCall(fail(op->name, "what it tells differs"));
	wrong_parts = 0;
	if (!(op->flags & PLAIN) && by_type)
		PetscCall(each_part(A[1], is_ours));
	if (wrong_parts)
		PetscCall(fail(op->name, "the result has parts of another type"));
	PetscCall(compare(A[0], A[1], op->flags, &why));
	if (why)
		PetscCall(fail(op->name, why));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode try(const operation *op)
{
	static note_list notes[2];
	Mat A[2] = { NULL, NULL };
	PetscErrorCode error[2];

	PetscFunctionBegin;
	PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
	for (int k = 0; k < 2; k++)
		error[k] = run(op, k ? PETSC_TRUE : PETSC_FALSE, &A[k], &notes[k]);
	PetscCall(PetscPopErrorHandler());
	if (error[0] != error[1]) {
		PetscCall(PetscPrintf(PETSC_COMM_WORLD, "error %d of PETSc's, %d of ours\n", (int)error[0],
		                      (int)error[1]));
		PetscCall(fail(op->name, "only one of them fails"));
	} else if (error[0]) {
		PetscCall(PetscPrintf(PETSC_COMM_WORLD, "both refuse (%d): %s\n", (int)error[0], op->name));
	} else {
		PetscCall(judge(op, A, notes));
		PetscCall(MatDestroy(&A[0]));
		PetscCall(MatDestroy(&A[1]));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* All that is not in this list must be the very function of PETSc's own type: then whatever is not
 * tried here cannot differ but through these. */
static PetscErrorCode same_table(void)
{
	static const MatOperation ours[2][5] = {
		{ MATOP_MULT, MATOP_MULT_ADD, MATOP_MULT_TRANSPOSE, MATOP_MULT_TRANSPOSE_ADD,
		  MATOP_CONVERT },
		{ MATOP_ASSEMBLY_END, MATOP_CONVERT, MATOP_CONVERT, MATOP_CONVERT, MATOP_CONVERT },
	};
	const int parallel = ranks() > 1;
	Mat A[2];

	PetscFunctionBegin;
	PetscCall(make(PETSC_FALSE, &A[0]));
	PetscCall(make(PETSC_TRUE, &A[1]));
	for (int op = 0; op < 145; op++) { /* as many as the shortest table of all versions has */
#if PETSC_VERSION_GE(3, 24, 0)
		PetscErrorCodeFn *f[2];
#else
		void (*f[2])(void);
#endif
		int expected = 0;
		for (int k = 0; k < 5; k++)
			expected |= ours[parallel][k] == (MatOperation)op;
		PetscCall(MatGetOperation(A[0], (MatOperation)op, &f[0]));
		PetscCall(MatGetOperation(A[1], (MatOperation)op, &f[1]));
		if (expected != (f[0] != f[1])) {
			PetscCall(PetscPrintf(PETSC_COMM_WORLD, "operation %d\n", op));
			PetscCall(fail("table of operations", "it is not PETSc's but for what is meant to be"));
		}
	}
	PetscCall(MatDestroy(&A[0]));
	PetscCall(MatDestroy(&A[1]));
	PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
	char how[16] = "type", only[128] = "";
	PetscBool one;
	int tried = 0;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-how", how, sizeof how, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-only", only, sizeof only, &one));
	by_option = strcmp(how, "option") == 0;
	by_type = strcmp(how, "type") == 0;
	if (by_type)
		PetscCall(same_table());
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		for (const operation *op = tables[t]; op->name; op++) {
			if ((one && strcmp(op->name, only) != 0) || (op->flags & SEQUENTIAL && ranks() > 1))
				continue;
			PetscCall(try(op));
			tried++;
		}
	}
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d operations, %d failures\n", tried, failures));
	PetscCall(PetscFinalize());
	return failures || tried == 0;
}
