/* sell_gpu_estimate.c -- what SELL-C-sigma would ask of a GPU, with chunks as high as a warp is wide. */
#include "core/memory.h"
#include "csr/chunks.h"
#include "formats/sell/sell_gpu.h"

#include <math.h>
#include <stdio.h>

enum { SIGMA = 1024 }; /* the default */

static const tulle__gpu_use use = { "sell_rows", { 32, 40 }, { 0, 0 } };

typedef struct {
	int32_t *row;  /* of each lane */
	int64_t *base; /* slot at which a chunk begins */
	int64_t slots;
} layout;

static tulle_status lay_out(const tulle__gpu_subject *s, int64_t chunks, layout *l)
{
	const int64_t height = s->device->width;
	int32_t *length = NULL;
	tulle_status status = tulle__alloc(s->env, s->a->rows, sizeof *length, &length);

	if (status == TULLE_OK)
		status = tulle__alloc(s->env, s->a->rows, sizeof *l->row, &l->row);
	if (status == TULLE_OK)
		status = tulle__alloc(s->env, chunks, sizeof *l->base, &l->base);
	for (int64_t i = 0; status == TULLE_OK && i < s->a->rows; i++)
		length[i] = (int32_t)tulle__csr_length(s->a, i);
	if (status == TULLE_OK)
		status = tulle__sort_lanes(s->env, s->a->rows, length, (int)height, SIGMA, l->row);
	for (int64_t n = 0; status == TULLE_OK && n < chunks; n++)
		l->base[n] = tulle__place_chunk(&l->slots, height * length[l->row[n * height]]);
	tulle__free(s->env, length);
	return status;
}

static void warp_of(const tulle__gpu_subject *s, const void *of, int64_t n, tulle__gpu_warp *out)
{
	const layout *const l = of;
	const int64_t height = s->device->width;

	out->lanes = 0;
	out->entry_stride = 1;
	out->slot_stride = height;
	for (int64_t lane = n * height; lane < (n + 1) * height && lane < s->a->rows; lane++) {
		out->slot[out->lanes] = l->base[n] + lane % height;
		out->entry[out->lanes] = tulle__csr_offset(s->a, l->row[lane]);
		out->turns[out->lanes++] = tulle__csr_length(s->a, l->row[lane]);
	}
}

static void count(const tulle__gpu_subject *s, int64_t chunks, const layout *l,
                  tulle__gpu_estimate *e)
{
	enum { SETUP = 45, TURN = 9 };
	const double warps = (double)chunks, width = s->device->width;
	const double of_rows = 2 * tulle__gpu_sectors(width, sizeof(int32_t)); /* row and length */
	const tulle__gpu_requests r = tulle__gpu_count(s, chunks, warp_of, l);

	e->held = (double)l->slots * (s->value + sizeof(int32_t)) + 2 * s->rows * sizeof(int32_t) +
	          warps * s->index;
	e->array_bytes =
	    TULLE__GPU_SECTOR * (r.col + r.val) + 2 * s->rows * sizeof(int32_t) + warps * s->index;
	e->requested = TULLE__GPU_SECTOR * (r.col + r.val + warps * (1 + of_rows));
	e->x_requested = TULLE__GPU_SECTOR * r.x;
	/* Sorted rows are written where they were. */
	e->y_requested = TULLE__GPU_SECTOR * warps * 2 * tulle__gpu_sectors(width, s->value);
	e->warps = warps;
	e->instructions = warps * SETUP + r.turns * TURN;
	e->arithmetic = r.turns + 2 * warps;
	e->waits = warps + tulle__gpu_waits(r.turns, warps);
	e->chain = 1 + tulle__gpu_waits((double)s->longest, 1);
}

tulle_status tulle__sell_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	const int64_t width = s->device->width, chunks = s->a->rows / width + (s->a->rows % width > 0);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &use);
	layout l = { NULL, NULL, 0 };
	tulle_status status = TULLE_OK;

	if (s->longest > TULLE__I32_MAX) {
		snprintf(e->refuses, sizeof e->refuses, "a row has more than 2^31 nonzeros");
		return TULLE_OK;
	}
	status = lay_out(s, chunks, &l);
	if (status == TULLE_OK && tulle__pads_too_much(l.slots, s->a->nnz))
		snprintf(e->refuses, sizeof e->refuses, "padding would be many times the nonzeros");
	else if (status == TULLE_OK)
		count(s, chunks, &l, e);
	tulle__free(s->env, l.row);
	tulle__free(s->env, l.base);
	return status;
}
