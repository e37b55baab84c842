/* csr5_gpu.c -- CSR5 on a GPU: choice of sigma, launches of the conversion and of a product. */
#include "formats/csr5/csr5_gpu.h"

#include "formats/csr5/csr5.gpu.h"
#include "formats/csr5/csr5.h"
#include "formats/csr5/csr5_convert.gpu.h"
#include "gpu/scan.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIGMA, RULE };       /* params */
enum { AUTO, NVIDIA, AMD }; /* rule= */
enum { UNIT = 32 };         /* bits */
enum { MOST_SIGMA = 48 };   /* csr5.gpu */

static const tulle__gpu_variant variants[] = {
	{ "rule=nvidia", "one warp per tile, sigma by <4, 32, 256, 4>", TULLE__GPU_SAME_BITS, 0 },
	{ "rule=amd", "one warp per tile, sigma by <4, 7, 256, 4>", TULLE__GPU_SAME_BITS, 0 },
	{ "sigma=16", "one warp per tile, 16 nonzeros per lane", TULLE__GPU_SAME_BITS, 0 },
	{ "sigma=32", "one warp per tile, 32 nonzeros per lane", TULLE__GPU_SAME_BITS, 0 },
	{ "sigma=48", "one warp per tile, 48 nonzeros per lane", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

/* The paper's <r, s, t, u> (sec. 3.2): from nonzeros per row to sigma. */
static int sigma_by(const tulle__csr *a, int rule)
{
	const int64_t r = 4, s = rule == AMD ? 7 : 32, t = 256, u = 4;

	if (a->nnz <= r * a->rows)
		return (int)r;
	if (a->nnz <= s * a->rows)
		return (int)(a->nnz / a->rows);
	return (int)(a->nnz <= t * a->rows ? s : u);
}

/* The rule for AMD, if warps are as wide as on AMD. */
static int rule_for(int width)
{
	return width == 64 ? AMD : NVIDIA;
}

int tulle__csr5_gpu_sigma(const tulle__csr *a, int width)
{
	return sigma_by(a, rule_for(width));
}

tulle__csr5_shape tulle__csr5_gpu_shape(int width, int sigma)
{
	const int tile = width * sigma, y_shift = UNIT - (tile > 1 ? csr5_bits(tile) : 1);
	const int seg_shift = y_shift - csr5_bits(width);

	return (tulle__csr5_shape){ .sigma = sigma,
		                        .units = (sigma + UNIT - 1 - seg_shift) / UNIT + 1,
		                        .y_shift = y_shift,
		                        .seg_shift = seg_shift };
}

/* ---- conversion ---- */

static int threads_of(const tulle__gpu_plan *plan)
{
	return tulle__gpu_block(plan->device);
}

/* Number of blocks with one warp per tile. */
static int64_t tile_blocks(const tulle__gpu_plan *plan, int64_t tiles, int threads)
{
	return tulle__gpu_blocks(tiles, threads / plan->device->width);
}

static tulle_status make_tile_ptr(tulle__gpu_plan *plan, tulle__csr5_tiles *c)
{
	const int threads = threads_of(plan);
	const tulle_status s =
	    tulle__gpu_array(plan, NULL, c->tiles + 1, sizeof(uint32_t), &c->tile_ptr);

	return s != TULLE_OK
	           ? s
	           : tulle__gpu_run(
	                 plan, TULLE__LAUNCH(csr5_tile_ptr, tulle__gpu_blocks(c->tiles + 1, threads),
	                                     threads, .rows = plan->rows, .nnz = plan->nnz,
	                                     .tiles = c->tiles, .sigma = c->shape.sigma,
	                                     .row_ptr = c->m.row_ptr, .tile_ptr = c->tile_ptr));
}

static tulle_status make_desc(tulle__gpu_plan *plan, tulle__csr5_tiles *c,
                              tulle__gpu_memory segments)
{
	const int threads = threads_of(plan);
	tulle_status s =
	    tulle__gpu_zeros(plan, c->tiles * c->shape.units * plan->device->width, &c->desc);

	if (s == TULLE_OK)
		s = tulle__gpu_run(plan, TULLE__LAUNCH(csr5_flags, tulle__gpu_blocks(plan->rows, threads),
		                                       threads, .rows = plan->rows, .tiles = c->tiles,
		                                       .sigma = c->shape.sigma, .units = c->shape.units,
		                                       .row_ptr = c->m.row_ptr, .desc = c->desc));
	if (s == TULLE_OK)
		s = tulle__gpu_run(
		    plan, TULLE__LAUNCH(csr5_descriptors, tile_blocks(plan, c->tiles, threads), threads,
		                        .tiles = c->tiles, .sigma = c->shape.sigma, .units = c->shape.units,
		                        .y_shift = c->shape.y_shift, .seg_shift = c->shape.seg_shift,
		                        .row_ptr = c->m.row_ptr, .tile_ptr = c->tile_ptr, .desc = c->desc,
		                        .segments = segments));
	return s;
}

static tulle_status make_empty_offset(tulle__gpu_plan *plan, tulle__csr5_tiles *c,
                                      tulle__gpu_memory segments)
{
	const int threads = threads_of(plan);
	tulle_status s = tulle__gpu_scan(plan, segments, c->tiles, &c->empty_ptr, &c->empty_offsets);

	if (s == TULLE_OK && c->empty_offsets == 0) {
		tulle__gpu_drop(plan, c->empty_ptr);
		s = tulle__gpu_array(plan, NULL, 0, 1, &c->empty_ptr);
	}
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, NULL, c->empty_offsets, sizeof(int32_t), &c->empty_offset);
	if (s != TULLE_OK || c->empty_offsets == 0)
		return s;
	s = tulle__gpu_run(plan,
	                   TULLE__LAUNCH(csr5_empty_offset, tile_blocks(plan, c->tiles, threads),
	                                 threads, .rows = plan->rows, .tiles = c->tiles,
	                                 .sigma = c->shape.sigma, .units = c->shape.units,
	                                 .y_shift = c->shape.y_shift, .row_ptr = c->m.row_ptr,
	                                 .tile_ptr = c->tile_ptr, .desc = c->desc, .segments = segments,
	                                 .empty_ptr = c->empty_ptr, .empty_offset = c->empty_offset));
	if (s == TULLE_OK)
		s = tulle__gpu_run(plan, TULLE__LAUNCH(csr5_mark, tulle__gpu_blocks(c->tiles, threads),
		                                       threads, .tiles = c->tiles, .segments = segments,
		                                       .tile_ptr = c->tile_ptr));
	return s;
}

tulle_status tulle__csr5_gpu_convert(tulle__gpu_plan *plan, const tulle__csr *a, int sigma,
                                     tulle__csr5_tiles *c)
{
	const int width = plan->device->width;
	tulle__gpu_memory segments;
	tulle_status s;

	*c = (tulle__csr5_tiles){ .tiles = a->nnz / (width * sigma),
		                      .shape = tulle__csr5_gpu_shape(width, sigma) };
	s = tulle__gpu_upload(plan, a, &c->m);
	if (s == TULLE_OK)
		s = make_tile_ptr(plan, c);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, NULL, c->tiles, sizeof(int32_t), &segments);
	if (s != TULLE_OK)
		return s;
	s = make_desc(plan, c, segments);
	if (s == TULLE_OK)
		s = make_empty_offset(plan, c, segments);
	tulle__gpu_drop(plan, segments);
	if (s == TULLE_OK)
		s = tulle__gpu_run(plan, TULLE__LAUNCH(csr5_turn, c->tiles, threads_of(plan),
		                                       .sigma = sigma, .col = c->m.col, .val = c->m.val));
	return s;
}

