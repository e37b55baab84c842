/* hot_estimate.c -- cost of hot: gathers from its blocks, misses only for the cold columns. */
#include "analysis/cost.h"
#include "formats/hot/hot_build.h"

#include <math.h>
#include <stdio.h>

#define PRICE_FILE "formats/hot/hot_prices.def"
#include "analysis/price_table.h"

/* Another block pays off while its columns have HOT_WORTH nonzeros on average. */
static int blocks_of(const tulle__features *f)
{
	const double worth = (double)HOT_WORTH * TULLE__HOT_COLUMNS;
	int blocks = 1;

	while (blocks < TULLE__HOT_BLOCKS && blocks * (double)TULLE__HOT_COLUMNS < (double)f->cols &&
	       (f->hot[blocks] - f->hot[blocks - 1]) * (double)f->nnz >= worth)
		blocks++;
	return blocks;
}

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double nonzeros = (double)f->nnz, rows = (double)f->rows * (1 - f->empty_rows);
	const double value = tulle__is_half(f->values) ? sizeof(float) : tulle__coded_bytes(f, request);
	const int blocks = blocks_of(f);
	const double hot = f->hot[blocks - 1] * nonzeros, cold = nonzeros - hot;
	const double columns = fmin((double)f->cols, (double)blocks * TULLE__HOT_COLUMNS);
	double taken_up = rows + fmin(rows, cold); /* rows, counted once per layer */

	if (f->misses_l2 < TULLE__WORTH_MISSES)
		out->refuses = "x already fits in cache";
	for (int b = 1; b < blocks; b++)
		taken_up += fmin(rows, (f->hot[b] - f->hot[b - 1]) * nonzeros);
	out->bytes = nonzeros * value + 2 * hot + 4 * cold + 9 * taken_up;
	out->own_bytes = out->bytes + 4 * nonzeros;
	snprintf(out->because, sizeof out->because,
	         "%.0f %% of the reads of x miss the cache; %.0f %% go to %.0f hot columns, stored "
	         "together",
	         100 * f->misses_l2, 100 * f->hot[blocks - 1], columns);
	tulle__count_multiplication(f, out);
	out->multiply.amount[TULLE__BYTES] += 2 * columns * f->value_bytes;
	out->multiply.amount[TULLE__GATHERS] = hot;
	out->multiply.amount[TULLE__MISSES] = cold * fmin(1, f->misses_l2 * nonzeros / fmax(1, cold));
	out->multiply.amount[TULLE__LOADS] = columns;
	out->multiply.amount[TULLE__ROWS] = taken_up;
	tulle__count_conversion(f, out->own_bytes, &out->convert);
	out->convert.amount[TULLE__ROWS] = taken_up;
	out->convert.amount[TULLE__MISSES] = nonzeros * f->misses_l2;
}

const tulle__estimator tulle__hot_estimator = { estimate, prices, 2 };
