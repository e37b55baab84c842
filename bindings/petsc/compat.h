/* compat.h -- what changed in PETSc's interface between 3.18 and 3.25, in one place. */
#ifndef TULLE_PETSC_COMPAT_H
#define TULLE_PETSC_COMPAT_H

#include <petscmat.h>
/* Declares PetscObjectStateGet() and PetscObjectStateIncrease(); documented, but not in petscsys.h. */
#include <petsc/private/petscimpl.h>

#if PETSC_VERSION_LT(3, 18, 0)
#error "tulle's plugin wants PETSc 3.18 or newer"
#endif

#if PETSC_VERSION_LT(3, 19, 0)
#define PETSC_SUCCESS 0
#endif

/* An entry of a table of functions. */
#if PETSC_VERSION_GE(3, 24, 0)
typedef PetscErrorCodeFn *tulle_petsc_function;
#else
typedef void (*tulle_petsc_function)(void);
#endif

/* What a PetscContainer hands to the function that frees its content: the content's address since
 * 3.23, before that the content. */
#if PETSC_VERSION_GE(3, 25, 0)
typedef PetscCtxRt tulle_petsc_content;
#elif PETSC_VERSION_GE(3, 23, 0)
typedef void **tulle_petsc_content;
#else
typedef void *tulle_petsc_content;
#endif
#if PETSC_VERSION_GE(3, 23, 0)
#define TULLE_PETSC_CONTENT(content) (*(void **)(content))
#define TULLE_PETSC_SET_DESTROY(container, function) \
	PetscContainerSetCtxDestroy((container), (function))
#else
#define TULLE_PETSC_CONTENT(content) (content)
#define TULLE_PETSC_SET_DESTROY(container, function) \
	PetscContainerSetUserDestroy((container), (function))
#endif

#endif
