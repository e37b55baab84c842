/* tulle_batch.h -- thousands of small sparse matrices times their vectors, in one call.
 *
 *     y_i = alpha A_i x_i + beta y_i        for i = 0 .. count-1
 *
 * The matrices may differ in size, pattern and values. One call for all of them costs one parallel
 * region instead of thousands, problems go to the threads by their work, and matrices that share a
 * pattern are multiplied side by side in the lanes of the vector unit.
 *
 *     tulle_batch_create()     say what the matrices are: packed arrays with offsets; copied once
 *     tulle_batch_mul_f64()    multiply all, as often as you like, from as many threads as you like
 *     tulle_batch_update()     new values for the same patterns
 *     tulle_batch_destroy()
 *
 * In full, for matrices whose arrays lie behind each other:
 *
 *     tulle_batch *b;
 *     const tulle_batch_source s = { .size = sizeof s, .count = n, .rows = rows, .cols = cols,
 *                                    .offset_type = TULLE_I32, .row_ptr = row_ptr,
 *                                    .column_type = TULLE_I32, .col = col,
 *                                    .value_type = TULLE_F64, .val = val };
 *     tulle_batch_create(NULL, &s, NULL, &b);
 *     tulle_batch_mul_f64(b, TULLE_PACKED, 1.0, x, 0.0, y);
 *     tulle_batch_destroy(b);
 *
 * Errors, threads, manners and structures that begin with `size` are as in tulle.h. A sentence about
 * a matrix begins with its number: "problem 17: row_ptr[3] = 9 is less than row_ptr[2] = 11".
 *
 * Bits. One batch gives the same bits at any number of threads.
 */
#ifndef TULLE_BATCH_H
#define TULLE_BATCH_H

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tulle_batch tulle_batch;

/* ---- what the matrices are ------------------------------------------------------------------- */

/* Arrays that all problems have from the first one; bits of `shared`. */
enum { TULLE_SHARED_ROWS = 1, TULLE_SHARED_COLUMNS = 2, TULLE_SHARED_VALUES = 4 };

/* Problem i has rows[i] x cols[i] elements. Its row r is the entries k = R[r] .. R[r+1] - 1 with
 * columns J[k] and values V[k], where R = row_ptr + row_at[i], which begins with 0, J = col +
 * col_at[i] and V = val + val_at[i]. An offset array that is NULL says that the problems lie behind each
 * other; a bit of `shared` that all have that array of problem 0. What problems share may also be told
 * by equal offsets; equal rows and columns are found by comparison in any case.
 *
 * Special cases that are worth telling:
 *     one pattern, values of each          shared = TULLE_SHARED_ROWS | TULLE_SHARED_COLUMNS
 *     rows of the same lengths             shared = TULLE_SHARED_ROWS
 *     the same values, several patterns    shared = TULLE_SHARED_VALUES
 *     one matrix times a scalar each       shared = all three, and scale
 *
 * Columns may stand in any order within a row, duplicates add up. A problem has fewer than 2^31 rows,
 * columns and entries; all of them together may have more. */
typedef struct {
	size_t size;   /* = sizeof(tulle_batch_source) */
	int64_t count; /* of problems; 0 is fine */
	const int64_t *rows, *cols;
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	int shared;
	const void *row_ptr, *col;
	const void *val; /* NULL: every entry is one */
	const int64_t *row_at, *col_at, *val_at;

	/* Where x_i and y_i begin in the packed vectors, in elements; NULL: behind each other. Several
	 * problems may read one x. No two y may overlap, and they stand in rising order. */
	const int64_t *x_at, *y_at;

	const double *scale; /* problem i is scale[i] times its matrix; NULL: 1 */
} tulle_batch_source;

typedef struct {
	size_t size;       /* = sizeof(tulle_batch_options) */
	double multiplies; /* how often you will multiply; 0: unknown, taken as 1000 */

	/* "csr", "sell", "ell", "interleaved": for all problems that it can do, the others get csr or
	 * sell; NULL: tulle chooses for each. */
	const char *kernel;

	tulle_check check; /* TULLE_CHECK_FULL */

	/* 1: `val` is not copied but read where it lies, on the terms of TULLE_BORROW; the kernel is "csr"
	 * then. For values that are multiplied once or twice before they change. */
	int borrow_values;
} tulle_batch_options;

/* The arrays are free when it returns, except values that are borrowed. */
TULLE_API tulle_status tulle_batch_create(tulle_context *context, const tulle_batch_source *source,
                                          const tulle_batch_options *options, tulle_batch **out);

/* The same from `count` matrices that lie anywhere; tulle_matrix_view_csr() gives such a view of any
 * tulle_matrix. All have one type of offsets, columns and values. Those with equal pointers share
 * their arrays. */
