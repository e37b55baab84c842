/* partition.h -- which rank gets which rows, by one of PETSc's partitioners. */
#ifndef TULLE_PETSC_PARTITION_H
#define TULLE_PETSC_PARTITION_H

#include <petscmat.h>

/* The rows that this rank gets, by their numbers in A, which is square: rows that are connected by entries, in
 * either direction, come to one rank. `order`: a type of MatPartitioning, "ptscotch". */
PetscErrorCode tulle__petsc_partition(Mat A, const char *order, IS *node);

#endif
