/* tulle_batch.h -- products of thousands of small sparse matrices with their vectors, in one call.
 *
 *     y_i = alpha A_i x_i + beta y_i        for i = 0 .. count-1
 *
 * The matrices may differ in size, pattern and values. One call for all of them costs one parallel
 * region instead of thousands. Problems are distributed to the threads by their work, and matrices
 * that share a pattern are multiplied side by side in the lanes of the vector unit.
 *
 *     tulle_batch_create()     describe the matrices: packed arrays with offsets; copied once
 *     tulle_batch_mul_f64()    multiply all, as often as you like, from as many threads as you like
 *     tulle_batch_update()     new values for the same patterns
 *     tulle_batch_destroy()
 *
 * A complete example, for matrices whose arrays are contiguous:
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
 * Complex values have calls of the same names with _c64 and _c128, as in tulle.h.
 *
 * Errors, threads, side effects and structures that begin with `size` are as in tulle.h. A message
 * about a matrix begins with its number: "problem 17: row_ptr[3] = 9 is less than row_ptr[2] = 11".
 *
 * Determinism. One batch gives the same bits at any number of threads.
 */
#ifndef TULLE_BATCH_H
#define TULLE_BATCH_H

#include "tulle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tulle_batch tulle_batch;

/* ---- matrices -------------------------------------------------------------------------------- */

/* Arrays of the first problem that all problems share; bits of `shared`. */
enum { TULLE_SHARED_ROWS = 1, TULLE_SHARED_COLUMNS = 2, TULLE_SHARED_VALUES = 4 };

/* Problem i has rows[i] x cols[i] elements. Its row r consists of the entries
 * k = R[r] .. R[r+1] - 1 with columns J[k] and values V[k], where R = row_ptr + row_at[i], which
 * begins with 0, J = col + col_at[i] and V = val + val_at[i]. If one of these offset arrays is
 * NULL, the problems are contiguous in that array. A bit of `shared` means that all problems use
 * that array of problem 0. You can also declare sharing by equal offsets; equal rows and columns
 * are found by comparison in any case.
 *
 * Special cases that are worth declaring:
 *     one pattern, separate values         shared = TULLE_SHARED_ROWS | TULLE_SHARED_COLUMNS
 *     rows of the same lengths             shared = TULLE_SHARED_ROWS
 *     the same values, several patterns    shared = TULLE_SHARED_VALUES
 *     one matrix, one scalar per problem   shared = all three, and scale
 *
 * Columns may be in any order within a row; duplicates add up. Each problem has fewer than 2^31
 * rows, columns and entries; all problems together may have more. */
typedef struct {
	size_t size;   /* = sizeof(tulle_batch_source) */
	int64_t count; /* of problems; 0 is allowed */
	const int64_t *rows, *cols;
	tulle_index_type offset_type, column_type;
	tulle_value_type value_type;
	int shared;
	const void *row_ptr, *col;
	const void *val; /* NULL: every entry is one */
	const int64_t *row_at, *col_at, *val_at;

	/* Where x_i and y_i begin in the packed vectors, in elements; NULL: they are contiguous.
	 * Several problems may read the same x. No two y may overlap, and they must be in ascending
	 * order. */
	const int64_t *x_at, *y_at;

	const double *scale; /* problem i is scale[i], a real number, times its matrix; NULL: 1 */
} tulle_batch_source;

typedef struct {
	size_t size;       /* = sizeof(tulle_batch_options) */
	double multiplies; /* how often you will multiply; 0: unknown, 1000 is assumed */

	/* "csr", "sell", "ell" or "interleaved" for every problem that it supports; the others get csr
	 * or sell. NULL: tulle chooses for each problem. */
	const char *kernel;

	tulle_check check; /* default TULLE_CHECK_FULL */

	/* 1: `val` is not copied but read in place, on the terms of TULLE_BORROW; the kernel is then
	 * "csr". For values that are used in one or two multiplications before they change. */
	int borrow_values;
} tulle_batch_options;

/* You may free the arrays when the call returns, except borrowed values. */
TULLE_API tulle_status tulle_batch_create(tulle_context *context, const tulle_batch_source *source,
                                          const tulle_batch_options *options, tulle_batch **out);

/* The same for `count` matrices stored anywhere; tulle_matrix_view_csr() gives such a view of any
 * tulle_matrix. All must have the same types of offsets, columns and values. Matrices with equal
 * pointers share their arrays. nnz of a view must be row_ptr[rows] (TULLE_E_MATRIX). */
TULLE_API tulle_status tulle_batch_from_csr(tulle_context *context, int64_t count,
                                            const tulle_csr_view *matrices,
                                            const tulle_batch_options *options, tulle_batch **out);

/* New values for the same patterns, arranged like source.val (info.values of them; NULL only for a
 * batch created without values). For a batch created by tulle_batch_from_csr() they are packed in
 * the order of the matrices. A batch that borrows its values reads them from `val` from now on. On
 * failure the batch keeps its old values. */
TULLE_API tulle_status tulle_batch_update(tulle_batch *batch, const void *val);

/* ---- multiply -------------------------------------------------------------------------------- */

