/* bsell_estimate.c -- the block size that needs the fewest bytes, and its cost. */
#include "analysis/cost.h"
#include "formats/bsell/bsell_convert.h"

#include <stdio.h>

#define PRICE_FILE "formats/bsell/bsell_prices.def"
#include "analysis/price_table.h"

/* Bytes of values, masks of blocks that are not full, 16-bit columns, and two integers per block row. */
static double bytes_of(double nonzeros, double rows, double fill, int b, double value)
{
	const double slots = nonzeros / fill;

	return slots * value + (fill < 1 ? slots / 8 : 0) + slots / (b * b) * sizeof(uint16_t) +
	       rows / b * 2 * sizeof(int32_t);
}

int tulle__bsell_best_size(const double fill[TULLE__BLOCK_SIZES], double nonzeros, double rows,
                           double value)
{
	int best = 0;

	for (int n = 1; n < TULLE__BLOCK_SIZES; n++)
		if (bytes_of(nonzeros, rows, fill[n], tulle__block_sizes[n], value) <
		    bytes_of(nonzeros, rows, fill[best], tulle__block_sizes[best], value))
			best = n;
	return best;
}

int tulle__bsell_stored_size(int64_t height, int64_t width, int wanted)
{
	for (int n = TULLE__BLOCK_SIZES - 1; n >= 0; n--) {
		const int b = tulle__block_sizes[n];

		if (height % b == 0 && width % b == 0 && (wanted == 0 || wanted == b))
			return b;
	}
	return 0;
}

/* From stored blocks: these are read instead of CSR, and no search for blocks is needed. */
static void count_from_blocks(const tulle__features *f, double slots, tulle__estimate *out)
{
	out->convert.amount[TULLE__BYTES] += f->block_bytes - f->csr_bytes;
	out->convert.amount[TULLE__STEPS] = slots / (double)(f->block_height * f->block_width);
	out->convert.amount[TULLE__ROWS] = (double)f->rows / (double)f->block_height;
}

static void estimate(const tulle__features *f, const tulle__request *request, tulle__estimate *out)
{
	const double nonzeros = (double)f->nnz, rows = (double)f->rows;
	const int best = tulle__bsell_best_size(f->fill, nonzeros, rows, f->value_bytes);
	const int stored =
	    f->block_height > 0 ? tulle__bsell_stored_size(f->block_height, f->block_width, 0) : 0;
	const int size = stored ? stored : tulle__block_sizes[best];
	const double b = size, fill = stored ? 1 : f->fill[best], slots = nonzeros / fill;

	(void)request;
	out->bytes = bytes_of(nonzeros, rows, fill, size, f->value_bytes);
	out->own_bytes = out->bytes;
	snprintf(
	    out->because, sizeof out->because,
	    "the nonzeros form dense blocks of %.0f x %.0f, %.0f %% full, with one column index each",
	    b, b, 100 * fill);
	/* Long rows are not split: all lanes of a chunk wait for its longest row. */
	if (f->long_nonzeros > .05 || (f->row.max > 64 * (f->row.mean + 8)))
		out->refuses = "a few rows are much longer than the others";
	tulle__count_multiplication(f, out);
	out->multiply.amount[TULLE__STEPS] = slots / b * f->steps[TULLE__WINDOW];
	out->multiply.amount[TULLE__LOADS] = slots * f->steps[TULLE__WINDOW];
	out->multiply.amount[TULLE__ROWS] = rows / b;
	tulle__count_gathers(f, nonzeros / b, &out->multiply);
	tulle__count_conversion(f, out->own_bytes, &out->convert);
	out->convert.amount[TULLE__LOADS] = slots;
	if (stored)
		count_from_blocks(f, slots, out);
}

const tulle__estimator tulle__bsell_estimator = { estimate, prices, 1.1 };
