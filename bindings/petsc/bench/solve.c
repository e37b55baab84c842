/* solve.c -- one solve with each matrix type, side by side: time in MatMult and to the solution.
 *
 *     mpiexec -n 2 tulle-petsc-bench -dll_append libtulle_petsc.so [options of tools/subject.h]
 *         -types aij,aijsell,aijtulle [-rounds 3] [-warm_up] [KSP's options]
 *
 * Each round converts the matrix to each type in turn, solves, and
 * destroys it. A line for each solve: MatMult's time is what -log_view shows, the slowest rank's, with
 * planning and conversion by tulle inside, unless a product before it, -warm_up, has planned. */
#include <petscksp.h>
#include <petsctime.h>

#include "tools/subject.h"

enum { TYPES = 8 };

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
	PetscBool warm_up;
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
	PetscCall(PetscOptionsHasName(NULL, NULL, "-warm_up", &warm_up));
	if (warm_up) {
		PetscCall(MatMult(A, b, x));
		PetscCall(VecZeroEntries(x));
	}
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
	char *types[TYPES] = { NULL };
	PetscInt rounds = 3, count = TYPES;
	PetscLogStage stage[TYPES];
	PetscBool given;
	Mat A;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(PetscLogDefaultBegin());
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &rounds, NULL));
	PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-types", types, &count, &given));
	PetscCheck(given && count > 0, PETSC_COMM_WORLD, PETSC_ERR_USER, "wanted: -types aij,aijtulle");
	PetscCall(tulle__petsc_subject(&A));
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
