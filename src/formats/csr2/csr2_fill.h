/* csr2_fill.h -- moves entries to the blocks of csr2 and back. */
#ifndef TULLE_FORMATS_CSR2_CSR2_FILL_H
#define TULLE_FORMATS_CSR2_CSR2_FILL_H

#include "core/format.h"
#include "formats/csr2/csr2.h"

typedef struct {
	const csr2_data *d;
	const tulle__csr *a;
	int columns; /* also write where rows begin, and the columns */
	void *val;   /* where values go; NULL: nowhere */
} csr2_fill;

/* Write the blocks of an already cut matrix from `a`. */
void tulle__csr2_fill(const csr2_fill *f, tulle__env *env);

/* The CSR that was converted. */
tulle_status tulle__csr2_back(const csr2_data *d, tulle__env *env, tulle__csr *out);

/* Predicted cost (csr2_estimate.c). */
extern const tulle__estimator tulle__csr2_estimator;

#endif
