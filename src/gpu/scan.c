/* scan.c -- sums of sizes on the device, in two launches. */
#include "gpu/scan.h"
#include "gpu/scan.gpu.h"

enum { MOST_BLOCKS = 256 };

/* The last range of sizes ends at n. There is at least one range, also if n is 0. */
static int64_t stretches(int64_t n, int64_t each)
{
	return n > 0 ? (n - 1) / each + 1 : 1;
}

static tulle_status add_up(tulle__gpu_plan *plan, tulle__gpu_memory sum, int64_t count,
                           int64_t *total)
{
	int64_t sums[MOST_BLOCKS];
	const tulle_index_type type = plan->types.index;
	const tulle_status s =
	    tulle__gpu_read(plan, sum, sums, (size_t)count * tulle__index_size(type));

	*total = 0;
	for (int64_t b = 0; s == TULLE_OK && b < count; b++)
		*total += tulle__index_at(sums, type, b);
	return s;
}

tulle_status tulle__gpu_scan(tulle__gpu_plan *plan, tulle__gpu_memory size, int64_t n,
                             tulle__gpu_memory *first, int64_t *total)
{
	const int threads = tulle__gpu_block(plan->device);
	const int64_t steps = tulle__gpu_blocks(tulle__gpu_blocks(n, threads), MOST_BLOCKS);
	const int64_t each = (steps > 0 ? steps : 1) * threads, blocks = stretches(n, each);
	const size_t width = tulle__index_size(plan->types.index);
	tulle__gpu_memory sum;
	tulle_status s = tulle__gpu_array(plan, NULL, n + 1, width, first);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, NULL, blocks, width, &sum);
	if (s != TULLE_OK)
		return s;
	s = tulle__gpu_run(plan, TULLE__LAUNCH(scan_sums, blocks, threads, .n = n, .each = each,
	                                       .size = size, .sum = sum));
	if (s == TULLE_OK)
		s = tulle__gpu_run(plan, TULLE__LAUNCH(scan_fill, blocks, threads, .n = n, .each = each,
		                                       .size = size, .sum = sum, .first = *first));
	if (s == TULLE_OK && total)
		s = add_up(plan, sum, blocks, total);
	tulle__gpu_drop(plan, sum);
	return s;
}

tulle_status tulle__gpu_zeros(tulle__gpu_plan *plan, int64_t n, tulle__gpu_memory *out)
{
	const int threads = tulle__gpu_block(plan->device);
	const tulle_status s = tulle__gpu_array(plan, NULL, n, sizeof(int32_t), out);

	return s != TULLE_OK ? s
	                     : tulle__gpu_run(plan, TULLE__LAUNCH(zeros, tulle__gpu_blocks(n, threads),
	                                                          threads, .n = n, .to = *out));
}
