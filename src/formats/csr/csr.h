/* csr.h -- plain CSR as a format: the caller's arrays, and the cuts between parts. */
#ifndef TULLE_FORMATS_CSR_CSR_H
#define TULLE_FORMATS_CSR_CSR_H

#include "core/format.h"
#include "core/split.h"

/* Order of the kernels in each compiled variant; each has two versions, with values and for
 * ones. */
enum { CSR_ROWS, CSR_SCALAR, CSR_VECTOR, CSR_BALANCED, CSR_SCATTER, CSR_KERNELS };

typedef tulle__row_cut csr_cut; /* clean when k == row_ptr[row] */

typedef struct {
	int64_t rows, cols, nnz;
	const void *row_ptr, *col, *val; /* val NULL: ones */
	int64_t parts;
	const csr_cut *cut; /* parts + 1 of them */
	int64_t splits;
	const tulle__split_row *split;
	tulle__scatter_parts scatter; /* of rows, for A^T x; no parts: only A x */
} csr_data;

extern const tulle__format tulle__format_csr;

/* Predicted cost (csr_estimate.c). */
extern const tulle__estimator tulle__csr_estimator;

/* The same for A^T x by scattering (csr_scatter_estimate.c). */
extern const tulle__estimator tulle__csr_scatter_estimator;

#endif
