/* compare.c -- whether a matrix of tulle's type is what PETSc's own would be.
 *
 * Entries must have the same bits. Sums may be added up in another order: with k terms either result
 * is off by at most gamma(k) (|b| + |A||x|), gamma(k) = k u / (1 - k u), so they differ by twice that
 * (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Each part of a complex sum is a sum of twice as
 * many real terms, which add up to at most |A||x| (Cauchy and Schwarz); both parts together: sqrt(2) times as much. */
#include "operations.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- notes ---- */

static uint64_t bits(double value)
{
	uint64_t same;

	memcpy(&same, &value, sizeof same);
	return same;
}

static int note_differs(const note_list *a, const note_list *b, int k, double scale)
{
	if (a->near[k] != b->near[k])
		return 1;
	if (a->near[k])
		return !(fabs(a->value[k] - b->value[k]) <= NEAR * scale);
	return bits(a->value[k]) != bits(b->value[k]);
}

int notes_differ(const note_list *plain, const note_list *ours)
{
	double scale = 0;

	if (plain->count != ours->count)
		return 1;
	for (int k = 0; k < plain->count; k++)
		if (plain->near[k])
			scale = fmax(scale, fabs(plain->value[k]));
	for (int k = 0; k < plain->count; k++)
		if (note_differs(plain, ours, k, scale))
			return 1;
	return 0;
}

