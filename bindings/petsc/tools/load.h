/* load.h -- matrices from files, for the programs beside the plugin. */
#ifndef TULLE_PETSC_LOAD_H
#define TULLE_PETSC_LOAD_H

#include <petscmat.h>

/* A matrix of `type` from a file: PETSc's binary, read by all ranks together; a tuned file, of which each rank
 * reads its rows; or Matrix Market as tulle reads it (plain, gzip, tar), where each rank reads all of the file
 * and keeps its rows. A file that one rank cannot read ends all ranks with one message. */
PetscErrorCode tulle__petsc_load(const char *path, MatType type, Mat *A);

#endif