/* ---- product ---- */

/* The kernel with this sigma as a constant; NULL: there is none. The rules choose 4 and 32 (NVIDIA), 4 and 7
 * (AMD) for most matrices. */
static const tulle__csr5_tiles_4_kernel *constant_kernel(int sigma)
{
	switch (sigma) {
	case 4: return &tulle__kernel_csr5_tiles_4;
	case 7: return &tulle__kernel_csr5_tiles_7;
	case 16: return &tulle__kernel_csr5_tiles_16;
	case 32: return &tulle__kernel_csr5_tiles_32;
	case MOST_SIGMA: return &tulle__kernel_csr5_tiles_48;
	default: return NULL;
	}
}

#define TILES(c)                                                                             \
	.tiles = (c)->tiles, .tile_ptr = (c)->tile_ptr, .desc = (c)->desc,                       \
	.empty_ptr = (c)->empty_ptr, .empty_offset = (c)->empty_offset, TULLE__GPU_CSR(&(c)->m), \
	.carry = TULLE__GPU_SCRATCH

static tulle_status step_tiles(tulle__gpu_plan *plan, const tulle__csr5_tiles *c)
{
	const int threads = threads_of(plan);
	const int64_t blocks = tile_blocks(plan, c->tiles, threads);
	const tulle__csr5_tiles_4_kernel *const constant = constant_kernel(c->shape.sigma);

	if (constant)
		return tulle__gpu_step(plan, TULLE__LAUNCH_ONE(constant, blocks, threads, TILES(c)));
	return tulle__gpu_step(plan, TULLE__LAUNCH(csr5_tiles, blocks, threads, .sigma = c->shape.sigma,
	                                           .y_shift = c->shape.y_shift,
	                                           .seg_shift = c->shape.seg_shift, TILES(c)));
}