/* How the vectors of all problems are arranged in one array.
 * PACKED:      one after the other: element j of x_i is x[info.x_at[i] + j].
 * INTERLEAVED: info.lanes problems side by side, as the kernel for a shared pattern needs them:
 *              element j of x_i is x[(i / lanes * cols + j) * lanes + i % lanes]. Only if
 *              info.lanes is not 0: all problems have one pattern and the kernel "interleaved",
 *              which you may name. Lanes after the last problem are never written. */
typedef enum { TULLE_PACKED = 0, TULLE_INTERLEAVED = 1 } tulle_batch_layout;

/* y_i = alpha A_i x_i + beta y_i for all problems. x has info.x_size[layout] elements, y has
 * info.y_size[layout]; they must not overlap. beta == 0 never reads y. Elements between packed
 * vectors are not touched. Allocates nothing unless several threads use one batch at the same time,
 * or a call uses more threads than when the batch was created. Fails only with TULLE_E_ARGUMENT,
 * TULLE_E_TYPE, TULLE_E_UNSUPPORTED (no such layout), or TULLE_E_MEMORY or TULLE_E_LIMIT in those last
 * cases. */
TULLE_API tulle_status tulle_batch_mul_f32(const tulle_batch *batch, tulle_batch_layout layout,
                                           float alpha, const float *x, float beta, float *y);
TULLE_API tulle_status tulle_batch_mul_f64(const tulle_batch *batch, tulle_batch_layout layout,
                                           double alpha, const double *x, double beta, double *y);
TULLE_API tulle_status tulle_batch_mul_c64(const tulle_batch *batch, tulle_batch_layout layout,
                                           tulle_c64 alpha, const tulle_c64 *x, tulle_c64 beta,
                                           tulle_c64 *y);
TULLE_API tulle_status tulle_batch_mul_c128(const tulle_batch *batch, tulle_batch_layout layout,
                                            tulle_c128 alpha, const tulle_c128 *x, tulle_c128 beta,
                                            tulle_c128 *y);

/* The same with x_i at x[i] and y_i at y[i]. No x_i may overlap any y_j, and no two y may overlap.
 * Only the vectors of the same problem are checked for this. */
TULLE_API tulle_status tulle_batch_mul_list_f32(const tulle_batch *batch, float alpha,
                                                const float *const *x, float beta, float *const *y);
TULLE_API tulle_status tulle_batch_mul_list_f64(const tulle_batch *batch, double alpha,
                                                const double *const *x, double beta,
                                                double *const *y);
TULLE_API tulle_status tulle_batch_mul_list_c64(const tulle_batch *batch, tulle_c64 alpha,
                                                const tulle_c64 *const *x, tulle_c64 beta,
                                                tulle_c64 *const *y);
TULLE_API tulle_status tulle_batch_mul_list_c128(const tulle_batch *batch, tulle_c128 alpha,
                                                 const tulle_c128 *const *x, tulle_c128 beta,
                                                 tulle_c128 *const *y);

/* ---- describe -------------------------------------------------------------------------------- */

typedef struct {
	size_t size;             /* = sizeof(tulle_batch_info) */
	int64_t count;           /* of problems */
	int64_t rows, cols, nnz; /* of all problems together */
	int64_t values;          /* in the array that tulle_batch_update() takes */
	tulle_value_type value_type;
	const char *isa; /* the instruction set of the kernels in use */
	int lanes;       /* problems side by side in an interleaved vector; 0: packed vectors only */

	/* Number of elements of x and y in each layout, [TULLE_PACKED] and [TULLE_INTERLEAVED], and
	 * where the vectors of each problem begin in packed ones. The arrays are freed with the
	 * batch. */
	int64_t x_size[2], y_size[2];
	const int64_t *x_at, *y_at;

	const char *special; /* what the problems share: "one pattern", "same size", ... or "none" */
	int classes;         /* groups of problems that are treated alike */
	int64_t parts;       /* independent parts of a multiplication */
	size_t bytes;        /* read from the stored matrices by one multiplication */
	size_t extra_bytes;  /* memory allocated by the batch */
	int borrows_values;
	double seconds; /* spent in tulle_batch_create */
} tulle_batch_info;

TULLE_API tulle_status tulle_batch_describe(const tulle_batch *batch, tulle_batch_info *info);

/* A class: problems with one kernel and about the same size, as a GPU would launch them
 * together. */
typedef struct {
	size_t size;        /* = sizeof(tulle_batch_class_info) */
	const char *kernel; /* "csr", "sell", "ell", "interleaved"; a static string */
	int64_t problems, nnz;
	int64_t least_rows, most_rows;
	size_t bytes;            /* read by one multiplication */
	double multiply_seconds; /* on one thread, predicted */
	const char *because;     /* the reason for this kernel, a phrase; freed with the batch */
} tulle_batch_class_info;

/* n = 0 .. info.classes - 1. */
TULLE_API tulle_status tulle_batch_class(const tulle_batch *batch, int n,
                                         tulle_batch_class_info *info);

/* Write a few lines of text: what the problems share, the classes, and the reason for the kernel of
 * each class. Works like snprintf. */
TULLE_API size_t tulle_batch_explain(const tulle_batch *batch, char *text, size_t size);

TULLE_API void tulle_batch_destroy(tulle_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
