/* csr2_estimate.c -- cost of csr2: as csr, with rows padded to whole vectors. */
#include "analysis/cost.h"
#include "formats/csr2/csr2_fill.h"

#include <stdio.h>

#define PRICE_FILE "formats/csr2/csr2_prices.def"
#include "analysis/price_table.h"

/* Mean padding factor of columns and values (README.md). */
static const double PADDING = 1.07;

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double slots = PADDING * (double)f->nnz;

	(void)request;
	out->bytes =
	    slots * (sizeof(int32_t) + tulle__full_bytes(f)) + (double)f->rows * sizeof(int32_t);
	out->own_bytes = out->bytes;
	snprintf(out->because, sizeof out->because,
	         "rows are padded to whole vectors, so no vector is partly used");
	tulle__count_multiplication(f, out);
	out->multiply.amount[TULLE__STEPS] = slots;
	tulle__count_gathers(f, (double)f->nnz, &out->multiply);
	tulle__count_conversion(f, out->own_bytes, &out->convert);
}

const tulle__estimator tulle__csr2_estimator = { estimate, prices, 0.9 };
