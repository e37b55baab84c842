/* sell_scatter_estimate.c -- cost of A^T x by scattering from the chunks of A. */
#include "analysis/cost.h"
#include "core/split.h"
#include "formats/sell/sell_convert.h"

#define PRICE_FILE "formats/sell/sell_scatter_prices.def"
#include "analysis/price_table.h"

/* f: features of A. Nonzeros are read as in A x; those of strips are added in whole vectors. The range of
 * columns of a part is unknown: half of all columns are assumed for each part. */
static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double strips = f->strips * (1 - f->long_nonzeros) * (double)f->nnz;
	const int64_t parts = tulle__private_parts(f->nnz + f->rows, f->nnz, f->cols);

	tulle__sell_estimator.estimate(f, request, out);
	out->parts = (double)parts;
	out->multiply = (tulle__amounts){ { 0 } };
	tulle__count_multiplication(f, out);
	out->multiply.amount[TULLE__BYTES] += (double)parts * f->x_bytes;
	out->multiply.amount[TULLE__STEPS] = (double)f->nnz - strips;
	out->multiply.amount[TULLE__LOADS] = strips;
	tulle__count_gathers(f, (double)f->nnz, &out->multiply);
}

const tulle__estimator tulle__sell_scatter_estimator = { estimate, prices, 0 };
