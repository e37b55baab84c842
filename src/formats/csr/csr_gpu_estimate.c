/* csr_gpu_estimate.c -- estimated work of the kernels of plain CSR on a GPU. The kernels padded and segsum are
 * omitted: they always read more than vector and balanced.
 *
 * Instructions are rounded from those counted in docs/gpu-counts.md. */
#include "formats/csr/csr_gpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const tulle__gpu_use scalar_use = { "csr_scalar", { 32, 32 }, { 0, 0 } };
static const tulle__gpu_use vector_use = { "csr_vector", { 40, 40 }, { 0, 0 } };
static const tulle__gpu_use adaptive_use = {
	"csr_adaptive", { 40, 40 }, { 4 * TULLE__CSR_GPU_STREAM, 8 * TULLE__CSR_GPU_STREAM }
};
static const tulle__gpu_use balanced_use = { "csr_balanced", { 32, 32 }, { 0, 0 } };

static double array_bytes(const tulle__gpu_subject *s)
{
	return s->nnz * (s->value + sizeof(int32_t)) + (s->rows + 1) * s->index;
}

/* ---- one or several lanes per row ---- */

static void row_warp(const tulle__gpu_subject *s, const void *layout, int64_t n,
                     tulle__gpu_warp *out)
{
	const int64_t lanes = *(const int64_t *)layout;

	tulle__gpu_row_lanes(s, lanes, n, out);
	out->slot_stride = lanes;
	memcpy(out->slot, out->entry, (size_t)out->lanes * sizeof *out->slot);
}

/* row_ptr[i] and row_ptr[i + 1] of `rows` consecutive rows: the second access may touch one more
 * sector. */
static double row_sectors(const tulle__gpu_subject *s, double rows)
{
	return 2 * tulle__gpu_sectors(rows, s->index) +
	       (rows > 1 ? fmin(1, rows * s->index / TULLE__GPU_SECTOR) : 0);
}

static void add_rows(const tulle__gpu_subject *s, int64_t lanes, tulle__gpu_estimates *out)
{
	enum { SETUP = 50, TURN = 9 };
	const double rows = (double)s->device->width / (double)lanes;
	const int64_t warps = tulle__gpu_row_warps(s, lanes);
	const tulle__gpu_requests r = tulle__gpu_count(s, warps, row_warp, &lanes);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, lanes > 1 ? &vector_use : &scalar_use);

	if (lanes > 1)
		snprintf(e->params, sizeof e->params, "kernel=vector,lanes=%d", (int)lanes);
	else
		snprintf(e->params, sizeof e->params, "kernel=scalar");
	tulle__gpu_estimate_rows(s, &r, lanes, SETUP, TURN, e);
	e->held = e->array_bytes = array_bytes(s);
	e->requested = TULLE__GPU_SECTOR * (r.col + r.val + e->warps * row_sectors(s, rows));
}

/* ---- row blocks ---- */

static void add_adaptive(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { SETUP = 150, PRODUCT = 16, SUM = 40, LEVEL = 8 };
	const double width = s->device->width, warps = TULLE__GPU_THREADS / width;
	int64_t splits;
	const double blocks = (double)tulle__csr_gpu_count_blocks(s->a, &splits);
	const double rows = fmax(1, s->rows / fmax(1, blocks)), steps = s->nnz / width;
	const double longest = fmin((double)s->longest, TULLE__CSR_GPU_LONG) / TULLE__GPU_THREADS;
	const double lanes = fmax(1, fmin(width, exp2(floor(log2(TULLE__GPU_THREADS / rows)))));
	const double sums = s->rows * lanes / width; /* warps' turns in the second half */
	const tulle__gpu_requests r = tulle__gpu_count_entries(s);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &adaptive_use);

	snprintf(e->params, sizeof e->params, "kernel=adaptive");
	e->array_bytes = array_bytes(s) + blocks * (sizeof(int32_t) + s->index);
	e->held = e->array_bytes;
	/* A block may begin at any entry, so its loads touch one more sector. */
	e->requested = TULLE__GPU_SECTOR * (r.col + r.val + 1.6 * steps +
	                                    sums * row_sectors(s, width / lanes) + 4 * warps * blocks);
	e->x_requested = TULLE__GPU_SECTOR * r.x;
	e->y_requested = TULLE__GPU_SECTOR * sums * tulle__gpu_sectors(width / lanes, s->value);
	e->warps = warps * blocks;
	e->shuffles = sums * log2(lanes);
	e->instructions = e->warps * SETUP + steps * PRODUCT + sums * SUM + e->shuffles * LEVEL;
	e->arithmetic = 2 * steps + e->shuffles + 2 * sums;
	e->waits = 2 * e->warps + tulle__gpu_waits(steps, e->warps) + sums;
	e->chain =
	    3 + tulle__gpu_waits(fmax(longest, (double)TULLE__CSR_GPU_STREAM / TULLE__GPU_THREADS), 1);
	e->launches = 1 + (splits > 0);
}

/* ---- equal shares ---- */

static void add_balanced(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { STEP = 220, SETUP = 100 };
	const double width = s->device->width, steps = s->nnz / width;
	const double shares = ceil(steps / TULLE__CSR_GPU_SHARE);
	const double near = log2(2 + TULLE__CSR_GPU_SHARE * width * s->rows / fmax(1, s->nnz));
	const tulle__gpu_requests r = tulle__gpu_count_entries(s);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &balanced_use);

	snprintf(e->params, sizeof e->params, "kernel=balanced");
	e->held = e->array_bytes = array_bytes(s) + shares * sizeof(int32_t);
	e->requested = TULLE__GPU_SECTOR * (r.col + r.val + 4 * shares + steps * near * 2);
	e->x_requested = TULLE__GPU_SECTOR * r.x;
	e->y_requested = 2 * s->rows * s->value;
	e->warps = shares;
	e->shuffles = 13 * steps;
	e->instructions = shares * SETUP + steps * STEP;
	e->arithmetic = 7 * steps;
	e->waits = 2 * shares + steps * (near + 2);
	e->chain = 2 + TULLE__CSR_GPU_SHARE * (near + 2);
	e->launches = 2 + (s->empty_rows > 0);
}

tulle_status tulle__csr_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	if (tulle__csr_gpu_lacks_values(s->a)) {
		tulle__gpu_estimate *const e = tulle__gpu_add(out, &vector_use);

		snprintf(e->refuses, sizeof e->refuses, "%s", TULLE__CSR_GPU_LACKS);
		return TULLE_OK;
	}
	add_rows(s, 1, out);
	for (int64_t lanes = 2; lanes <= s->device->width; lanes *= 2)
		if (lanes == 2 || (double)lanes * s->rows < 2 * s->nnz)
			add_rows(s, lanes, out);
	add_adaptive(s, out);
	add_balanced(s, out);
	return TULLE_OK;
}
