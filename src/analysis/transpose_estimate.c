/* transpose_estimate.c -- the cost of building A^T, and its features before it is built. */
#include "analysis/cost.h"

#include <math.h>

#define PRICE_FILE "analysis/transpose_prices.def"
#include "analysis/price_table.h"

/* In the layout of csr/build.c. */
static double transposed_bytes(const tulle__features *f)
{
	const double column = (double)tulle__index_size(tulle__index_type_for(f->rows));
	const double offset = (double)tulle__index_size(tulle__index_type_for(f->nnz));

	return (double)f->nnz * (column + f->given_bytes) + (double)(f->cols + 1) * offset;
}

/* Entries go to the place of their column, in the order in which A x gathers x. */
static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	/* Updates need the source of each value. */
	const double permutation = (double)tulle__index_size(tulle__index_type_for(f->nnz));

	(void)request;
	out->bytes = f->csr_bytes;
	out->own_bytes = transposed_bytes(f) + (double)f->nnz * permutation;
	tulle__count_conversion(f, out->own_bytes, &out->convert);
	tulle__count_gathers(f, (double)f->nnz, &out->convert);
}

const tulle__estimator tulle__transpose_estimator = { estimate, prices, 0 };

void tulle__transpose_features(const tulle__features *f, tulle__features *out)
{
	*out = *f;
	out->rows = f->cols;
	out->cols = f->rows;
	out->x_bytes = f->y_bytes;
	out->y_bytes = f->x_bytes;
	out->csr_bytes = transposed_bytes(f);
	out->block_height = out->block_width = 0; /* it is built as CSR */
	out->block_bytes = 0;
	out->row.mean = (double)f->nnz / fmax(1, (double)f->cols);
}
