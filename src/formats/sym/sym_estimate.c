/* sym_estimate.c -- cost of sym: half the bytes, twice the sums, and the halos; blocks or strips. */
#include "analysis/cost.h"
#include "formats/sym/sym_convert.h"

#include <math.h>
#include <stdio.h>

#define PRICE_FILE "formats/sym/sym_prices.def"
#include "analysis/price_table.h"

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double rows = (double)f->rows, half = ((double)f->nnz + rows) / 2;
	const double halo = f->halo * rows * f->value_bytes;
	const int parts = tulle__type_of(f->value_type)->parts;
	double full = 0, strips, column;

	(void)request;
	if (!f->symmetric) {
		out->refuses = parts == 2 ? "the matrix is neither symmetric nor Hermitian"
		                          : "the matrix is not symmetric";
		return;
	}
	if (f->given_bytes == 0 && parts == 2) {
		out->refuses = "it multiplies by values, and this matrix has none";
		return;
	}
	for (int n = 0; n < TULLE__BLOCK_SIZES; n++)
		full = fmax(full, f->full[n]);
	strips = f->runs > full ? f->runs : 0;
	full = strips > 0 ? 0 : full;
	column = 2 * (1 - full - strips) + .3 * full;
	out->bytes = half * (f->value_bytes + column) + 4 * (1 - strips) * rows;
	out->own_bytes = out->bytes;
	snprintf(out->because, sizeof out->because,
	         "the matrix is %s, so only half of it is stored and read",
	         f->symmetric == TULLE__IS_SKEW        ? "skew-symmetric"
	         : f->symmetric == TULLE__IS_HERMITIAN ? "Hermitian"
	                                               : "symmetric");
	if (4 * halo > out->bytes)
		out->refuses = "its entries are too far from the diagonal";
	tulle__count_multiplication(f, out);
	out->multiply.amount[TULLE__BYTES] = out->bytes + 2 * halo + f->x_bytes + 2 * f->y_bytes;
	out->multiply.amount[TULLE__STEPS] = half * (1 - full - strips);
	out->multiply.amount[TULLE__LOADS] = half * (full + strips);
	tulle__count_gathers(f, half * (1 - strips), &out->multiply);
	tulle__count_conversion(f, out->own_bytes, &out->convert);
	out->convert.amount[TULLE__LOADS] = half * full;
	out->convert.amount[TULLE__MISSES] = half * f->misses_l2;
}

const tulle__estimator tulle__sym_estimator = { estimate, prices, 0.8 };
