/* steps_estimate.c -- the cost of the kernels that several formats share. */
#include "gpu/steps_estimate.h"

#include "core/memory.h"
#include "core/split.h"

#include <math.h>
#include <stdio.h>

const tulle__gpu_use tulle__gpu_ell_use = { "ell_rows", { 48, 56 }, { 0, 0 } };
const tulle__gpu_use tulle__gpu_coo_use = { "coo_segments", { 32, 36 }, { 0, 0 } };

/* ---- ELLPACK ---- */

/* One thread per row; x of padding is not read. */
static void row_warp(const tulle__gpu_subject *s, const void *of, int64_t n, tulle__gpu_warp *out)
{
	const int64_t most = *(const int64_t *)of, width = s->device->width;

	out->lanes = 0;
	out->entry_stride = 1;
	out->slot_stride = tulle__round_up(s->a->rows, TULLE__LANES);
	for (int64_t row = n * width; row < (n + 1) * width && row < s->a->rows; row++) {
		const int64_t length = tulle__csr_length(s->a, row);

		out->slot[out->lanes] = row;
		out->entry[out->lanes] = tulle__csr_offset(s->a, row);
		out->turns[out->lanes++] = length < most ? length : most;
	}
}

void tulle__gpu_estimate_ell(const tulle__gpu_subject *s, int64_t width, double entries,
                             tulle__gpu_estimate *e)
{
	enum { SETUP = 30, TURN = 11 };
	const int64_t lanes = s->device->width, warps = s->a->rows / lanes + (s->a->rows % lanes > 0);
	const int64_t slots = tulle__times(tulle__round_up(s->a->rows, TULLE__LANES), width);
	const double turns = (double)warps * (double)width, columns = (double)slots * sizeof(int32_t);
	tulle__gpu_requests r;

	if (slots == INT64_MAX || tulle__pads_too_much(slots, s->a->nnz)) {
		snprintf(e->refuses, sizeof e->refuses, "padding would be many times the nonzeros");
		return;
	}
	r = tulle__gpu_count(s, warps, row_warp, &width);
	e->held += (double)slots * s->value + columns;
	e->array_bytes += columns + TULLE__GPU_SECTOR * r.val; /* columns say what is padding */
	e->requested += columns + TULLE__GPU_SECTOR * r.val;
	e->x_requested += TULLE__GPU_SECTOR * r.x;
	e->y_requested += s->rows * s->value;
	e->warps += (double)warps;
	e->instructions += (double)warps * SETUP + turns * TURN;
	e->arithmetic += fmin(turns, entries);
	e->waits += tulle__gpu_waits(turns, (double)warps);
	e->chain = fmax(e->chain, tulle__gpu_waits((double)width, 1));
}

/* ---- COO ---- */

void tulle__gpu_estimate_coo(const tulle__gpu_subject *s, double entries, tulle__gpu_estimate *e)
{
	enum { EACH = 8 /* entries of a lane, as in steps.c */, STEP = 140 };
	const double steps = ceil(entries / s->device->width), bytes = s->value + 2 * sizeof(int32_t);
	const tulle__gpu_requests all = tulle__gpu_count_entries(s);
	const double share = s->nnz > 0 ? entries / s->nnz : 0;

	if (entries == 0)
		return;
	e->held += entries * bytes;
	e->array_bytes += entries * bytes;
	e->requested += 1.07 * entries * bytes; /* each share reads its adjacent rows */
	e->x_requested += TULLE__GPU_SECTOR * all.x * share;
	e->y_requested += 2 * s->rows * s->value * share;
	e->warps += ceil(steps / EACH);
	e->shuffles += 13 * steps;
	e->instructions += steps * STEP;
	e->arithmetic += 7 * steps;
	e->waits += 3 * steps;
	e->chain = fmax(e->chain, 3 * EACH);
	e->launches += 2; /* the second launch adds the carries */
}