static PetscErrorCode anywhere(int here, int *result)
{
	PetscFunctionBegin;
	PetscCallMPI(MPI_Allreduce(&here, result, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- entries ---- */

/* As AIJ, whose rows can be read: itself, or a copy. */
static PetscErrorCode readable(Mat A, Mat *B)
{
	PetscBool is;

	PetscFunctionBegin;
	PetscCall(PetscObjectTypeCompareAny((PetscObject)A, &is, MATSEQAIJ, MATMPIAIJ, "seqaijtulle",
	                                    "mpiaijtulle", ""));
	if (is) {
		PetscCall(PetscObjectReference((PetscObject)A));
		*B = A;
	} else {
		PetscCall(MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, B));
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode entries_differ(Mat plain, Mat ours, int flags, int *differ)
{
	static note_list left, right;

	PetscFunctionBegin;
	left.count = right.count = 0;
	PetscCall(note_matrix(&left, plain));
	PetscCall(note_matrix(&right, ours));
	if (flags & NEAR_ENTRIES) {
		memset(left.near, 1, sizeof left.near);
		memset(right.near, 1, sizeof right.near);
	}
	PetscCall(anywhere(notes_differ(&left, &right), differ));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- products ---- */

static PetscScalar element(PetscInt i)
{
	return with_phase((double)((i * 37) % 23) / 7 - 1.5, i);
}

static PetscErrorCode fill(Vec v)
{
	PetscInt first, end;

	PetscFunctionBegin;
	PetscCall(VecGetOwnershipRange(v, &first, &end));
	for (PetscInt i = first; i < end; i++)
		PetscCall(VecSetValue(v, i, element(i), INSERT_VALUES));
	PetscCall(VecAssemblyBegin(v));
	PetscCall(VecAssemblyEnd(v));
	PetscFunctionReturn(PETSC_SUCCESS);
}

#define PARTS (PetscDefined(USE_COMPLEX) ? 2.0 : 1.0) /* of a scalar */

/* For each element of the result how far it may be off: all products of one kind have b, too. */
static PetscErrorCode bounds(Mat A, int transposed, Vec *bound)
{
	Vec terms, right, left;
	PetscInt first, end, count;
	const PetscInt *col;
	const PetscScalar *val;
	PetscScalar *k, *sum;

	PetscFunctionBegin;
	PetscCall(MatCreateVecs(A, &right, &left));
	*bound = transposed ? right : left;
	PetscCall(VecDestroy(transposed ? &left : &right));
	PetscCall(VecDuplicate(*bound, &terms));
	PetscCall(MatGetOwnershipRange(A, &first, &end));
	for (PetscInt i = first; i < end; i++) {
		PetscCall(MatGetRow(A, i, &count, &col, &val));
		for (PetscInt l = 0; l < count; l++) {
			const PetscInt to = transposed ? col[l] : i;
			const double x = PetscAbsScalar(element(transposed ? i : col[l]));
			PetscCall(VecSetValue(*bound, to, PetscAbsScalar(val[l]) * x, ADD_VALUES));
			PetscCall(VecSetValue(terms, to, 1.0, ADD_VALUES));
		}
		PetscCall(MatRestoreRow(A, i, &count, &col, &val));
	}
	PetscCall(VecAssemblyBegin(*bound));
	PetscCall(VecAssemblyEnd(*bound));
	PetscCall(VecAssemblyBegin(terms));
	PetscCall(VecAssemblyEnd(terms));
	PetscCall(VecGetOwnershipRange(*bound, &first, &end));
	PetscCall(VecGetArray(*bound, &sum));
	PetscCall(VecGetArray(terms, &k));
	for (PetscInt i = 0; i < end - first; i++) {
		/* each rank adds its part, and b is a term, too */
		const double terms_of_part = PARTS * (PetscRealPart(k[i]) + ranks() + 2);
		const double n = terms_of_part * DBL_EPSILON / 2;
		sum[i] = sqrt(PARTS) * 2 * n / (1 - n) * (sum[i] + PetscAbsScalar(element(first + i)));
	}
	PetscCall(VecRestoreArray(terms, &k));
	PetscCall(VecRestoreArray(*bound, &sum));
	PetscCall(VecDestroy(&terms));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* A^H is A^T in real PETSc */
enum { OPERATIONS = PetscDefined(USE_COMPLEX) ? 3 : 2 };
enum { MULT, MULT_ADD, MULT_ADD_IN_PLACE };

/* z = b + op(A) x, by the function of PETSc that says so. */
static PetscErrorCode call(Mat A, int op, Vec x, Vec b, Vec z)
{
	static PetscErrorCode (*const mult[])(Mat, Vec, Vec) = { MatMult, MatMultTranspose,
		                                                     MatMultHermitianTranspose };
	static PetscErrorCode (*const mult_add[])(
	    Mat, Vec, Vec, Vec) = { MatMultAdd, MatMultTransposeAdd, MatMultHermitianTransposeAdd };

	return b ? mult_add[op](A, x, b, z) : mult[op](A, x, z);
}

static PetscErrorCode multiply(Mat A, int op, int kind, Vec *z)
{
	const int transposed = op != 0;
	Vec right, left, x, b;

	PetscFunctionBegin;
	PetscCall(MatCreateVecs(A, &right, &left));
	x = transposed ? left : right;
	*z = transposed ? right : left;
	PetscCall(VecDuplicate(*z, &b));
	PetscCall(fill(x));
	PetscCall(fill(b));
	if (kind == MULT_ADD_IN_PLACE)
		PetscCall(VecCopy(b, *z));
	else
		PetscCall(VecSet(*z, NAN)); /* must not be read */
	PetscCall(call(A, op, x, kind == MULT ? NULL : kind == MULT_ADD ? b : *z, *z));
	PetscCall(VecDestroy(&b));
	PetscCall(VecDestroy(transposed ? &left : &right));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode beyond(Vec a, Vec b, Vec bound, int *differ)
{
	const PetscScalar *as, *bs, *bounds;
	PetscInt n;
	int here = 0;

	PetscFunctionBegin;
	PetscCall(VecGetLocalSize(a, &n));
	PetscCall(VecGetArrayRead(a, &as));
	PetscCall(VecGetArrayRead(b, &bs));
	PetscCall(VecGetArrayRead(bound, &bounds));
	for (PetscInt i = 0; i < n; i++)
		here |= !(PetscAbsScalar(as[i] - bs[i]) <= PetscRealPart(bounds[i]));
	PetscCall(VecRestoreArrayRead(bound, &bounds));
	PetscCall(VecRestoreArrayRead(b, &bs));
	PetscCall(VecRestoreArrayRead(a, &as));
	PetscCall(anywhere(here, differ));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode products_differ(Mat plain, Mat ours, int op, int kind, int *differ)
{
	Vec expected, got, bound;

	PetscFunctionBegin;
	PetscCall(bounds(plain, op != 0, &bound));
	PetscCall(multiply(plain, op, kind, &expected));
	PetscCall(multiply(ours, op, kind, &got));
	PetscCall(beyond(expected, got, bound, differ));
	PetscCall(VecDestroy(&expected));
	PetscCall(VecDestroy(&got));
	PetscCall(VecDestroy(&bound));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode compare_products(Mat plain, Mat ours, const char **why)
{
	static const char *const words[3][3] = {
		{ "MatMult is beyond the bound", "MatMultAdd is beyond the bound",
		  "MatMultAdd in place is beyond the bound" },
		{ "MatMultTranspose is beyond the bound", "MatMultTransposeAdd is beyond the bound",
		  "MatMultTransposeAdd in place is beyond the bound" },
		{ "MatMultHermitianTranspose is beyond the bound",
		  "MatMultHermitianTransposeAdd is beyond the bound",
		  "MatMultHermitianTransposeAdd in place is beyond the bound" },
	};
	int differ;

	PetscFunctionBegin;
	*why = NULL;
	for (int op = 0; !*why && op < OPERATIONS; op++) {
		for (int kind = 0; !*why && kind < 3; kind++) {
			PetscCall(products_differ(plain, ours, op, kind, &differ));
			if (differ)
				*why = words[op][kind];
		}
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Products are compared with those of the readable copy: what PETSc's other types make of A^T x is not
 * for us to judge. */
PetscErrorCode compare(Mat plain, Mat ours, int flags, const char **why)
{
	Mat a, b;
	int differ;

	PetscFunctionBegin;
	PetscCall(readable(plain, &a));
	PetscCall(readable(ours, &b));
	PetscCall(entries_differ(a, b, flags, &differ));
	if (differ)
		*why = "entries differ";
	else
		PetscCall(compare_products(a, b, why));
	PetscCall(MatDestroy(&a));
	PetscCall(MatDestroy(&b));
	PetscFunctionReturn(PETSC_SUCCESS);
}
