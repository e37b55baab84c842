/* operations.h -- operations on a matrix that are tried on PETSc's type and on tulle's. */
#ifndef TULLE_PETSC_OPERATIONS_H
#define TULLE_PETSC_OPERATIONS_H

#include <petscksp.h>
/* Declares PetscObjectStateIncrease(). */
#include <petsc/private/petscimpl.h>

#if PETSC_VERSION_LT(3, 19, 0)
#define PETSC_SUCCESS 0
#endif

/* Numbers that an operation found out. They have to be the same bits for both types, but for those of
 * note_near(), which hold products and are compared to `NEAR` of their size. */
enum { NOTES = 60000 };
#define NEAR 1e-12
typedef struct {
	int count;
	double value[NOTES];
	char near[NOTES];
} note_list;
typedef PetscErrorCode note_one(note_list *notes, double value);

PetscErrorCode note(note_list *notes, double value);
PetscErrorCode note_near(note_list *notes, double value);
PetscErrorCode note_scalar(note_list *notes, PetscScalar value, note_one *how); /* both parts */
PetscErrorCode note_vector(note_list *notes, Vec vector);
PetscErrorCode note_vector_near(note_list *notes, Vec vector);
PetscErrorCode note_set(note_list *notes, IS set);
PetscErrorCode note_matrix(note_list *notes, Mat A); /* its size and local entries */

enum {
	PLAIN = 1,        /* what becomes of a matrix of ours may be PETSc's own type */
	SEQUENTIAL = 2,   /* only on one rank */
	NEAR_ENTRIES = 4, /* products are among the entries of what comes out */
};

/* Tries something on *A, and may put another matrix in its place. */
typedef PetscErrorCode operation_body(Mat *A, note_list *notes);
typedef struct {
	const char *name;
	operation_body *body;
	int flags;
} operation;
extern const operation operations_arrays[], operations_convert[], operations_products[],
    operations_queries[], operations_shape[], operations_solve[], operations_values[];

/* ---- compare.c ---- */

/* Compare what became of PETSc's matrix and of ours: entries and all products. `*why` is NULL, or
 * the first difference in words; the same on all ranks. */
PetscErrorCode compare(Mat plain, Mat ours, int flags, const char **why);
PetscErrorCode compare_products(Mat plain, Mat ours,
                                const char **why); /* of these matrices themselves */
int notes_differ(const note_list *plain, const note_list *ours);

/* ---- what several of them need ---- */

PetscErrorCode put_in_place(Mat *A, Mat new); /* destroys the old one */
PetscErrorCode assemble(Mat A);
PetscErrorCode multiply_once(Mat A); /* both ways, so that there are plans */
PetscErrorCode each_part(Mat A, PetscErrorCode (*body)(Mat part)); /* A, or its two blocks */
PetscErrorCode ones_and_more(Mat A, Vec *right, Vec *left);        /* vectors with some values */
PetscScalar with_phase(double value,
                       PetscInt k); /* the value, or in complex PETSc one that depends on k */
int ranks(void);

#endif
