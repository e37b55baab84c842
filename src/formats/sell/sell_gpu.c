/* sell_gpu.c -- SELL-C-sigma on a GPU: chunks as high as a warp is wide. */
#include "formats/sell/sell_gpu.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/chunks.h"
#include "csr/ell_arrays.h"
#include "formats/sell/sell.gpu.h"
#include "gpu/gpu_check.h"
#include "gpu/slots.h"

#include <inttypes.h>
#include <stdio.h>

enum { HEIGHT, SIGMA, X }; /* params */
enum { CACHED, PLAIN };    /* x= */

static const tulle__gpu_variant variants[] = {
	{ "", "chunks as high as a warp is wide", TULLE__GPU_SAME_BITS, 0 },
	{ "height=32", "chunks of 32 rows", TULLE__GPU_SAME_BITS, 0 },
	{ "height=64", "chunks of 64 rows", TULLE__GPU_SAME_BITS, 0 },
	{ "sigma=1", "rows in their order", TULLE__GPU_SAME_BITS, 0 },
	{ "x=plain", "x by plain loads", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

typedef struct {
	int height, shift; /* 2^shift is the height */
	int64_t chunks;
	int64_t *base;         /* of each chunk, in steps of `height` entries */
	int32_t *row, *length; /* of each lane */
	tulle__gpu_slots slots;
} chunks;

/* Rows in the order of their lanes; *steps: those of all chunks. */
static tulle_status make_chunks(chunks *c, tulle__env *env, const tulle__csr *a, int64_t sigma,
                                int64_t *steps)
{
	int32_t *length_of;
	tulle_status s = tulle__alloc(env, a->rows, sizeof *length_of, &length_of);

	if (s == TULLE_OK)
		s = tulle__alloc(env, a->rows, sizeof *c->row, &c->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, c->chunks * c->height, sizeof *c->length, &c->length);
	if (s == TULLE_OK)
		s = tulle__alloc(env, c->chunks, sizeof *c->base, &c->base);
	if (s == TULLE_OK) {
		for (int64_t i = 0; i < a->rows; i++)
			length_of[i] = (int32_t)tulle__csr_length(a, i);
		s = tulle__sort_lanes(env, a->rows, length_of, c->height, sigma, c->row);
	}
	for (int64_t n = 0; s == TULLE_OK && n < c->chunks; n++) {
		const int64_t lane = n * c->height;
		const tulle__chunk made = tulle__make_chunk(c->row + lane, a->rows - lane, length_of,
		                                            c->height, c->length + lane);

		c->base[n] = tulle__place_chunk(steps, made.width);
	}
	tulle__free(env, length_of);
	return s;
}

static tulle_status lay_out(chunks *c, tulle__env *env, const tulle__csr *a, int64_t sigma)
{
	const int64_t longest = tulle__ell_longest(env, a);
	int64_t steps = 0;
	tulle_status s;

	if (longest > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED, "sell: a row of %" PRId64 " nonzeros", longest);
	s = make_chunks(c, env, a, sigma, &steps);
	if (s != TULLE_OK)
		return s;
	s = tulle__gpu_slots_make(env, "sell", a, steps * c->height, &c->slots);
	for (int64_t n = 0; s == TULLE_OK && n < a->rows; n++)
		tulle__gpu_slots_fill(&c->slots, a, tulle__csr_offset(a, c->row[n]), 1, c->length[n],
		                      c->base[n / c->height] * c->height + n % c->height, c->height);
	return s;
}

static tulle_status upload(tulle__gpu_plan *plan, const tulle__csr *a, const chunks *c, int plain)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle__gpu_memory base, row, length, col, val;
	tulle_status s = tulle__gpu_offsets(plan, c->base, TULLE_I64, c->chunks, &base);

	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, c->row, a->rows, sizeof *c->row, &row);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, c->length, a->rows, sizeof *c->length, &length);
	if (s == TULLE_OK)
		s = tulle__gpu_slots_upload(plan, &c->slots, &col, &val);
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH_ONE(plain ? &tulle__kernel_sell_rows_plain : &tulle__kernel_sell_rows,
	                            tulle__gpu_blocks(a->rows, threads), threads, .rows = a->rows,
	                            .shift = c->shift, .base = base, .row = row, .length = length,
	                            .col = col, .val = val));
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	static const int heights[] = { 0, 32, 64 };
	tulle__env *env = plan->device->env;
	const int asked = heights[params->value[HEIGHT]];
	chunks c = { .height = asked ? asked : plan->device->width };
	tulle_status s;

	while (1 << c.shift < c.height)
		c.shift++;
	c.chunks = tulle__gpu_blocks(a->rows, c.height);
	s = lay_out(&c, env, a, params->value[SIGMA]);
	if (s == TULLE_OK)
		s = upload(plan, a, &c, params->value[X] == PLAIN);
	snprintf(plan->note, sizeof plan->note, "height %d, %" PRId64 " slots", c.height,
	         c.slots.count);
	tulle__free(env, c.base);
	tulle__free(env, c.row);
	tulle__free(env, c.length);
	tulle__gpu_slots_release(env, &c.slots);
	return s;
}

/* ---- check ---- */

typedef struct {
	int64_t height;
	tulle__gpu_numbers base, length;
} found;

static int64_t length_of(const void *of, int64_t n)
{
	return ((const found *)of)->length.at[n];
}

static int64_t slot_of(const void *of, int64_t n, int64_t j)
{
	const found *f = of;

	return (f->base.at[n / f->height] + j) * f->height + n % f->height;
}

/* Chunks are contiguous: where one ends, the next begins. */
static void check_bases(tulle__gpu_check *c, const found *f)
{
	int64_t next = 0, longest = 0;

	for (int64_t n = 0; n < c->plan->rows && c->status == TULLE_OK; n++) {
		if (n % f->height == 0) {
			next += longest;
			longest = 0;
			if (f->base.at[n / f->height] != next)
				tulle__gpu_wrong(c, &f->base, n / f->height);
		}
		longest = f->length.at[n] > longest ? f->length.at[n] : longest;
	}
}

static void check(tulle__gpu_check *c)
{
	const int64_t rows = c->plan->rows,
	              height = (int64_t)1 << tulle__gpu_number(c, "sell", "shift");
	const tulle__gpu_slot_rule rule = { rows, length_of, slot_of, 0 };
	const tulle__gpu_numbers row = tulle__gpu_fetch(c, "sell", "row", rows);
	const found f = { height,
		              tulle__gpu_fetch(c, "sell", "base", tulle__gpu_blocks(rows, (int)height)),
		              tulle__gpu_fetch(c, "sell", "length", rows) };

	tulle__gpu_check_distinct(c, &row, rows, rows);
	tulle__gpu_check_inside(c, &f.length, rows, c->plan->nnz + 1);
	check_bases(c, &f);
	if (c->status == TULLE_OK)
		tulle__gpu_check_slots(c, "sell", &rule, &f);
}

const tulle__gpu_format tulle__sell_gpu = {
	.tunables = "height=auto,32,64 sigma=1..65536:1024 x=cached,plain",
	.variant = variants,
	.build = build,
	.estimate = tulle__sell_gpu_estimate,
	.check = check,
};
