/* overlap.c -- products whose exchange of ghosts runs beside the local part, and products that do both in turn.
 *
 *     mpiexec -n 2 tulle-petsc-overlap -dll_append libtulle_petsc.so [options of tools/subject.h]
 *         [-type aijtulle] [-products 50] [-rounds 5]
 *
 * MatMult() of PETSc's MPIAIJ begins the exchange, multiplies by the diagonal block, waits for the ghosts and
 * multiplies by the other block. A line for each round: the seconds of such a product, of one that waits before it
 * multiplies, and of the exchange alone; the slowest rank's. */
#include <petscmat.h>
#include <petsctime.h>

#include "plugin.h"
#include "tools/subject.h"

typedef struct {
	Mat A, diagonal, off;
	Vec x, y, ghosts, own_x, own_y;
	VecScatter scatter;
} parts;

static PetscErrorCode create(Mat A, parts *p)
{
	const PetscInt *columns;
	PetscInt count;
	IS from;

	PetscFunctionBegin;
	p->A = A;
	PetscCall(MatMPIAIJGetSeqAIJ(A, &p->diagonal, &p->off, &columns));
	PetscCall(MatCreateVecs(A, &p->x, &p->y));
	PetscCall(VecSet(p->x, 1.0));
	PetscCall(VecCreateLocalVector(p->x, &p->own_x));
	PetscCall(VecCreateLocalVector(p->y, &p->own_y));
	PetscCall(MatGetSize(p->off, NULL, &count));
	PetscCall(VecCreateSeq(PETSC_COMM_SELF, count, &p->ghosts));
	PetscCall(ISCreateGeneral(PETSC_COMM_SELF, count, columns, PETSC_COPY_VALUES, &from));
	PetscCall(VecScatterCreate(p->x, from, p->ghosts, NULL, &p->scatter));
	PetscCall(ISDestroy(&from));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(parts *p)
{
	PetscFunctionBegin;
	PetscCall(VecScatterDestroy(&p->scatter));
	PetscCall(VecDestroy(&p->ghosts));
	PetscCall(VecDestroy(&p->own_x));
	PetscCall(VecDestroy(&p->own_y));
	PetscCall(VecDestroy(&p->x));
	PetscCall(VecDestroy(&p->y));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode overlapped(const parts *p)
{
	return MatMult(p->A, p->x, p->y);
}

static PetscErrorCode exchange(const parts *p)
{
	PetscFunctionBegin;
	PetscCall(VecScatterBegin(p->scatter, p->x, p->ghosts, INSERT_VALUES, SCATTER_FORWARD));
	PetscCall(VecScatterEnd(p->scatter, p->x, p->ghosts, INSERT_VALUES, SCATTER_FORWARD));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Blocks multiply vectors of one rank: views of the elements of x and y that it has. */
static PetscErrorCode in_turn(const parts *p)
{
	PetscFunctionBegin;
	PetscCall(exchange(p));
	PetscCall(VecGetLocalVectorRead(p->x, p->own_x));
	PetscCall(VecGetLocalVector(p->y, p->own_y));
	PetscCall(MatMult(p->diagonal, p->own_x, p->own_y));
	PetscCall(MatMultAdd(p->off, p->ghosts, p->own_y, p->own_y));
	PetscCall(VecRestoreLocalVector(p->y, p->own_y));
	PetscCall(VecRestoreLocalVectorRead(p->x, p->own_x));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is timed must be a product. */
static PetscErrorCode compare(const parts *p)
{
	PetscReal size, difference;
	Vec y;

	PetscFunctionBegin;
	PetscCall(overlapped(p));
	PetscCall(VecDuplicate(p->y, &y));
	PetscCall(VecCopy(p->y, y));
	PetscCall(in_turn(p));
	PetscCall(VecNorm(y, NORM_INFINITY, &size));
	PetscCall(VecAXPY(y, -1.0, p->y));
	PetscCall(VecNorm(y, NORM_INFINITY, &difference));
	PetscCall(VecDestroy(&y));
	PetscCheck(difference <= 1e-12 * size, PETSC_COMM_WORLD, PETSC_ERR_PLIB,
	           "the products differ by %g", (double)difference);
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode seconds(const parts *p, PetscErrorCode (*what)(const parts *), PetscInt times,
                              double *each)
{
	PetscLogDouble begin, end;

	PetscFunctionBegin;
	PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
	PetscCall(PetscTime(&begin));
	for (PetscInt k = 0; k < times; k++)
		PetscCall(what(p));
	PetscCall(PetscTime(&end));
	*each = (end - begin) / (double)times;
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, each, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
	PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
	PetscErrorCode (*const what[])(const parts *) = { overlapped, in_turn, exchange };
	char type[64] = MATAIJTULLE;
	PetscInt products = 50, rounds = 5;
	PetscMPIInt size;
	parts p;
	Mat A;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-type", type, sizeof type, NULL));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-products", &products, NULL));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &rounds, NULL));
	PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
	PetscCheck(size > 1, PETSC_COMM_WORLD, PETSC_ERR_USER, "one rank has no ghosts; run several");
	PetscCall(tulle__petsc_subject(&A));
	PetscCall(MatConvert(A, type, MAT_INPLACE_MATRIX, &A));
	PetscCall(create(A, &p));
	PetscCall(compare(&p));
	for (PetscInt r = 0; r < rounds; r++) {
		double each[3];
		for (int k = 0; k < 3; k++)
			PetscCall(seconds(&p, what[k], products, &each[k]));
		PetscCall(PetscPrintf(PETSC_COMM_WORLD, "overlapped %.9f in_turn %.9f exchange %.9f\n",
		                      each[0], each[1], each[2]));
	}
	PetscCall(destroy(&p));
	PetscCall(MatDestroy(&A));
	PetscCall(PetscFinalize());
	return 0;
}
