/* competitor.h -- the small table a contender of the bench fills; a plug-in exports one array.
 *
 * A plug-in is one file in competitors/, built as a loadable module beside tulle-compare. The
 * harness times prepare() (the conversion) and multiply(), and checks every y itself. */
#ifndef BENCH_COMPETITOR_H
#define BENCH_COMPETITOR_H

#include <stddef.h>
#include <stdint.h>

/* Zero-based CSR, columns of a row ascending; alive and unchanged until release() has returned. */
typedef struct {
	int64_t rows, cols, nnz;
	const int32_t *row_ptr, *col;
	const double *val;
} bench_matrix;

typedef struct {
	const char *name; /* NULL ends the array */

	/* Get ready to multiply by `a` with this many threads. `variant` is what followed the name and
	 * a colon on the command line, "" for nothing. NULL: cannot be done. */
	void *(*prepare)(const bench_matrix *a, int threads, const char *variant);

	/* y = A x; y is overwritten. 0: done. */
	int (*multiply)(void *state, const double *x, double *y);

	/* Bytes held for the matrix, the caller's arrays included where they are still read. */
	size_t (*bytes)(const void *state);

	void (*release)(void *state);
} bench_competitor;

/* The one name a plug-in exports: `const bench_competitor bench_competitors[]`. */
#define BENCH_COMPETITORS "bench_competitors"

/* A plug-in may export a second array, of contenders that multiply several vectors at once: the
 * variant is their number k, and x and y are row-major, element i of vector v at i*k + v. */
#define BENCH_MANY_COMPETITORS "bench_many_competitors"

/* Many small matrices, each with an x and a y of its own. Problem i has row pointers from row_ptr +
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

/* As bench_competitor, but for all problems of a batch: y_i += A_i x_i. The vectors are floats where
 * the batch is. */
typedef struct {
	const char *name; /* NULL ends the array */
	void *(*prepare)(const bench_batch *b, int threads, const char *variant);
	int (*multiply)(void *state, const double *x, double *y);
	size_t (*bytes)(const void *state);
	void (*release)(void *state);
} bench_batch_competitor;

/* A plug-in may export an array of these, too. */
#define BENCH_BATCH_COMPETITORS "bench_batch_competitors"

#ifdef __cplusplus
#define BENCH_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define BENCH_EXPORT __attribute__((visibility("default")))
#endif

/* Bytes of the arrays of `a`: what plain CSR reads once in a multiplication. */
static inline size_t bench_matrix_bytes(const bench_matrix *a)
{
	return (size_t)a->nnz * (sizeof *a->col + sizeof *a->val) +
	       ((size_t)a->rows + 1) * sizeof *a->row_ptr;
}

#endif
