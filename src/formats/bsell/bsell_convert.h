/* bsell_convert.h -- CSR or block CSR to SELL of blocks and back; internal to the format. */
#ifndef TULLE_FORMATS_BSELL_BSELL_CONVERT_H
#define TULLE_FORMATS_BSELL_BSELL_CONVERT_H

#include "analysis/block_features.h"
#include "core/env.h"
#include "core/format.h"
#include "csr/block_csr.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"
#include "formats/bsell/bsell.h"

/* Index of the block size with the fewest bytes, from the fill (nonzeros / slots) of each size; the
 * smallest size for an empty matrix. */
int tulle__bsell_best_size(const double fill[TULLE__BLOCK_SIZES], double nonzeros, double rows,
                           double value);

/* The largest block size that divides blocks of height x width; 0: none. `wanted`: only this size; 0: any. */
int tulle__bsell_stored_size(int64_t height, int64_t width, int wanted);

/* The source of a conversion: CSR, or block CSR whose blocks are divided into those of d->b. */
typedef struct {
	const tulle__csr *a;      /* NULL: blocks */
	const tulle__bsr *blocks; /* NULL: a */
} tulle__bsell_source;

/* Everything except columns, values and masks, whose arrays are only allocated. rows, cols, nnz,
 * value_type, b and height of d are set. On failure d owns what was allocated. */
tulle_status tulle__bsell_lay_out(bsell_data *d, const tulle__bsell_source *from, int64_t sigma,
                                  tulle__env *env);

/* Columns, masks and values; and values only, for the same pattern. */
void tulle__bsell_fill(bsell_data *d, const tulle__bsell_source *from, tulle__env *env);
void tulle__bsell_set_values(bsell_data *d, const tulle__bsell_source *from, tulle__env *env);

/* The inverse: entries of row i to row_ptr[i], row_ptr[i] + 1, ... */
void tulle__bsell_count_rows(const bsell_data *d, int64_t *length, tulle__env *env);
void tulle__bsell_give_back(const bsell_data *d, const int64_t *row_ptr, int32_t *col, void *val,
                            tulle__env *env);

/* ---- in the stored arrays ---- */

static inline tulle__lane bsell_top_of(const bsell_data *d, int64_t c, int r)
{
	return tulle__lane_top(d->length + c * d->height, d->height, d->chunk[c].full, r);
}

/* Where the values of a lane's block begin. Their stride is the number of lanes of the step. */
static inline int64_t bsell_slot_at(const bsell_chunk *chunk, const tulle__lane *at, int b)
{
	return chunk->base + (at->at - at->r) * b * b + at->r;
}

static inline unsigned bsell_mask_at(const bsell_data *d, int64_t n)
{
	return bsell_mask_size(d->value_type) == 1 ? ((const uint8_t *)d->mask)[n]
	                                           : ((const uint16_t *)d->mask)[n];
}

/* Block column of the n-th block of a chunk. */
static inline int32_t bsell_column_at(const bsell_data *d, const bsell_chunk *chunk, int64_t n)
{
	const uint16_t *near = d->col + chunk->col;

	return chunk->origin == BSELL_FAR ? ((const int32_t *)(const void *)near)[n]
	                                  : near[n] + chunk->origin;
}

/* All invariants. */
tulle_status tulle__bsell_check(const void *data, tulle__env *env);

/* Predicted cost (bsell_estimate.c). */
extern const tulle__estimator tulle__bsell_estimator;

#endif
