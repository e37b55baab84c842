/* sell_estimate.c -- cost of sell, from the storage of columns and values and from padding. */
#include "analysis/cost.h"
#include "formats/sell/sell_convert.h"

#include <math.h>
#include <stdio.h>

#define PRICE_FILE "formats/sell/sell_prices.def"
#include "analysis/price_table.h"

/* Strips have one column index per step; most share the list of the chunk before. */
static double column_bytes(const tulle__features *f)
{
	const double near = fmax(0, f->near - f->strips), far = 1 - fmax(f->near, f->strips);

	return 2 * near + 4 * far;
}

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double nonzeros = (double)f->nnz, value = tulle__coded_bytes(f, request);
	const double in_lanes = (1 - f->long_nonzeros) * nonzeros, strips = f->strips * in_lanes;
	const double steps =
	    request->ordered
	        ? fmax(f->steps[TULLE__WINDOW], f->row.max / fmax(1, f->row.mean) / TULLE__LANE_ROWS)
	        : f->steps[TULLE__WINDOW];

	out->bytes = nonzeros * (column_bytes(f) + value * (1 - f->stencil)) + 6 * (double)f->rows;
	out->own_bytes = out->bytes;
	snprintf(out->because, sizeof out->because,
	         "it processes one row per lane (%.0f %% of lanes used), %.1f bytes per nonzero "
	         "predicted, CSR %.1f",
	         100 / steps, out->bytes / fmax(1, nonzeros), f->csr_bytes / fmax(1, nonzeros));
	tulle__count_multiplication(f, out);
	out->multiply.amount[TULLE__STEPS] = (in_lanes - strips) * steps + f->long_nonzeros * nonzeros;
	out->multiply.amount[TULLE__LOADS] = strips;
	tulle__count_gathers(f, nonzeros, &out->multiply);
	tulle__count_conversion(f, out->own_bytes, &out->convert);
	out->convert.amount[TULLE__LOADS] = strips;
}

const tulle__estimator tulle__sell_estimator = { estimate, prices, 0.55 };
