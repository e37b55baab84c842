/* sort.c -- a stable sort on the device: the passes of sort.gpu. */
#include "gpu/sort.h"

#include "gpu/scan.h"
#include "gpu/sort.gpu.h"

enum { DIGIT_BITS = 4, DIGITS = 1 << DIGIT_BITS };

typedef struct {
	tulle__gpu_memory key, item;
} sorted;

/* One pass, from `from` to `to`. In the first pass, item i is number i. */
static tulle_status pass(tulle__gpu_plan *plan, int64_t n, int shift, const sorted *from,
                         const sorted *to, tulle__gpu_memory count)
{
	const int threads = tulle__gpu_block(plan->device);
	const int64_t blocks = tulle__gpu_blocks(n, threads);
	tulle__gpu_memory first;
	tulle_status s =
	    tulle__gpu_run(plan, TULLE__LAUNCH(sort_count, blocks, threads, .n = n, .shift = shift,
	                                       .key = from->key, .count = count));

	if (s == TULLE_OK)
		s = tulle__gpu_scan(plan, count, blocks * DIGITS, &first, NULL);
	if (s != TULLE_OK)
		return s;
	s = tulle__gpu_run(plan,
	                   TULLE__LAUNCH(sort_move, blocks, threads, .n = n, .shift = shift,
	                                 .numbered = shift == 0, .key = from->key, .item = from->item,
	                                 .first = first, .key_to = to->key, .item_to = to->item));
	tulle__gpu_drop(plan, first);
	return s;
}

static tulle_status room(tulle__gpu_plan *plan, int64_t n, sorted *out)
{
	const tulle_status s = tulle__gpu_array(plan, NULL, n, sizeof(int32_t), &out->key);

	return s != TULLE_OK
	           ? s
	           : tulle__gpu_array(plan, NULL, n, tulle__index_size(plan->types.index), &out->item);
}

tulle_status tulle__gpu_sort(tulle__gpu_plan *plan, tulle__gpu_memory key, int64_t n,
                             int64_t largest, tulle__gpu_memory *order)
{
	const int64_t counts = tulle__gpu_blocks(n, tulle__gpu_block(plan->device)) * DIGITS;
	sorted now, next;
	tulle__gpu_memory count;
	tulle_status s = room(plan, n, &now);

	if (s == TULLE_OK)
		s = room(plan, n, &next);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, NULL, counts, sizeof(int32_t), &count);
	for (int shift = 0; s == TULLE_OK && (shift == 0 || largest >> shift > 0);
	     shift += DIGIT_BITS) {
		const sorted from = { shift == 0 ? key : now.key, now.item }, old = now;

		s = pass(plan, n, shift, &from, &next, count);
		now = next;
		next = old;
	}
	if (s != TULLE_OK)
		return s;
	tulle__gpu_drop(plan, now.key);
	tulle__gpu_drop(plan, next.key);
	tulle__gpu_drop(plan, next.item);
	tulle__gpu_drop(plan, count);
	*order = now.item;
	return TULLE_OK;
}
