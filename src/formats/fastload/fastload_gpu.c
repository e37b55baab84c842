/* fastload_gpu.c -- FastLoad on a GPU: choice and launches of kernels. */
#include "formats/fastload/fastload_gpu.h"
#include "formats/fastload/fastload.gpu.h"
#include "gpu/gpu_check.h"
#include "gpu/vectors.gpu.h"

#include <inttypes.h>
#include <stdio.h>

enum { ADD, HEIGHT };                         /* params */
enum { SUMS, ATOMICS, GATHERED, REARRANGED }; /* add= */
enum { WARPS = 2 };                           /* of a block: sec. V-A */

static const tulle__gpu_variant variants[] = {
	{ "add=sums,height=1", "one sum per run of lanes (the paper's optimized)", 0, 0 },
	{ "add=sums,height=0", "one sum per run of lanes, blocks of any height", 0, 0 },
	{ "add=atomics,height=0", "one atomic per entry, blocks of any height", 0, 0 },
	{ "add=atomics,height=1", "one atomic per entry, blocks 1 high", 0, 0 },
	{ "add=atomics,height=2", "one atomic per entry, blocks 2 high", 0, 0 },
	{ "add=atomics,height=4", "one atomic per entry, blocks 4 high", 0, 0 },
	{ "add=atomics,height=8", "one atomic per entry, blocks 8 high", 0, 0 },
	{ "add=atomics,height=16", "one atomic per entry, blocks 16 high", 0, 0 },
	{ "add=atomics,height=32", "one atomic per entry, blocks 32 high", 0, 0 },
	{ "add=gathered", "two phases, sums gather the products", TULLE__GPU_SAME_BITS, 0 },
	{ "add=rearranged", "two phases, products re-arranged between", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

/* Two warps per block, as in the paper. One if shuffles are implemented by barriers of the block,
 * because warps diverge. */
static int threads_of(const tulle__gpu_plan *plan)
{
	return plan->device->width * (plan->device->shuffles ? WARPS : 1);
}

static int64_t warp_blocks(const tulle__gpu_plan *plan, int64_t warps)
{
	return tulle__gpu_blocks(warps, threads_of(plan) / plan->device->width);
}

static tulle_status step_permute(tulle__gpu_plan *plan, const tulle__fastload_blocks *b)
{
	const int threads = tulle__gpu_block(plan->device);

	return tulle__gpu_step(plan, TULLE__LAUNCH(permute, tulle__gpu_blocks(plan->cols, threads),
	                                           threads, .n = plan->cols, .order = b->permutation,
	                                           .to = TULLE__GPU_SCRATCH));
}

/* First arguments of every kernel over blocks. */
#define BLOCKS(b)                                                                            \
	.count = (b)->blocks, .first = (b)->first, .column = (b)->column, .length = (b)->length, \
	.height = (b)->height

/* ---- atomics ---- */

static tulle_status step_atomics(tulle__gpu_plan *plan, const tulle__fastload_blocks *b)
{
	return tulle__gpu_step(plan, TULLE__LAUNCH(fastload_atomics, warp_blocks(plan, b->blocks),
	                                           threads_of(plan), BLOCKS(b), .row = b->row,
	                                           .val = b->val, .x = TULLE__GPU_SCRATCH));
}

static tulle_status step_sums(tulle__gpu_plan *plan, tulle__fastload_blocks *b)
{
	const tulle_status s = tulle__fastload_gpu_kinds(plan, b);

	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(plan,
	                       TULLE__LAUNCH(fastload_sums, warp_blocks(plan, b->blocks),
	                                     threads_of(plan), BLOCKS(b), .kind = b->kind,
	                                     .row = b->row, .val = b->val, .x = TULLE__GPU_SCRATCH));
}

static tulle_status build_atomics(tulle__gpu_plan *plan, tulle__fastload_blocks *b, int add)
{
	tulle_status s = tulle__gpu_step_scale(plan);

	plan->atomics = 1;
	if (plan->nnz == 0)
		return s;
	tulle__gpu_scratch(plan, (size_t)plan->cols * tulle__value_size(plan->types.value));
	if (s == TULLE_OK)
		s = step_permute(plan, b);
	if (s == TULLE_OK)
		s = add == SUMS ? step_sums(plan, b) : step_atomics(plan, b);
	return s;
}

/* ---- two phases ---- */

static tulle_status step_products(tulle__gpu_plan *plan, const tulle__fastload_blocks *b, int add)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle_status s = step_permute(plan, b);

	if (s == TULLE_OK)
		s = tulle__gpu_step(plan, TULLE__LAUNCH(fastload_products, warp_blocks(plan, b->blocks),
		                                        threads_of(plan), .cols = plan->cols, BLOCKS(b),
		                                        .val = b->val, .scratch = TULLE__GPU_SCRATCH));
	if (s == TULLE_OK && add == REARRANGED)
		s = tulle__gpu_step(plan,
		                    TULLE__LAUNCH(fastload_rearrange, tulle__gpu_blocks(plan->nnz, threads),
		                                  threads, .cols = plan->cols, .nnz = plan->nnz,
		                                  .where = b->where, .scratch = TULLE__GPU_SCRATCH));
	return s;
}

static tulle_status build_phases(tulle__gpu_plan *plan, const tulle__fastload_blocks *b, int add)
{
	const int threads = tulle__gpu_block(plan->device);
	const int shift = tulle__gpu_lanes(plan->device, plan->rows, plan->nnz, TULLE__GPU_IN_FLIGHT);
	const int64_t begin = plan->cols + (add == REARRANGED ? plan->nnz : 0);
	tulle_status s = TULLE_OK;

	if (plan->nnz > 0) {
		tulle__gpu_scratch(plan,
		                   (size_t)(begin + plan->nnz) * tulle__value_size(plan->types.value));
		s = step_products(plan, b, add);
	}
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH(fastload_rows, tulle__gpu_blocks(plan->rows << shift, threads), threads,
	                        .rows = plan->rows, .shift = shift, .gathered = add == GATHERED,
	                        .begin = begin, .row_ptr = b->row_ptr, .where = b->where,
	                        .scratch = TULLE__GPU_SCRATCH));
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	const int add = (int)params->value[ADD], phases = add == GATHERED || add == REARRANGED;
	const int64_t limit = params->value[HEIGHT] > 0 ? params->value[HEIGHT] : TULLE__I32_MAX;
	tulle__fastload_blocks b;
	const tulle_status s = tulle__fastload_gpu_convert(plan, a, limit, phases, &b);

	if (s != TULLE_OK)
		return s;
	snprintf(plan->note, sizeof plan->note, "%" PRId64 " blocks of %d columns", b.blocks,
	         plan->device->width);
	return phases ? build_phases(plan, &b, add) : build_atomics(plan, &b, add);
}

