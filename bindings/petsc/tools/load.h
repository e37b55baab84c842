/* load.h -- matrices from files, for the programs beside the plugin. */
#ifndef TULLE_PETSC_LOAD_H
#define TULLE_PETSC_LOAD_H

#include <petscmat.h>

/* A matrix of `type` from a file: PETSc's binary, read by all ranks together, or Matrix Market as
 * tulle reads it (plain, gzip, tar), where each rank reads all of the file and keeps its rows. */
PetscErrorCode tulle__petsc_load(const char *path, MatType type, Mat *A);

#endif