TULLE_API tulle_status tulle_batch_from_csr(tulle_context *context, int64_t count,
                                            const tulle_csr_view *matrices,
                                            const tulle_batch_options *options, tulle_batch **out);

/* New values for the same patterns, placed as source.val was (info.values of them; NULL only for a
 * batch that was made without values). For a batch made by tulle_batch_from_csr(): packed in the order
 * of the matrices. Borrowed ones are read from there from now on. On failure the batch keeps its old
 * values. */
TULLE_API tulle_status tulle_batch_update(tulle_batch *batch, const void *val);

/* ---- multiply -------------------------------------------------------------------------------- */

/* How the vectors of all problems lie in one array.
 * PACKED:      one behind the other: element j of x_i is x[info.x_at[i] + j].
 * INTERLEAVED: info.lanes problems side by side, as the kernel for a shared pattern wants them:
 *              element j of x_i is x[(i / lanes * cols + j) * lanes + i % lanes]. Only when info.lanes
 *              is not 0: all problems have one pattern and the kernel "interleaved", which may be
 *              named. Lanes behind the last problem are never written. */
typedef enum { TULLE_PACKED = 0, TULLE_INTERLEAVED = 1 } tulle_batch_layout;

/* y_i = alpha A_i x_i + beta y_i for all problems. x has info.x_size[layout] elements, y has
 * info.y_size[layout]; they must not overlap. beta == 0 never reads y. Elements between packed vectors
 * are not touched. No allocation unless several threads multiply by one batch at once, or more
 * threads than when it was created. Fails only with TULLE_E_ARGUMENT, TULLE_E_TYPE,
 * TULLE_E_UNSUPPORTED (no such layout), or TULLE_E_MEMORY in those last cases. */
TULLE_API tulle_status tulle_batch_mul_f32(const tulle_batch *batch, tulle_batch_layout layout,
                                           float alpha, const float *x, float beta, float *y);
TULLE_API tulle_status tulle_batch_mul_f64(const tulle_batch *batch, tulle_batch_layout layout,
                                           double alpha, const double *x, double beta, double *y);

/* The same with x_i at x[i] and y_i at y[i]. No x_i may overlap any y_j, nor one y another; only those
 * of one problem are looked at. */
TULLE_API tulle_status tulle_batch_mul_list_f32(const tulle_batch *batch, float alpha,
                                                const float *const *x, float beta, float *const *y);
TULLE_API tulle_status tulle_batch_mul_list_f64(const tulle_batch *batch, double alpha,
                                                const double *const *x, double beta,
                                                double *const *y);

/* ---- what became of it ------------------------------------------------------------------------- */

typedef struct {
	size_t size;             /* = sizeof(tulle_batch_info) */
	int64_t count;           /* of problems */
	int64_t rows, cols, nnz; /* of all problems together */
	int64_t values;          /* in the array that tulle_batch_update() takes */
	tulle_value_type value_type;
	const char *isa; /* the instruction set of the kernels that run */
	int lanes;       /* problems side by side in an interleaved vector; 0: packed ones only */

	/* Elements of x and of y in either layout, [TULLE_PACKED] and [TULLE_INTERLEAVED], and where each
	 * problem's begin in packed ones; the arrays live as long as the batch. */
	int64_t x_size[2], y_size[2];
	const int64_t *x_at, *y_at;

	const char *special; /* what the problems share: "one pattern", "same size", ... or "nothing" */
	int classes;         /* groups of problems that are treated alike */
	int64_t parts;       /* independent pieces of a multiplication */
	size_t bytes;        /* read by one multiplication from the stored matrices */
	size_t extra_bytes;  /* memory of the batch's own */
	int borrows_values;
	double seconds; /* spent in tulle_batch_create */
} tulle_batch_info;

TULLE_API tulle_status tulle_batch_describe(const tulle_batch *batch, tulle_batch_info *info);

/* A class: problems of one kernel and about one size, as a GPU would launch them together. */
typedef struct {
	size_t size;        /* = sizeof(tulle_batch_class_info) */
	const char *kernel; /* "csr", "sell", "ell", "interleaved"; lives as long as the library */
	int64_t problems, nnz;
	int64_t least_rows, most_rows;
	size_t bytes;            /* read by one multiplication */
	double multiply_seconds; /* of one thread, predicted */
	const char *because;     /* half a sentence; lives as the batch */
} tulle_batch_class_info;

/* n = 0 .. info.classes - 1. */
TULLE_API tulle_status tulle_batch_class(const tulle_batch *batch, int n,
                                         tulle_batch_class_info *info);

/* Some lines for a person to read: what the problems share, which classes there are and why each has
 * its kernel. Works like snprintf. */
TULLE_API size_t tulle_batch_explain(const tulle_batch *batch, char *text, size_t size);

TULLE_API void tulle_batch_destroy(tulle_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
