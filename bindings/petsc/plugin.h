/* plugin.h -- what the files of the plugin know of each other. */
#ifndef TULLE_PETSC_PLUGIN_H
#define TULLE_PETSC_PLUGIN_H

#include <tulle.h>

#include "compat.h"

#define MATAIJTULLE "aijtulle"
#define MATSEQAIJTULLE "seqaijtulle"
#define MATMPIAIJTULLE "mpiaijtulle"
#define MATBAIJTULLE "baijtulle"
#define MATSEQBAIJTULLE "seqbaijtulle"
#define MATMPIBAIJTULLE "mpibaijtulle"

/* ---- options.c: what the options database says ---------------------------------------------- */

typedef struct {
	char format[256];     /* "": the planner chooses */
	PetscReal multiplies; /* products to plan for at once; 0: count them */
	char wisdom[PETSC_MAX_PATH_LEN];
	tulle_effort effort;
	PetscInt reproducible;
	PetscBool view;
} tulle_petsc_options;

/* The options of one matrix: those with its prefix, else those without. */
PetscErrorCode tulle__petsc_options(Mat A, tulle_petsc_options *options);

/* List all options if the program was started with -help. */
PetscErrorCode tulle__petsc_help(void);

/* The context of this process, made at the first call with the threads of -mat_tulle_threads. */
PetscErrorCode tulle__petsc_context(tulle_context **context);

/* Turn a tulle_status into PETSc's error. */
#define TulleCall(...)                                                                        \
	do {                                                                                      \
		tulle_status tulle_status_ = (__VA_ARGS__);                                           \
		PetscCheck(tulle_status_ == TULLE_OK, PETSC_COMM_SELF,                                \
		           tulle_status_ == TULLE_E_MEMORY ? PETSC_ERR_MEM : PETSC_ERR_LIB, "%s: %s", \
		           tulle_status_name(tulle_status_), tulle_last_error());                     \
	} while (0)

/* ---- block.c: a sequential matrix and its plans ----------------------------------------------- */

/* Products by A, or by A^T: each has a plan of its own and is counted by itself. */
typedef struct {
	tulle_plan *plan; /* NULL: products are PETSc's own */
	double products;  /* since the pattern is what it is */
	double look;      /* products after which the planner is asked again; infinite: never */
} tulle_petsc_way;

/* A sequential matrix as PETSc stores it: rows of blocks of size x size, the values of a block column by
 * column. Entries of AIJ are blocks of size 1. */
typedef struct {
	const PetscInt *i, *j;
	const PetscScalar *a;
	PetscInt size;
} tulle_petsc_arrays;

/* Products of PETSc's own type: without b, and with it. */
typedef struct {
	tulle_petsc_function mult, mult_add;
} tulle_petsc_plain;

/* One sequential AIJ or BAIJ matrix: all of it on one rank, else the diagonal or the off-diagonal block. */
typedef struct {
	tulle_petsc_options options;
	tulle_matrix *matrix;   /* borrows PETSc's arrays */
	tulle_petsc_way way[2]; /* by tulle_op */
	double changes;         /* of values only, since the pattern is what it is */

	/* Off-diagonal blocks have mostly empty rows. Then only the others are planned: `row` are their
	 * numbers, `offset` their offsets and `part` has an element for each; else all three are NULL.
	 * Rows are rows of blocks: `part` has `size` elements for each. */
	PetscInt rows; /* with an entry */
	PetscInt *row, *offset;
	PetscScalar *part;

	/* What the plans were made from; anything else means that A has changed. */
	PetscObjectState state, pattern;
	PetscErrorCode (*read)(Mat A, tulle_petsc_arrays *arrays);
	tulle_petsc_arrays arrays;
	PetscInt m, n, nz;          /* rows, columns, stored blocks */
	tulle_petsc_plain plain[2]; /* by tulle_op; set for blocks of more than one entry */

	PetscInt plans, updates; /* made so far, to tell */
} tulle_petsc_block;

/* The block of a sequential matrix, brought up to date with it. */
PetscErrorCode tulle__petsc_block(Mat A, tulle_petsc_block **block);

/* Forget A's block, so that the next product makes a new one. */
PetscErrorCode tulle__petsc_block_drop(Mat A);

/* A's values may have changed, although its state does not say so. */
PetscErrorCode tulle__petsc_block_touch(Mat A);

/* Entries that are stored. */
double tulle__petsc_entries(const tulle_petsc_block *block);

/* ---- product.c: products of both sequential types --------------------------------------------- */

/* Which functions A's table has for them, tulle's functions, and other functions into the table. */
PetscErrorCode tulle__petsc_get_products(Mat A, tulle_petsc_plain plain[2]);
PetscErrorCode tulle__petsc_set_products(Mat A);
PetscErrorCode tulle__petsc_reset_products(Mat A, const tulle_petsc_plain plain[2]);

/* z = y + op(A) x by PETSc's own function; y may be z, or NULL for nothing. */
PetscErrorCode tulle__petsc_plain_product(Mat A, const tulle_petsc_plain *plain, Vec x, Vec y,
                                          Vec z);

/* ---- plan.c: when to plan, and for how many products ------------------------------------------ */

/* Register the events under which -log_view reports planning; part of MatMult's time. */
PetscErrorCode tulle__petsc_events(void);

/* Count one product and see that there is the right plan for it. */
PetscErrorCode tulle__petsc_plan(Mat A, tulle_petsc_block *block, tulle_op op);

/* Bring A's new values into the plans; their layouts stay. */
PetscErrorCode tulle__petsc_update(Mat A, tulle_petsc_block *block);

/* Forget what is planned. */
void tulle__petsc_forget(tulle_petsc_block *block);

/* ---- view.c: -mat_tulle_view ------------------------------------------------------------------ */

PetscErrorCode tulle__petsc_view_plan(Mat A, const tulle_petsc_block *block, tulle_op op);
PetscErrorCode tulle__petsc_view_end(const tulle_petsc_block *block);

/* ---- seq.c, mpi.c, seq_baij.c, mpi_baij.c: the four types -------------------------------------- */

PetscErrorCode tulle__petsc_seq_from_aij(Mat A, MatType type, MatReuse reuse, Mat *B);
PetscErrorCode tulle__petsc_seq_create(Mat A);
PetscErrorCode tulle__petsc_mpi_create(Mat A);

PetscErrorCode tulle__petsc_seq_from_baij(Mat A, MatType type, MatReuse reuse, Mat *B);
PetscErrorCode tulle__petsc_seq_to_baij(Mat A, MatType type, MatReuse reuse, Mat *B);
PetscErrorCode tulle__petsc_baij_arrays(Mat A, tulle_petsc_arrays *arrays);
PetscErrorCode tulle__petsc_baij_plain(Mat A, tulle_petsc_plain plain[2]);
PetscErrorCode tulle__petsc_seq_baij_create(Mat A);
PetscErrorCode tulle__petsc_mpi_baij_create(Mat A);

/* ---- convert.c: what the converters of all have in common -------------------------------------- */

/* What is to become A in another type: B is A itself, its copy, or was there. `done`: nothing is left to do,
 * because it was there and has A's values now, or is of this type. */
PetscErrorCode tulle__petsc_target(MatType type, Mat A, MatReuse reuse, Mat *B, PetscBool *done);

/* To any type that is not ours: first to `base`, for PETSc finds converters by a type's exact name. */
PetscErrorCode tulle__petsc_by_way_of(MatType base, Mat A, MatType type, MatReuse reuse, Mat *B);

#endif
