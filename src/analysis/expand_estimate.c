/* expand_estimate.c -- the cost of expanding block CSR to CSR. */
#include "analysis/cost.h"

#define PRICE_FILE "analysis/expand_prices.def"
#include "analysis/price_table.h"

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	(void)request;
	out->bytes = out->own_bytes = f->csr_bytes;
	tulle__count_conversion(f, f->block_bytes, &out->convert);
}

const tulle__estimator tulle__expand_estimator = { estimate, prices, 0 };
