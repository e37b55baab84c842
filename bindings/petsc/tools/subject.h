/* subject.h -- the matrix of a benchmark, as its options ask for it. */
#ifndef TULLE_PETSC_SUBJECT_H
#define TULLE_PETSC_SUBJECT_H

#include <petscmat.h>

/* Of type AIJ: -file MATRIX, or 27 points in a cube of side -n, with values 26 and -1 or, -varied, all
 * different. -transpose: transposed. -order: which rank gets which rows, "natural" or a type of
 * MatPartitioning. */
PetscErrorCode tulle__petsc_subject(Mat *A);

#endif
