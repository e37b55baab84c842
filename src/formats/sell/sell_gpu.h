/* sell_gpu.h -- sell on a GPU; internal to the format. */
#ifndef TULLE_FORMATS_SELL_SELL_GPU_H
#define TULLE_FORMATS_SELL_SELL_GPU_H

#include "formats/sell/sell_convert.h"
#include "gpu/gpu_plan.h"

extern const tulle__gpu_format tulle__sell_gpu;

tulle_status tulle__sell_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out);
void tulle__sell_gpu_check(tulle__gpu_check *c);

/* ---- the layout ----
 *
 * Chunks of sell.h, all rows in them, with a shorter description of each: sell.gpu says what its words are. */

enum {
	SELL_GPU_FIRST,
	SELL_GPU_ORIGIN,
	SELL_GPU_KIND,
	SELL_GPU_STEPS,
	SELL_GPU_WORDS,
	SELL_GPU_KIND_BITS = 2,
	SELL_GPU_SIGMA = 1024, /* the default */
	SELL_GPU_UNITS = 16    /* of col: columns of a chunk begin at a multiple of this */
};

/* Default number of rows of a chunk: that of a warp, but at least 32. */
static inline int tulle__sell_gpu_height(int warp)
{
	return warp > SELL_TALLEST ? warp : SELL_TALLEST;
}

/* Levels of chunk c: pairs of the number of rows that have an entry and the step where the last of them ends.
 * Returns 0 if all rows have the same length. `to` may be NULL. */
int64_t tulle__sell_gpu_levels(const sell_data *d, int64_t c, int32_t *to);

/* Chunks whose rows are not consecutive, and levels of all chunks. */
typedef struct {
	int64_t scattered, levels;
} sell_gpu_counts;

sell_gpu_counts tulle__sell_gpu_count(const sell_data *d);

/* Bytes of all arrays, with offsets of `index` bytes. */
double tulle__sell_gpu_bytes(const sell_data *d, const sell_gpu_counts *counts, size_t index);

#endif
