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
