/* ellr_gpu_estimate.c -- estimated work of ELLPACK-R on a GPU. */
#include "core/memory.h"
#include "core/split.h"
#include "formats/ell/ellr_gpu.h"

#include <stdio.h>

static const tulle__gpu_use use = { "ellr_rows", { 40, 40 }, { 0, 0 } };

typedef struct {
	int64_t lanes, lead;
} layout;

static void warp_of(const tulle__gpu_subject *s, const void *of, int64_t n, tulle__gpu_warp *out)
{
	const layout *const l = of;

	tulle__gpu_row_lanes(s, l->lanes, n, out);
	out->slot_stride = l->lead * l->lanes;
	for (int lane = 0; lane < out->lanes; lane++)
		out->slot[lane] = n * s->device->width + lane;
}

static void add_lanes(const tulle__gpu_subject *s, int64_t lanes, tulle__gpu_estimates *out)
{
	enum { SETUP = 45, TURN = 12 };
	const layout l = { lanes, tulle__round_up(s->a->rows, 32) };
	const double rows = (double)s->device->width / (double)lanes;
	const int64_t slots =
	    tulle__times(s->longest / lanes + (s->longest % lanes > 0), tulle__times(l.lead, lanes));
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &use);
	tulle__gpu_requests r;

	snprintf(e->params, sizeof e->params, "lanes=%d", (int)lanes);
	if (slots == INT64_MAX || tulle__pads_too_much(slots, s->a->nnz)) {
		snprintf(e->refuses, sizeof e->refuses, "padding would be many times the nonzeros");
		return;
	}
	r = tulle__gpu_count(s, tulle__gpu_row_warps(s, lanes), warp_of, &l);
	tulle__gpu_estimate_rows(s, &r, lanes, SETUP, TURN, e);
	e->held = (double)slots * (s->value + sizeof(int32_t)) + s->rows * sizeof(int32_t);
	/* Padding beyond the longest row of a warp is not read. */
	e->array_bytes = TULLE__GPU_SECTOR * (r.col + r.val) + s->rows * sizeof(int32_t);
	e->requested =
	    TULLE__GPU_SECTOR * (r.col + r.val + e->warps * tulle__gpu_sectors(rows, sizeof(int32_t)));
}

tulle_status tulle__ellr_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { MOST_LANES = 32 };

	for (int64_t lanes = 1; lanes <= s->device->width && lanes <= MOST_LANES; lanes *= 2)
		if (lanes == 1 || (double)lanes * s->rows < 2 * s->nnz)
			add_lanes(s, lanes, out);
	return TULLE_OK;
}
