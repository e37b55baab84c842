/* batch_source.h -- a batch of the bench as the library takes it. */
#ifndef BENCH_BATCH_SOURCE_H
#define BENCH_BATCH_SOURCE_H

#include "competitor.h"
#include "tulle_batch.h"

static inline tulle_batch_source bench_batch_source(const bench_batch *b, int f32)
{
	return (tulle_batch_source){ .size = sizeof(tulle_batch_source),
		                         .count = b->count,
		                         .rows = b->rows,
		                         .cols = b->cols,
		                         .offset_type = TULLE_I32,
		                         .column_type = TULLE_I32,
		                         .value_type = f32 ? TULLE_F32 : TULLE_F64,
		                         .row_ptr = b->row_ptr,
		                         .col = b->col,
		                         .val = b->val,
		                         .row_at = b->row_at,
		                         .col_at = b->col_at,
		                         .val_at = b->val_at,
		                         .x_at = b->x_at,
		                         .y_at = b->y_at };
}

#endif
