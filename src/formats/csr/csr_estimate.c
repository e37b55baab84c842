/* csr_estimate.c -- cost of csr: no conversion, all bytes are read. */
#include "analysis/cost.h"
#include "formats/csr/csr.h"

#include <math.h>
#include <stdio.h>

#define PRICE_FILE "formats/csr/csr_prices.def"
#include "analysis/price_table.h"

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	(void)request;
	out->bytes = f->csr_bytes;
	tulle__count_widening(f, out);
	snprintf(out->because, sizeof out->because, "it uses the CSR arrays as they are, %s",
	         out->own_bytes > 0 ? "except that values are widened to f32" : "without conversion");
	tulle__count_multiplication(f, out);
	/* Neighbouring rows of different lengths cause mispredicted branches. */
	out->multiply.amount[TULLE__LOADS] =
	    fmax(0, f->steps[TULLE__UNSORTED] - 1) * (1 - f->long_nonzeros) * (double)f->nnz;
	tulle__count_gathers(f, (double)f->nnz, &out->multiply);
	out->convert.amount[TULLE__CALLS] = 1;
}

const tulle__estimator tulle__csr_estimator = { estimate, prices, 0.33 };