/* ---- check ---- */

/* Check kind[] of a block, whose rows are known. */
static int kind_of(const tulle__gpu_numbers *row, int64_t first, int64_t length, int64_t height,
                   int width)
{
	enum { SHORT, UNIFORM, RUNS }; /* fastload.gpu */
	int changes = 0;

	for (int64_t k = first; k < first + length * height; k++)
		changes |= (k - first) % length > 0 && row->at[k] != row->at[k - 1];
	return length < width ? SHORT : changes ? RUNS : UNIFORM;
}

/* Blocks are contiguous, and have some of the sorted columns. */
static void check_blocks(tulle__gpu_check *c, const tulle__gpu_numbers *row)
{
	const int width = c->plan->device->width;
	const int64_t count = tulle__gpu_number(c, "fastload", "count");
	const tulle__gpu_numbers first = tulle__gpu_fetch(c, "fastload", "first", count);
	const tulle__gpu_numbers column = tulle__gpu_fetch(c, "fastload", "column", count);
	const tulle__gpu_numbers length = tulle__gpu_fetch(c, "fastload", "length", count);
	const tulle__gpu_numbers height = tulle__gpu_fetch(c, "fastload", "height", count);
	const tulle__gpu_numbers kind = tulle__gpu_fetch(c, "fastload", "kind", 0);

	tulle__gpu_check_inside(c, &length, count, width + 1);
	tulle__gpu_check_inside(c, &height, count, c->plan->nnz + 1);
	for (int64_t b = 0; b < count && c->status == TULLE_OK; b++) {
		const int64_t begin = c->entries;

		if (first.at[b] != begin)
			tulle__gpu_wrong(c, &first, b);
		if (column.at[b] < 0 || column.at[b] + length.at[b] > c->plan->cols)
			tulle__gpu_wrong(c, &column, b);
		c->entries += length.at[b] * height.at[b];
		if (c->entries > c->plan->nnz)
			tulle__gpu_wrong(c, &height, b);
		else if (kind.at && kind.at[b] != kind_of(row, begin, length.at[b], height.at[b], width))
			tulle__gpu_wrong(c, &kind, b);
	}
}

static void check(tulle__gpu_check *c)
{
	const int64_t rows = c->plan->rows, cols = c->plan->cols, nnz = c->plan->nnz;
	const tulle__gpu_numbers order = tulle__gpu_fetch(c, "vectors", "order", cols);
	const tulle__gpu_numbers row = tulle__gpu_fetch(c, "fastload", "row", nnz);
	const tulle__gpu_numbers row_ptr = tulle__gpu_fetch(c, "fastload", "row_ptr", rows + 1);
	const tulle__gpu_numbers where = tulle__gpu_fetch(c, "fastload", "where", nnz);

	tulle__gpu_check_distinct(c, &order, cols, cols);
	tulle__gpu_check_inside(c, &row, nnz, rows);
	tulle__gpu_check_cuts(c, &row_ptr, rows + 1, nnz);
	tulle__gpu_check_distinct(c, &where, nnz, nnz);
	check_blocks(c, &row);
}

const tulle__gpu_format tulle__fastload_gpu = {
	.tunables = "add=sums,atomics,gathered,rearranged height=0..32:1",
	.variant = variants,
	.build = build,
	.check = check,
};
