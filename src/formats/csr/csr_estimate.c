/* csr_estimate.c -- what csr costs: nothing to convert, all bytes to read. */
#include "analysis/cost.h"
#include "formats/csr/csr.h"

#include <math.h>
#include <stdio.h>

static const tulle__prices prices[TULLE__ISAS] = {
#include "formats/csr/csr_prices.def"
};

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	(void)request;
	out->bytes = f->csr_bytes;
	snprintf(out->because, sizeof out->because,
	         "it reads the arrays as they are, so nothing is converted");
	tulle__count_multiplication(f, out);
	/* Rows of unlike lengths side by side are branches that nobody foresees. */
	out->multiply.amount[TULLE__LOADS] =
	    fmax(0, f->steps[TULLE__UNSORTED] - 1) * (1 - f->long_nonzeros) * (double)f->nnz;
	tulle__count_gathers(f, (double)f->nnz, &out->multiply);
	out->convert.amount[TULLE__CALLS] = 1;
}

const tulle__estimator tulle__csr_estimator = { estimate, prices };
