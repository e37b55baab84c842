/* hot_build.h -- CSR to hot columns; internal to the format. */
#ifndef TULLE_FORMATS_HOT_HOT_BUILD_H
#define TULLE_FORMATS_HOT_HOT_BUILD_H

#include "core/env.h"
#include "core/format.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"
#include "formats/hot/hot.h"

/* Where a column of the matrix goes: layer rank >> 16, number rank & 0xffff there; cold columns have no
 * number. */
typedef int32_t hot_rank;

enum {
	HOT_NUMBER_BITS = 16,

	/* Nonzeros per column from which a block pays off (measured): its part of x is copied, and each row
	 * that touches it is visited once more. */
	HOT_WORTH = 3
};

/* Choose the hot columns: sets hot, column and blocks of d. `blocks` 0: as many as pay off. The
 * caller frees *rank, which has an element per column, also after a failure. */
tulle_status tulle__hot_choose(hot_data *d, const tulle__csr *a, int64_t blocks, tulle__env *env,
                               hot_rank **rank);

/* Divide the rows into parts, and build the layers, without values. On failure d owns what was
 * allocated. */
tulle_status tulle__hot_lay_out(hot_data *d, const tulle__csr *a, const hot_rank *rank,
                                tulle__env *env);

/* Find the class of the values, and set them. On failure nothing has changed. */
tulle_status tulle__hot_set_values(hot_data *d, const tulle__csr *a, tulle__env *env);

/* The slots of a row in a layer, in the order of the row; `lane` counts through all chunks of the
 * layer. A row with its own chunk is treated as a single lane. */
static inline tulle__lane hot_top_of(const hot_data *d, const hot_layer *l, int64_t lane)
{
	const int64_t c = lane / d->height;
	const hot_chunk *chunk = &l->chunk[c];
	tulle__lane top = chunk->lanes == HOT_ONE_ROW
	                      ? tulle__lane_top(NULL, 1, INT64_MAX, 0)
	                      : tulle__lane_top(l->length + c * d->height, d->height, chunk->full,
	                                        (int)(lane % d->height));

	top.at += chunk->base;
	return top;
}

/* Nonzeros of the row in lane `lane` of a chunk. */
static inline int64_t hot_row_length(const hot_data *d, const hot_layer *l, int64_t chunk, int lane)
{
	const int32_t *length = l->length + chunk * d->height;

	return l->chunk[chunk].lanes == HOT_ONE_ROW ? tulle__chunk_entries(length, d->height)
	                                            : length[lane];
}

/* Lanes that begin a row. */
static inline int hot_rows_of(const hot_layer *l, int64_t chunk)
{
	return l->chunk[chunk].lanes == HOT_ONE_ROW ? 1 : l->chunk[chunk].lanes;
}

static inline int hot_is_cold(const hot_data *d, const hot_layer *l)
{
	return l == &d->layer[d->blocks];
}

/* Predicted cost (hot_estimate.c). */
extern const tulle__estimator tulle__hot_estimator;

#endif
