/* ellr_gpu_estimate.c -- what ELLPACK-R would ask of a GPU. */
#include "core/memory.h"
#include "core/split.h"
#include "formats/ell/ellr_gpu.h"

#include <math.h>
#include <stdio.h>

static const tulle__gpu_use use = { "ellr_rows", { 40, 40 }, { 0, 0 } };

typedef struct {
	int64_t lanes, lead;
} layout;

static void warp_of(const tulle__gpu_subject *s, const void *of, int64_t n, tulle__gpu_warp *out)
{
	const layout *const l = of;
	const int64_t width = s->device->width;

	out->lanes = 0;
	out->entry_stride = l->lanes;
	out->slot_stride = l->lead * l->lanes;
	for (int64_t t = n * width; t < (n + 1) * width && t / l->lanes < s->a->rows; t++) {
		const int64_t row = t / l->lanes, part = t % l->lanes,
		              length = tulle__csr_length(s->a, row);

		out->slot[out->lanes] = t;
		out->entry[out->lanes] = tulle__csr_offset(s->a, row) + part;
		out->turns[out->lanes++] = length > part ? (length - part - 1) / l->lanes + 1 : 0;
	}
}

static void add_lanes(const tulle__gpu_subject *s, int64_t lanes, tulle__gpu_estimates *out)
{
	enum { SETUP = 45, TURN = 12, LEVEL = 14 };
	const layout l = { lanes, tulle__round_up(s->a->rows, 32) };
	const int64_t rows = s->device->width / lanes;
	const int64_t warps = s->a->rows / rows + (s->a->rows % rows > 0);
	const int64_t slots =
	    tulle__times(s->longest / lanes + (s->longest % lanes > 0), tulle__times(l.lead, lanes));
	const double count = (double)warps, lengths = tulle__gpu_sectors((double)rows, sizeof(int32_t));
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &use);
	tulle__gpu_requests r;

	snprintf(e->params, sizeof e->params, "lanes=%d", (int)lanes);
	if (slots == INT64_MAX || tulle__pads_too_much(slots, s->a->nnz)) {
		snprintf(e->refuses, sizeof e->refuses, "padding would be many times the nonzeros");
		return;
	}
	r = tulle__gpu_count(s, warps, warp_of, &l);
	e->held = (double)slots * (s->value + sizeof(int32_t)) + s->rows * sizeof(int32_t);
	/* Padding that no lane touches is not read. */
	e->array_bytes = TULLE__GPU_SECTOR * (r.col + r.val) + s->rows * sizeof(int32_t);
	e->requested = TULLE__GPU_SECTOR * (r.col + r.val + count * lengths);
	e->x_requested = TULLE__GPU_SECTOR * r.x;
	e->y_requested = TULLE__GPU_SECTOR * count * tulle__gpu_sectors((double)rows, s->value);
	e->warps = count;
	e->shuffles = count * log2((double)lanes);
	e->instructions = count * SETUP + r.turns * TURN + e->shuffles * LEVEL;
	e->arithmetic = r.turns + e->shuffles + 2 * count;
	e->waits = count + tulle__gpu_waits(r.turns, count);
	e->chain = 1 + tulle__gpu_waits((double)s->longest / (double)lanes, 1);
}

tulle_status tulle__ellr_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { MOST_LANES = 32 };

	for (int64_t lanes = 1; lanes <= s->device->width && lanes <= MOST_LANES; lanes *= 2)
		if (lanes == 1 || (double)lanes * s->rows < 2 * s->nnz)
			add_lanes(s, lanes, out);
	return TULLE_OK;
}
