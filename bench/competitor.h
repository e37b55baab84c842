/* competitor.h -- the table of functions of a contender; a plug-in exports one array of them.
 *
 * A plug-in is one file in competitors/, built as a loadable module beside the programs. The harness
 * times prepare() (the conversion) and multiply(), and checks every y itself. */
#ifndef BENCH_COMPETITOR_H
#define BENCH_COMPETITOR_H

#include <stddef.h>
#include <stdint.h>

/* Zero-based CSR, columns of a row ascending; alive and unchanged until release() has returned. */
typedef struct {
	int64_t rows, cols, nnz;
	const int32_t *row_ptr, *col;
	const double *val;
	const float *val_f32; /* not NULL: values and vectors are floats, and these are the values */
} bench_matrix;

/* Many small matrices, each with its own x and y. Problem i has row pointers from row_ptr +
 * row_at[i] on, which begin with 0, columns from col + col_at[i], values from val + val_at[i]; its
 * vectors begin at x_at[i] and y_at[i]. Problems of one pattern have equal row_at and col_at. */
typedef struct {
	int64_t count;
	int64_t total_rows, total_cols, total_nnz;
	int f32, one_pattern; /* val, x and y are floats; all problems have one pattern */
	const int64_t *rows, *cols, *row_at, *col_at, *val_at, *x_at, *y_at;
	const int32_t *row_ptr, *col;
	const void *val;
} bench_batch;

/* What a contender can do. */
enum {
	BENCH_F64 = 1 << 0,    /* values and vectors are doubles */
	BENCH_F32 = 1 << 1,    /* ... or floats */
	BENCH_ONE = 1 << 2,    /* y = A x */
	BENCH_MANY = 1 << 3,   /* the same for several vectors at once, row-major */
	BENCH_BATCH = 1 << 4,  /* y_i += A_i x_i for all problems of a batch */
	BENCH_DEVICE = 1 << 5, /* y = A x on a GPU, by the functions of `device` */
	BENCH_COLUMNS =
	    1 << 6 /* as BENCH_MANY, column-major; x holds all vectors twice: row-major, then
	                        * column-major */
};

/* What is to be multiplied. */
typedef struct {
	const bench_matrix *a;
	int vectors;              /* BENCH_MANY: element i of vector v is at i*vectors + v */
	const bench_batch *batch; /* BENCH_BATCH: instead of `a` */
	int threads;
} bench_problem;

typedef struct bench_device_calls bench_device_calls; /* device_competitor.h */

typedef struct {
	const char *name; /* NULL ends the array; a name may occur again with other capabilities */
	int can;          /* a sum of the above */

	/* Prepares for multiplications. `variant` is the text after the name and a colon on the command
	 * line; "": none. NULL: not possible. */
	void *(*prepare)(const bench_problem *p, const char *variant);

	/* y = A x; y is overwritten (BENCH_BATCH: y += A x). Floats where the problem has them. 0: done. */
	int (*multiply)(void *state, const double *x, double *y);

	/* Bytes held for the matrix, including the caller's arrays if they are still read. */
	size_t (*bytes)(const void *state);

	void (*release)(void *state);
	const bench_device_calls *device; /* BENCH_DEVICE: instead of the four functions; else NULL */
} bench_competitor;

/* The one name a plug-in exports: `const bench_competitor bench_competitors[]`. */
#define BENCH_COMPETITORS "bench_competitors"

#ifdef __cplusplus
#define BENCH_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define BENCH_EXPORT __attribute__((visibility("default")))
#endif

/* Bytes of a value of `a`, and of an element of its vectors. */
static inline size_t bench_element(const bench_matrix *a)
{
	return a->val_f32 ? sizeof *a->val_f32 : sizeof *a->val;
}

/* Bytes of the arrays of `a`, which plain CSR reads once per multiplication. */
static inline size_t bench_matrix_bytes(const bench_matrix *a)
{
	return (size_t)a->nnz * (sizeof *a->col + bench_element(a)) +
	       ((size_t)a->rows + 1) * sizeof *a->row_ptr;
}

#endif
