/* scatter_parts.h -- divides scattering into parts. Each has a private copy of the elements of y that it
 * adds to. */
#ifndef TULLE_CSR_SCATTER_PARTS_H
#define TULLE_CSR_SCATTER_PARTS_H

#include "core/env.h"
#include "core/split.h"
#include "csr/csr_matrix.h"

typedef struct {
	int64_t begin, end; /* begin >= end: none */
} tulle__columns;

/* The items that are scattered, in order: the rows of a CSR, or the chunks of a format. */
typedef struct {
	const void *data;
	int64_t work, nnz, cols;

	/* The item at which part p of `parts` begins, by work; 0 for p = 0, the number of items for p =
	 * parts. */
	int64_t (*begins)(const void *data, int64_t parts, int64_t p);

	/* The columns of items n .. end-1. NULL: all columns are assumed, and nothing is read. */
	tulle__columns (*columns)(const void *data, int64_t n, int64_t end);
} tulle__scattered;

/* Chooses the number of parts such that all copies together stay small compared with the matrix. It
 * depends on the matrix, never on the number of threads. On failure *out holds nothing. */
tulle_status tulle__cut_scatter(tulle__env *env, const tulle__scattered *of,
                                tulle__scatter_parts *out);
void tulle__release_scatter(tulle__env *env, tulle__scatter_parts *p);

/* The columns of entries k .. end-1, together with those in `c`. */
tulle__columns tulle__widen_columns(tulle__columns c, const tulle__csr *a, int64_t k, int64_t end);

size_t tulle__scatter_bytes(const tulle__scatter_parts *p);

/* Check for format `format`: cuts as in tulle__check_cuts(), copies within the columns and contiguous in
 * scratch. */
tulle_status tulle__check_scatter(const char *format, const tulle__scatter_parts *p, int64_t things,
                                  int64_t cols);

#endif
