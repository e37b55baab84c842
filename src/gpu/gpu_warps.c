/* gpu_warps.c -- steps and sectors of the warps of a launch, counted on a sample of them. */
#include "gpu/gpu_estimate.h"

#include "core/split.h"

#include <math.h>
#include <string.h>

enum { WARPS = 256, STEPS = 32 }; /* that are looked at: of a launch, of a warp */

/* The number of distinct elements. Sorts the array, which is cheap if it is sorted already. */
static int distinct(int64_t *number, int count)
{
	int found = count > 0;

	for (int n = 1; n < count; n++) {
		const int64_t at = number[n];
		int k = n;

		for (; k > 0 && number[k - 1] > at; k--)
			number[k] = number[k - 1];
		number[k] = at;
	}
	for (int n = 1; n < count; n++)
		found += number[n] != number[n - 1];
	return found;
}

/* Lanes go through their entries in groups of IN_FLIGHT, then each through those that are left, as sum_entries() of
 * rows.h does. The turn of a lane with `turns` of them in a step, -1: none; `grouped`: the steps of all groups. */
static int64_t turn_in(int64_t step, int64_t grouped, int64_t turns)
{
	const int64_t full = turns - turns % TULLE__GPU_IN_FLIGHT;

	if (step < grouped)
		return step < full ? step : -1;
	return full + step - grouped < turns ? full + step - grouped : -1;
}

/* One step of a warp. */
static tulle__gpu_requests count_step(const tulle__gpu_subject *s, const tulle__gpu_warp *w,
                                      int64_t step, int64_t grouped)
{
	const int64_t values = TULLE__GPU_SECTOR / (int64_t)s->value;
	const int64_t columns = TULLE__GPU_SECTOR / (int64_t)sizeof(int32_t);
	int64_t val[TULLE__GPU_MOST_WIDTH], col[TULLE__GPU_MOST_WIDTH], x[TULLE__GPU_MOST_WIDTH];
	int n = 0;

	for (int lane = 0; lane < w->lanes; lane++) {
		const int64_t turn = turn_in(step, grouped, w->turns[lane]);
		const int64_t slot = w->slot[lane] + turn * w->slot_stride;

		if (turn < 0)
			continue;
		val[n] = slot / values;
		col[n] = slot / columns;
		x[n++] = tulle__csr_column(s->a, w->entry[lane] + turn * w->entry_stride) / values;
	}
	return (tulle__gpu_requests){ n > 0, distinct(col, n), distinct(val, n), distinct(x, n) };
}

static void add(tulle__gpu_requests *sum, const tulle__gpu_requests *more, double times)
{
	sum->turns += times * more->turns;
	sum->col += times * more->col;
	sum->val += times * more->val;
	sum->x += times * more->x;
}

static tulle__gpu_requests count_warp(const tulle__gpu_subject *s, const tulle__gpu_warp *w)
{
	tulle__gpu_requests sum = { 0 };
	int64_t grouped = 0, left = 0, steps, looked_at;

	for (int lane = 0; lane < w->lanes; lane++) {
		const int64_t rest = w->turns[lane] % TULLE__GPU_IN_FLIGHT;

		grouped = w->turns[lane] - rest > grouped ? w->turns[lane] - rest : grouped;
		left = rest > left ? rest : left;
	}
	steps = grouped + left;
	looked_at = steps < STEPS ? steps : STEPS;
	for (int64_t n = 0; n < looked_at; n++) {
		const tulle__gpu_requests one = count_step(s, w, tulle__cut(steps, looked_at, n), grouped);

		add(&sum, &one, (double)steps / (double)looked_at);
	}
	return sum;
}

