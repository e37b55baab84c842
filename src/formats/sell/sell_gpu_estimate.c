/* sell_gpu_estimate.c -- estimated work of SELL-C-sigma on a GPU, counted on the layout, which is built without
 * columns and values. */
#include "csr/chunks.h"
#include "csr/value_codes.h"
#include "formats/sell/sell_gpu.h"

#include <math.h>
#include <stdio.h>

static const tulle__gpu_use uses[] = {
	[TULLE__OWN] = { "sell_rows", { 42, 46 }, { 0, 0 } },
	[TULLE__SINGLE] = { "sell_floats", { 48, 48 }, { 0, 0 } },
	[TULLE__TABLE] = { "sell_codes", { 55, 55 }, { 64, 128 } },
	[TULLE__ONES] = { "sell_ones", { 39, 40 }, { 0, 0 } },
};

/* For all warps: sectors of columns, values and other arrays, steps, and runs of steps in which the same rows have
 * an entry. */
typedef struct {
	double col, val, other, turns, runs;
} reads;

/* Sectors of elements first .. first + count - 1. */
static double sectors(int64_t first, int64_t count, int64_t size)
{
	const int64_t begin = first * size / TULLE__GPU_SECTOR;
	const int64_t last = ((first + count) * size - 1) / TULLE__GPU_SECTOR;

	return (double)(last - begin + 1);
}

/* One step of a chunk, in which `lanes` rows have an entry, the first of them in slot `at` of the chunk. */
static void count_step(const sell_data *d, const sell_chunk *chunk, int64_t width, int lanes,
                       int64_t at, reads *r)
{
	const int64_t size = (int64_t)tulle__code_size(d->code.class, d->value_type);
	const int64_t wide = chunk->columns == COLUMNS_NEAR ? sizeof(uint16_t) : sizeof(int32_t);
	const int64_t col = chunk->col * (int64_t)sizeof *d->col / wide;

	for (int64_t lane = 0; lane < lanes; lane += width, r->turns++) {
		const int64_t count = lanes - lane < width ? lanes - lane : width;

		r->col += chunk->columns >= COLUMNS_STRIPS ? 1 : sectors(col + at + lane, count, wide);
		if (size > 0)
			r->val += chunk->columns == COLUMNS_STENCIL
			              ? 1
			              : sectors(chunk->base + at + lane, count, size);
	}
}

static void count_chunk(const sell_data *d, int64_t c, int64_t width, reads *r)
{
	enum { WORDS = SELL_GPU_WORDS + 2, LEVEL = 2 }; /* loads, each of one sector */
	const sell_chunk *chunk = &d->chunk[c];
	const int64_t each = d->height / width;
	const double warps = (double)each, levels = (double)tulle__sell_gpu_levels(d, c, NULL);
	tulle__lane at = tulle__lane_top(d->length + c * d->height, d->height, chunk->full, 0);

	for (; at.step < chunk->width; tulle__lane_down(&at))
		count_step(d, chunk, width, tulle__lane_width(&at), at.at, r);
	r->other += warps * (WORDS + LEVEL * levels);
	if (chunk->first == SELL_SCATTERED)
		r->other += warps * tulle__gpu_sectors((double)width, sizeof *d->row);
	r->runs += warps * fmax(1, levels);
}

/* Accesses to x: for warp n those of its rows. */
static void warp_of(const tulle__gpu_subject *s, const void *of, int64_t n, tulle__gpu_warp *out)
{
	const sell_data *const d = of;
	const int64_t width = s->device->width;

	out->lanes = 0;
	out->entry_stride = out->slot_stride = 1;
	for (int64_t lane = n * width; lane < (n + 1) * width && lane < d->rows; lane++) {
		out->slot[out->lanes] = 0;
		out->entry[out->lanes] = tulle__csr_offset(s->a, d->row[lane]);
		out->turns[out->lanes++] = d->length[lane];
	}
}

static void count(const tulle__gpu_subject *s, const sell_data *d, tulle__gpu_estimate *e)
{
	enum { SETUP = 70, RUN = 80, TURN = 13 };
	const sell_gpu_counts counts = tulle__sell_gpu_count(d);
	const int64_t width = s->device->width, all = d->rows / width + (d->rows % width > 0);
	const double warps = (double)all;
	const double scattered = d->chunks > 0 ? (double)counts.scattered / (double)d->chunks : 0;
	reads r = { 0, 0, 0, 0, 0 };

	for (int64_t c = 0; c < d->chunks; c++)
		count_chunk(d, c, width, &r);
	if (d->code.class == TULLE__TABLE) /* once per block */
		r.other += warps * (double)width / TULLE__GPU_THREADS *
		           tulle__gpu_sectors(d->code.count, s->value);
	e->held = e->array_bytes = tulle__sell_gpu_bytes(d, &counts, (size_t)s->index);
	e->requested = TULLE__GPU_SECTOR * (r.col + r.val + r.other);
	e->x_requested = TULLE__GPU_SECTOR * tulle__gpu_count(s, all, warp_of, d).x;
	/* Sorted rows are written to their original positions. */
	e->y_requested =
	    TULLE__GPU_SECTOR * warps * (1 + scattered) * tulle__gpu_sectors((double)width, s->value);
	e->warps = warps;
	e->instructions = warps * SETUP + r.runs * RUN + r.turns * TURN;
	e->arithmetic = r.turns + 2 * warps;
	e->waits = warps + (counts.levels > 0 ? r.runs - warps : 0) + tulle__gpu_waits(r.turns, r.runs);
	e->chain = 1 + tulle__gpu_waits((double)s->longest, 1);
}

tulle_status tulle__sell_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	const sell_shape shape = { .height = tulle__sell_gpu_height(s->device->width),
		                       .sigma = SELL_GPU_SIGMA,
		                       .ordered = 1,
		                       .rounded = s->lossy,
		                       .separate = s->updates };
	sell_data *d;
	const tulle_status status = tulle__sell_plan(s->a, &shape, s->env, &d);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &uses[d ? d->code.class : TULLE__OWN]);

	if (d)
		count(s, d, e);
	tulle__sell_release(d, s->env);
	if (status != TULLE_E_UNSUPPORTED)
		return status;
	snprintf(e->refuses, sizeof e->refuses, "%s", tulle_last_error());
	return TULLE_OK;
}
