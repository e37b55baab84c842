/* solve.c -- one solve with each matrix type, side by side: time in MatMult and to the solution.
 *
 *     mpiexec -n 2 tulle-petsc-bench -dll_append libtulle_petsc.so [-n 128 [-varied] | -file MATRIX]
 *         -types aij,aijsell,aijtulle [-rounds 3] [KSP's options]
 *
 * -n: 27 points in a cube of that side; all 26 and -1, or -varied, all different. Each round converts the matrix to each type in turn, solves, and
 * destroys it. A line for each solve: MatMult's time is what -log_view shows, the slowest rank's, with
 * planning and conversion by tulle inside. */
#include <petscksp.h>
#include <petsctime.h>
#include <stdint.h>

#include "tools/load.h"

enum { TYPES = 8 };

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
	PetscFunctionReturn(0);
}

static PetscErrorCode slowest(double *seconds)
{
	PetscFunctionBegin;
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
	PetscFunctionReturn(0);
}

/* The right side is the same in every solve, and not smooth. */
static PetscErrorCode right_side(Vec b)
{
	PetscInt first, end;
	PetscScalar *v;

	PetscFunctionBegin;
	PetscCall(VecGetOwnershipRange(b, &first, &end));
	PetscCall(VecGetArrayWrite(b, &v));
	for (PetscInt i = first; i < end; i++)
		v[i - first] = 1.0 + (double)(i * 7 % 13) / 13;
	PetscCall(VecRestoreArrayWrite(b, &v));
	PetscFunctionReturn(0);
}

static PetscErrorCode solve(Mat plain, MatType type, PetscLogStage stage)
{
	PetscEventPerfInfo before, after;
	PetscLogEvent mult;
	PetscLogDouble begin, end;
	PetscInt iterations;
	double seconds, in_mult;
	Mat A;
	Vec x, b;
	KSP ksp;

	PetscFunctionBegin;
	PetscCall(MatConvert(plain, type, MAT_INITIAL_MATRIX, &A));
	PetscCall(MatCreateVecs(A, &x, &b));
	PetscCall(right_side(b));
	PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
	PetscCall(KSPSetOperators(ksp, A, A));
	PetscCall(KSPSetFromOptions(ksp));
	PetscCall(KSPSetUp(ksp));
	PetscCall(PetscLogEventGetId("MatMult", &mult));
	PetscCall(PetscLogEventGetPerfInfo(stage, mult, &before));
	PetscCall(PetscLogStagePush(stage));
	PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
	PetscCall(PetscTime(&begin));
	PetscCall(KSPSolve(ksp, b, x));
	PetscCall(PetscTime(&end));
	PetscCall(PetscLogStagePop());
	PetscCall(PetscLogEventGetPerfInfo(stage, mult, &after));
	PetscCall(KSPGetIterationNumber(ksp, &iterations));
	seconds = end - begin;
	in_mult = after.time - before.time;
	PetscCall(slowest(&seconds));
	PetscCall(slowest(&in_mult));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD,
	                      "%s iterations %d products %d matmult %.6f solve %.6f\n", type,
	                      (int)iterations, (int)(after.count - before.count), in_mult, seconds));
	PetscCall(KSPDestroy(&ksp));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscCall(MatDestroy(&A));
	PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
	char file[PETSC_MAX_PATH_LEN], *types[TYPES] = { NULL };
	PetscInt n = 128, rounds = 3, count = TYPES;
	PetscLogStage stage[TYPES];
	PetscBool from_file, given, varied = PETSC_FALSE;
	Mat A;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(PetscLogDefaultBegin());
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &rounds, NULL));
	PetscCall(PetscOptionsGetBool(NULL, NULL, "-varied", &varied, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-file", file, sizeof file, &from_file));
	PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-types", types, &count, &given));
	PetscCheck(given && count > 0, PETSC_COMM_WORLD, PETSC_ERR_USER, "wanted: -types aij,aijtulle");
	if (from_file)
		PetscCall(tulle__petsc_load(file, MATAIJ, &A));
	else
		PetscCall(cube(n, varied, &A));
	for (PetscInt t = 0; t < count; t++)
		PetscCall(PetscLogStageRegister(types[t], &stage[t]));
	for (PetscInt r = 0; r < rounds; r++)
		for (PetscInt t = 0; t < count; t++)
			PetscCall(solve(A, types[t], stage[t]));
	for (PetscInt t = 0; t < count; t++)
		PetscCall(PetscFree(types[t]));
	PetscCall(MatDestroy(&A));
	PetscCall(PetscFinalize());
	return 0;
}
