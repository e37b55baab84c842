/* subject.c -- the matrix of a benchmark, as its options ask for it. */
#include "tools/subject.h"

#include <stdint.h>

#include "plugin.h"
#include "tools/load.h"
#include "tools/partition.h"

/* Between -1.1 and -1, the same for both of a pair. */
static double coupling(PetscInt a, PetscInt b)
{
	const uint64_t pair =
	    (uint64_t)(a + b) * 2654435761U + (uint64_t)(a > b ? a - b : b - a) * 40503U;

	return -1 - 0.1 * (double)(pair % 1000003) / 1000003;
}

static PetscErrorCode cube(PetscInt n, PetscBool varied, Mat *A)
{
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(MatCreate(PETSC_COMM_WORLD, A));
	PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, n * n * n, n * n * n));
	PetscCall(MatSetType(*A, MATAIJ));
	PetscCall(MatSeqAIJSetPreallocation(*A, 27, NULL));
	PetscCall(MatMPIAIJSetPreallocation(*A, 27, NULL, 18, NULL));
	PetscCall(MatGetOwnershipRange(*A, &first, &end));
	for (PetscInt row = first; row < end; row++) {
		const PetscInt i = row % n, j = row / n % n, k = row / n / n;
		PetscInt cols[27], count = 0;
		PetscScalar values[27];
		for (PetscInt c = PetscMax(k - 1, 0); c <= PetscMin(k + 1, n - 1); c++) {
			for (PetscInt b = PetscMax(j - 1, 0); b <= PetscMin(j + 1, n - 1); b++) {
				for (PetscInt a = PetscMax(i - 1, 0); a <= PetscMin(i + 1, n - 1); a++) {
					cols[count] = (c * n + b) * n + a;
					values[count] = cols[count] == row ? (varied ? 27.4 : 26.0)
					                : varied           ? coupling(row, cols[count])
					                                   : -1.0;
					count++;
				}
			}
		}
		PetscCall(MatSetValues(*A, 1, &row, count, cols, values, INSERT_VALUES));
	}
	PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows and columns of A in the order of a partitioning. */
static PetscErrorCode permute(const char *order, Mat *A)
{
	IS rows;
	Mat B;

	PetscFunctionBegin;
	PetscCall(tulle__petsc_partition(*A, order, &rows));
	PetscCall(MatCreateSubMatrix(*A, rows, rows, MAT_INITIAL_MATRIX, &B));
	PetscCall(ISDestroy(&rows));
	PetscCall(MatDestroy(A));
	*A = B;
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_subject(Mat *A)
{
	char file[PETSC_MAX_PATH_LEN], order[64] = "natural";
	PetscBool from_file, varied = PETSC_FALSE, transposed = PETSC_FALSE, natural;
	PetscInt n = 128;

	PetscFunctionBegin;
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
	PetscCall(PetscOptionsGetBool(NULL, NULL, "-varied", &varied, NULL));
	PetscCall(PetscOptionsGetBool(NULL, NULL, "-transpose", &transposed, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-file", file, sizeof file, &from_file));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-order", order, sizeof order, NULL));
	if (from_file)
		PetscCall(tulle__petsc_load(file, MATAIJ, A));
	else
		PetscCall(cube(n, varied, A));
	if (transposed)
		PetscCall(MatTranspose(*A, MAT_INPLACE_MATRIX, A));
	PetscCall(PetscStrcmp(order, "natural", &natural));
	if (!natural)
		PetscCall(permute(order, A));
	PetscFunctionReturn(PETSC_SUCCESS);
}
