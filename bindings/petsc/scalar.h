/* scalar.h -- PETSc's scalar as a value type of tulle. */
#ifndef TULLE_PETSC_SCALAR_H
#define TULLE_PETSC_SCALAR_H

#include <tulle.h>

#include "compat.h"

/* The type, the suffix of its functions, and a factor without an imaginary part as an initializer. */
#if defined(PETSC_USE_COMPLEX) && defined(PETSC_USE_REAL_DOUBLE)
#define TULLE_PETSC_TYPE TULLE_C128
#define TULLE_PETSC_OF(name) name##_c128
typedef tulle_c128 tulle_petsc_element;
#elif defined(PETSC_USE_COMPLEX) && defined(PETSC_USE_REAL_SINGLE)
#define TULLE_PETSC_TYPE TULLE_C64
#define TULLE_PETSC_OF(name) name##_c64
typedef tulle_c64 tulle_petsc_element;
#elif defined(PETSC_USE_REAL_DOUBLE)
#define TULLE_PETSC_TYPE TULLE_F64
#define TULLE_PETSC_OF(name) name##_f64
typedef double tulle_petsc_element;
#elif defined(PETSC_USE_REAL_SINGLE)
#define TULLE_PETSC_TYPE TULLE_F32
#define TULLE_PETSC_OF(name) name##_f32
typedef float tulle_petsc_element;
#else
#error "tulle's plugin is for PETSc in double or single precision"
#endif

#ifdef PETSC_USE_COMPLEX
#define TULLE_PETSC_FACTOR(value) \
	(tulle_petsc_element)         \
	{                             \
		(value), 0                \
	}
#else
#define TULLE_PETSC_FACTOR(value) \
	(tulle_petsc_element)         \
	{                             \
		(value)                   \
	}
#endif

/* y = op(A) x + b; b may be y, or NULL for nothing. */
static inline tulle_status tulle__petsc_mul_add(const tulle_plan *plan, const PetscScalar *x,
                                                const PetscScalar *b, PetscScalar *y)
{
	return TULLE_PETSC_OF(tulle_mul_add)(
	    plan, TULLE_PETSC_FACTOR(1), (const tulle_petsc_element *)x, TULLE_PETSC_FACTOR(b ? 1 : 0),
	    (const tulle_petsc_element *)b, (tulle_petsc_element *)y);
}

#endif