tulle__gpu_requests tulle__gpu_count(const tulle__gpu_subject *s, int64_t warps,
                                     tulle__gpu_warp_of *of, const void *layout)
{
	const int64_t looked_at = warps < WARPS ? warps : WARPS;
	tulle__gpu_requests sum = { 0 };
	tulle__gpu_warp w;

	for (int64_t n = 0; n < looked_at; n++) {
		tulle__gpu_requests one;

		of(s, layout, tulle__cut(warps, looked_at, n), &w);
		one = count_warp(s, &w);
		add(&sum, &one, (double)warps / (double)looked_at);
	}
	return sum;
}

/* ---- entries in their order ---- */

static void entries_of(const tulle__gpu_subject *s, const void *layout, int64_t n,
                       tulle__gpu_warp *out)
{
	const int64_t first = n * s->device->width;

	(void)layout;
	out->lanes = (int)(s->a->nnz - first < s->device->width ? s->a->nnz - first : s->device->width);
	out->slot_stride = out->entry_stride = s->device->width;
	for (int lane = 0; lane < out->lanes; lane++) {
		out->slot[lane] = out->entry[lane] = first + lane;
		out->turns[lane] = 1;
	}
}

tulle__gpu_requests tulle__gpu_count_entries(const tulle__gpu_subject *s)
{
	const int64_t width = s->device->width;

	return tulle__gpu_count(s, s->a->nnz / width + (s->a->nnz % width > 0), entries_of, NULL);
}

/* ---- one or several lanes per row ---- */

void tulle__gpu_row_lanes(const tulle__gpu_subject *s, int64_t lanes, int64_t n,
                          tulle__gpu_warp *out)
{
	const int64_t width = s->device->width;

	out->lanes = 0;
	out->entry_stride = lanes;
	for (int64_t t = n * width; t < (n + 1) * width && t / lanes < s->a->rows; t++) {
		const int64_t row = t / lanes, part = t % lanes, length = tulle__csr_length(s->a, row);

		out->entry[out->lanes] = tulle__csr_offset(s->a, row) + part;
		out->turns[out->lanes++] = length > part ? (length - part - 1) / lanes + 1 : 0;
	}
}

int64_t tulle__gpu_row_warps(const tulle__gpu_subject *s, int64_t lanes)
{
	const int64_t rows = s->device->width / lanes;

	return s->a->rows / rows + (s->a->rows % rows > 0);
}

void tulle__gpu_estimate_rows(const tulle__gpu_subject *s, const tulle__gpu_requests *r,
                              int64_t lanes, double setup, double turn, tulle__gpu_estimate *e)
{
	enum { LEVEL = 14 }; /* instructions of a level of the sum over lanes */
	const double rows = (double)s->device->width / (double)lanes;

	e->warps = (double)tulle__gpu_row_warps(s, lanes);
	e->x_requested = TULLE__GPU_SECTOR * r->x;
	e->y_requested = TULLE__GPU_SECTOR * e->warps * tulle__gpu_sectors(rows, s->value);
	e->shuffles = e->warps * log2((double)lanes);
	e->instructions = e->warps * setup + r->turns * turn + e->shuffles * LEVEL;
	e->arithmetic = r->turns + e->shuffles + 2 * e->warps;
	e->waits = e->warps + tulle__gpu_waits(r->turns, e->warps);
	e->chain = 1 + tulle__gpu_waits((double)s->longest / (double)lanes, 1);
}

/* ---- small sums ---- */

double tulle__gpu_sectors(double n, double size)
{
	return fmax(1, n * size / TULLE__GPU_SECTOR);
}

/* Per round of entries in flight one wait for columns and values and one for x. The last round of a warp is half full
 * on average. */
double tulle__gpu_waits(double turns, double warps)
{
	const double rounds = turns / TULLE__GPU_IN_FLIGHT + warps * 3 / 8;

	return 2 * fmin(turns, rounds);
}

tulle__gpu_estimate *tulle__gpu_add(tulle__gpu_estimates *to, const tulle__gpu_use *use)
{
	tulle__gpu_estimate *const e = &to->of[to->count++];

	memset(e, 0, sizeof *e);
	e->use = use;
	e->launches = 1;
	return e;
}
