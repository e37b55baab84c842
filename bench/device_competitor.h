/* device_competitor.h -- the functions of a contender on a GPU: `device` of its table in competitor.h.
 *
 * Matrix, x and y are on the device before anything is timed: prepare() copies the matrix, set() the
 * vectors. The timed part consists of products queued one after the other by queue(), then one wait(). */
#ifndef BENCH_DEVICE_COMPETITOR_H
#define BENCH_DEVICE_COMPETITOR_H

#include "competitor.h"

/* Zero-based CSR on the host; alive until prepare() has returned. */
typedef struct {
	int64_t rows, cols, nnz;
	const int32_t *row_ptr, *col;
	const void *val;
	int f32;  /* values and vectors are floats, else doubles */
	int adds; /* y = A x + y, else y = A x */

	/* Instead of the three arrays, or NULL: all problems of a batch, whose vectors are packed. Rows, columns
	 * and nonzeros are those of all together. */
	const bench_batch *batch;
} bench_device_matrix;

typedef struct {
	const char *name; /* NULL ends the array */
	int same_bits;    /* it promises the same bits in every multiplication: others are wrong */
} bench_device_variant;

struct bench_device_calls {
	const char *driver; /* the devices that it runs on: "cuda" */
	const bench_device_variant *variant;

	/* What it is, with its version, on device number n of the driver. Not 0: it cannot run there, and
	 * the text says why. */
	int (*about)(int number, char *text, size_t room);

	/* NULL: not possible, and the text says why. */
	void *(*prepare)(const bench_device_matrix *a, int number, const char *variant, char *why,
	                 size_t room);

	/* Copy x and y to the device; queue a product; wait for all that are queued, of any state of this
	 * contender; copy y back. 0: done. */
	int (*set)(void *state, const void *x, const void *y);
	int (*queue)(void *state);
	int (*wait)(void *state);
	int (*get)(void *state, void *y);

	size_t (*bytes)(const void *state); /* of the device, held for the matrix */
	void (*release)(void *state);
};

#endif