/* Rows that reach past the tiles. They are few, so each gets as many lanes as it has entries. */
static tulle_status step_tail(tulle__gpu_plan *plan, const tulle__csr *a,
                              const tulle__csr5_tiles *c)
{
	const int threads = threads_of(plan), width = plan->device->width;
	const int64_t first = c->tiles * width * c->shape.sigma;
	const int64_t row = tulle__csr_row_at(a, 0, first);
	int64_t end = a->rows;
	int shift;

	if (first == a->nnz)
		return TULLE_OK;
	while (tulle__csr_length(a, end - 1) == 0)
		end--;
	shift = tulle__gpu_lanes(plan->device, end - row, a->nnz - first, 1);
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH(csr5_tail, tulle__gpu_blocks((end - row) << shift, threads), threads,
	                        .first_row = row, .rows = end - row, .first = first, .shift = shift,
	                        TULLE__GPU_CSR(&c->m), .tiles = c->tiles, .carry = TULLE__GPU_SCRATCH));
}

static tulle_status step_empty_rows(tulle__gpu_plan *plan, const tulle__csr *a,
                                    const tulle__csr5_tiles *c)
{
	const int threads = threads_of(plan);
	int64_t row = 0;

	while (row < a->rows && tulle__csr_length(a, row) > 0)
		row++;
	if (row == a->rows)
		return TULLE_OK;
	return tulle__gpu_step(plan, TULLE__LAUNCH(csr5_empty_rows, tulle__gpu_blocks(a->rows, threads),
	                                           threads, .rows = a->rows, .row_ptr = c->m.row_ptr));
}

/* A single tile without a tail has no carries. */
static tulle_status step_carries(tulle__gpu_plan *plan, const tulle__csr5_tiles *c)
{
	const int threads = threads_of(plan);

	return tulle__gpu_step(
	    plan, TULLE__LAUNCH(
	              csr5_carries, c->tiles > 0 ? tulle__gpu_blocks(c->tiles + 1, threads) : 0,
	              threads, .rows = plan->rows, .tiles = c->tiles, .sigma = c->shape.sigma,
	              .tile_ptr = c->tile_ptr, .row_ptr = c->m.row_ptr, .carry = TULLE__GPU_SCRATCH));
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	const int rule =
	    params->value[RULE] != AUTO ? (int)params->value[RULE] : rule_for(plan->device->width);
	const int sigma = params->value[SIGMA] > 0 ? (int)params->value[SIGMA] : sigma_by(a, rule);
	tulle__csr5_tiles c;
	tulle_status s = tulle__csr5_gpu_convert(plan, a, sigma, &c);

	if (s != TULLE_OK)
		return s;
	tulle__gpu_scratch(plan, (size_t)(c.tiles + 1) * tulle__value_size(plan->types.value));
	s = step_empty_rows(plan, a, &c);
	if (s == TULLE_OK)
		s = step_tiles(plan, &c);
	if (s == TULLE_OK)
		s = step_tail(plan, a, &c);
	if (s == TULLE_OK)
		s = step_carries(plan, &c);
	snprintf(plan->note, sizeof plan->note, "%" PRId64 " tiles of %d x %d", c.tiles,
	         plan->device->width, sigma);
	return s;
}

const tulle__gpu_format tulle__csr5_gpu = {
	.tunables = "sigma=0..48:0 rule=auto,nvidia,amd",
	.variant = variants,
	.build = build,
	.estimate = tulle__csr5_gpu_estimate,
	.check = tulle__csr5_gpu_check,
};
