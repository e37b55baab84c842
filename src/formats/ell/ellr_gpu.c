/* ellr_gpu.c -- ELLPACK-R on a GPU: the layout for several lanes per row. */
#include "formats/ell/ellr_gpu.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/ell_arrays.h"
#include "formats/ell/ellr.gpu.h"
#include "gpu/gpu_check.h"
#include "gpu/slots.h"

#include <inttypes.h>
#include <stdio.h>

enum { LANES, X };      /* params */
enum { CACHED, PLAIN }; /* x= */

static const tulle__gpu_variant variants[] = {
	{ "", "lanes by row length", TULLE__GPU_SAME_BITS, 0 },
	{ "lanes=1", "one thread per row, as in the paper", TULLE__GPU_SAME_BITS, 0 },
	{ "lanes=2", "2 lanes per row", TULLE__GPU_SAME_BITS, 2 },
	{ "lanes=4", "4 lanes per row", TULLE__GPU_SAME_BITS, 4 },
	{ "lanes=8", "8 lanes per row", TULLE__GPU_SAME_BITS, 8 },
	{ "lanes=16", "16 lanes per row", TULLE__GPU_SAME_BITS, 16 },
	{ "lanes=32", "32 lanes per row", TULLE__GPU_SAME_BITS, 32 },
	{ "x=plain", "lanes by row length, x by plain loads", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

typedef struct {
	int64_t lead; /* rows, rounded up so that each step begins at a multiple of 32 entries */
	int shift;    /* base-2 logarithm of the lanes per row */
	int64_t lanes;
	int32_t *length; /* of each row */
	tulle__gpu_slots slots;
} table;

/* Entry k of a row is in step k / lanes, lane k % lanes. */
static void put_row(const void *table_of, const tulle__csr *a, int64_t i)
{
	const table *const t = table_of;
	const int64_t n = tulle__csr_length(a, i), k = tulle__csr_offset(a, i);

	t->length[i] = (int32_t)n;
	for (int64_t lane = 0; lane < t->lanes && lane < n; lane++)
		tulle__gpu_slots_fill(&t->slots, a, k + lane, t->lanes, (n - lane - 1) / t->lanes + 1,
		                      i * t->lanes + lane, t->lead * t->lanes);
}

static tulle_status lay_out(table *t, tulle__env *env, const tulle__csr *a)
{
	const int64_t longest = tulle__ell_longest(env, a);
	const int64_t steps = longest / t->lanes + (longest % t->lanes > 0);
	tulle_status s;

	t->lead = tulle__round_up(a->rows, 32);
	if (longest > TULLE__I32_MAX || (steps > 0 && t->lead * t->lanes > INT64_MAX / 16 / steps))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "ellr: a row of %" PRId64 " nonzeros is too long for a device", longest);
	s = tulle__alloc(env, a->rows, sizeof *t->length, &t->length);
	if (s == TULLE_OK)
		s = tulle__gpu_slots_make(env, "ellr", a, steps * t->lead * t->lanes, &t->slots);
	if (s == TULLE_OK)
		tulle__gpu_put_rows(env, a, put_row, t);
	return s;
}

static tulle_status upload(tulle__gpu_plan *plan, const tulle__csr *a, const table *t, int plain)
{
	const int threads = tulle__gpu_block(plan->device);
	const int64_t group = 4 * t->lead * t->lanes; /* that the kernel may read beyond the last
	                                                 slot */
	tulle__gpu_memory length, col, val;
	tulle_status s = tulle__gpu_array(plan, t->length, a->rows, sizeof *t->length, &length);

	if (s == TULLE_OK)
		s = tulle__gpu_slots_upload(plan, &t->slots, &col, &val);
	if (s != TULLE_OK)
		return s;
	if (t->slots.count > TULLE__I32_MAX - group) /* padding makes more slots than entries */
		plan->types.index = TULLE_I64;
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH_ONE(plain ? &tulle__kernel_ellr_rows_plain : &tulle__kernel_ellr_rows,
	                            tulle__gpu_blocks(a->rows * t->lanes, threads), threads,
	                            .rows = a->rows, .lead = t->lead, .shift = t->shift,
	                            .length = length, .col = col, .val = val));
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	tulle__env *env = plan->device->env;
	enum { STEPS = 8 }; /* of a row of mean length, at least: a rule, not measured */
	const int64_t asked = params->value[LANES];
	table t = { .shift = asked ? (int)asked - 1
		                       : tulle__gpu_lanes(plan->device, a->rows, a->nnz, STEPS) };
	tulle_status s;

	t.lanes = (int64_t)1 << t.shift;
	if (t.lanes > plan->device->width)
		return tulle__fail(TULLE_E_UNSUPPORTED, "ellr: %" PRId64 " lanes per row, a warp has %d",
		                   t.lanes, plan->device->width);
	s = lay_out(&t, env, a);
	if (s == TULLE_OK)
		s = upload(plan, a, &t, params->value[X] == PLAIN);
	snprintf(plan->note, sizeof plan->note, "%" PRId64 " lanes per row, %" PRId64 " slots", t.lanes,
	         t.slots.count);
	tulle__free(env, t.length);
	tulle__gpu_slots_release(env, &t.slots);
	return s;
}

/* ---- check ---- */

typedef struct {
	int64_t lead, lanes;
	tulle__gpu_numbers length;
} found;

static int64_t length_of(const void *of, int64_t n)
{
	return ((const found *)of)->length.at[n];
}

static int64_t slot_of(const void *of, int64_t n, int64_t j)
{
	const found *f = of;

	return (j / f->lanes * f->lead + n) * f->lanes + j % f->lanes;
}

static void check(tulle__gpu_check *c)
{
	const tulle__gpu_slot_rule rule = { c->plan->rows, length_of, slot_of, 0 };
	const found f = { tulle__gpu_number(c, "ellr", "lead"),
		              (int64_t)1 << tulle__gpu_number(c, "ellr", "shift"),
		              tulle__gpu_fetch(c, "ellr", "length", c->plan->rows) };

	if (c->status == TULLE_OK)
		tulle__gpu_check_slots(c, "ellr", &rule, &f);
}

const tulle__gpu_format tulle__ellr_gpu = {
	.tunables = "lanes=auto,1,2,4,8,16,32 x=cached,plain",
	.variant = variants,
	.build = build,
	.estimate = tulle__ellr_gpu_estimate,
	.check = check,
};
