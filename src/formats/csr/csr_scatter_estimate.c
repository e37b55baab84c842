/* csr_scatter_estimate.c -- cost of A^T x by scattering from the rows of A. */
#include "analysis/cost.h"
#include "core/split.h"
#include "formats/csr/csr.h"

#include <stdio.h>

#define PRICE_FILE "formats/csr/csr_scatter_prices.def"
#include "analysis/price_table.h"

/* f: features of A. Elements of the private y's are accessed in the order in which A x accesses x. */
static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const int64_t parts = tulle__private_parts(f->nnz + f->rows, f->nnz, f->cols);
	const double copies = (double)parts * f->x_bytes;

	(void)request;
	out->bytes = f->csr_bytes;
	tulle__count_widening(f, out);
	out->parts = (double)parts;
	snprintf(out->because, sizeof out->because,
	         "it scatters from the CSR arrays of A, so A^T need not be built");
	tulle__count_multiplication(f, out);
	/* Each copy is cleared and summed. */
	out->multiply.amount[TULLE__BYTES] += 2 * copies;
	tulle__count_gathers(f, (double)f->nnz, &out->multiply);
	out->convert.amount[TULLE__CALLS] = 1;
}

const tulle__estimator tulle__csr_scatter_estimator = { estimate, prices, 0 };
