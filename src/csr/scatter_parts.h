/* scatter_parts.h -- how scattering is cut into parts, each with a copy of the columns that it adds into. */
#ifndef TULLE_CSR_SCATTER_PARTS_H
#define TULLE_CSR_SCATTER_PARTS_H

#include "core/env.h"
#include "core/split.h"
#include "csr/csr_matrix.h"

typedef struct {
	int64_t begin, end; /* begin >= end: none */
} tulle__columns;

/* Things in a row that are scattered one after the other: the rows of a CSR, the chunks of a format. */
typedef struct {
	const void *data;
	int64_t work, nnz, cols;

	/* Where part p of `parts` begins, by work; 0 for p = 0, all things for p = parts. */
	int64_t (*begins)(const void *data, int64_t parts, int64_t p);

	/* The columns of things n .. end-1. NULL: all columns are assumed, and nothing is read. */
	tulle__columns (*columns)(const void *data, int64_t n, int64_t end);
} tulle__scattered;

/* Few parts have wide copies, many have narrow ones: as many parts as the copies of all columns together
 * stay small beside the matrix. The matrix decides, never the number of threads. On failure nothing is
 * left in *out. */
tulle_status tulle__cut_scatter(tulle__env *env, const tulle__scattered *of,
                                tulle__scatter_parts *out);
void tulle__release_scatter(tulle__env *env, tulle__scatter_parts *p);

/* The columns of entries k .. end-1, together with those in `c`. */
tulle__columns tulle__widen_columns(tulle__columns c, const tulle__csr *a, int64_t k, int64_t end);

size_t tulle__scatter_bytes(const tulle__scatter_parts *p);

/* What a format `format` proves: cuts as in tulle__check_cuts(), copies inside the columns, one after the
 * other in scratch. */
tulle_status tulle__check_scatter(const char *format, const tulle__scatter_parts *p, int64_t things,
                                  int64_t cols);

#endif
