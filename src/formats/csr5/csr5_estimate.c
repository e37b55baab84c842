/* csr5_estimate.c -- cost of csr5: slightly more bytes than CSR, independent of row lengths. */
#include "analysis/cost.h"
#include "formats/csr5/csr5_convert.h"

#include <stdio.h>

#define PRICE_FILE "formats/csr5/csr5_prices.def"
#include "analysis/price_table.h"

/* Bytes with tile descriptors and tile_ptr over those of columns and values (README.md). */
static const double DESCRIPTORS = 1.02;

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double nonzeros = (double)f->nnz;

	(void)request;
	out->bytes = DESCRIPTORS * nonzeros * (sizeof(int32_t) + tulle__full_bytes(f)) +
	             (double)f->rows * sizeof(int32_t);
	out->own_bytes = out->bytes;
	snprintf(out->because, sizeof out->because,
	         "it divides the nonzeros into tiles of equal size, whatever the row lengths");
	tulle__count_multiplication(f, out);
	tulle__count_gathers(f, nonzeros, &out->multiply);
	tulle__count_conversion(f, out->own_bytes, &out->convert);
}

const tulle__estimator tulle__csr5_estimator = { estimate, prices, 0.9 };
