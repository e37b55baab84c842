/* grid.h -- the entries of five points on a grid, one by one as an ordinary PETSc program sets them. */
#ifndef TULLE_PETSC_GRID_H
#define TULLE_PETSC_GRID_H

#include <petscmat.h>

/* What a point has for itself and its neighbours. */
typedef struct {
	double vertical, left, right;
	double own, uneven; /* point p has own + uneven * (p % 3) */
} grid_points;

/* Preallocate and assemble A, whose type and sizes (m n) are set, for m lines of n points. */
PetscErrorCode grid_assemble(Mat A, PetscInt m, PetscInt n, grid_points points);

#endif
