/* batch_handle.h -- the struct of a tulle_batch. */
#ifndef TULLE_API_BATCH_HANDLE_H
#define TULLE_API_BATCH_HANDLE_H

#include "api/handles.h"
#include "batch/batch_store.h"
#include "tulle_batch.h"

struct tulle_batch {
	/* what a multiplication reads, together */
	tulle__env *env;
	tulle__executable run; /* TULLE_PACKED, TULLE_INTERLEAVED; the pool holds batch_slots */
	tulle__batch_store store;
	int64_t x_size[2], y_size[2]; /* of each layout, in elements */

	/* the rest of its life */
	tulle_context *context;
	tulle__batch_classes classes;
	int64_t rows, cols, nnz;
	int64_t *x_at, *y_at; /* of each problem */
	int ones;
	double multiplies, seconds;
};

/* Working memory for a call: one slot per thread that may be working. */
tulle_status tulle__make_slots(const tulle_batch *b, int count, batch_slots **out);

#endif
