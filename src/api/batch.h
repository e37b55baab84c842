/* batch.h -- what is behind a tulle_batch. */
#ifndef TULLE_API_BATCH_H
#define TULLE_API_BATCH_H

#include "api/handles.h"
#include "batch/store.h"
#include "tulle_batch.h"

struct tulle_batch {
	/* what a multiplication reads, together */
	tulle__env *env;
	tulle__phases phases[2]; /* [TULLE_PACKED], [TULLE_INTERLEAVED] */
	tulle__batch_store store;
	int64_t x_size[2], y_size[2]; /* likewise, in elements */
	tulle__scratch_pool *pool;    /* of batch_slots; NULL: no unit needs one */

	/* the rest of its life */
	tulle_context *context;
	tulle__isa isa;
	tulle__batch_classes classes;
	int64_t rows, cols, nnz;
	int64_t *x_at, *y_at; /* of each problem */
	int ones;
	double multiplies, seconds;
};

/* Working memory for a call; *out is NULL when it needs none. */
tulle_status tulle__take_slots(const tulle_batch *b, batch_slots **out);
void tulle__give_slots(const tulle_batch *b, batch_slots *slots);

#endif
