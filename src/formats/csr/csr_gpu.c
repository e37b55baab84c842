/* csr_gpu.c -- plain CSR on a GPU: choice of the kernel, and launches of the kernels with whole
 * rows per lane. */
#include "formats/csr/csr_gpu.h"

#include "core/memory.h"
#include "core/status.h"
#include "formats/csr/csr.gpu.h"
#include "gpu/slots.h"

#include <inttypes.h>
#include <stdio.h>

enum { KERNEL, LANES, X };                                         /* params */
enum { AUTO, SCALAR, VECTOR, PADDED, BALANCED, ADAPTIVE, SEGSUM }; /* kernel= */
enum { CACHED, PLAIN };                                            /* x= */

static const tulle__gpu_variant variants[] = {
	{ "kernel=auto", "by row lengths, one of the others", TULLE__GPU_SAME_BITS, 0 },
	{ "kernel=scalar", "one thread per row", TULLE__GPU_SAME_BITS, 0 },
	{ "kernel=vector,lanes=2", "2 lanes per row", TULLE__GPU_SAME_BITS, 2 },
	{ "kernel=vector,lanes=4", "4 lanes per row", TULLE__GPU_SAME_BITS, 4 },
	{ "kernel=vector,lanes=8", "8 lanes per row", TULLE__GPU_SAME_BITS, 8 },
	{ "kernel=vector,lanes=16", "16 lanes per row", TULLE__GPU_SAME_BITS, 16 },
	{ "kernel=vector,lanes=32", "32 lanes per row", TULLE__GPU_SAME_BITS, 32 },
	{ "kernel=vector,lanes=64", "64 lanes per row", TULLE__GPU_SAME_BITS, 64 },
	{ "kernel=vector,x=plain", "lanes by row length, x by plain loads", TULLE__GPU_SAME_BITS, 0 },
	{ "kernel=padded", "rows padded to 16, 16 lanes per row (SpMV4GPU)", TULLE__GPU_SAME_BITS, 16 },
	{ "kernel=balanced", "an equal share of the nonzeros to each warp", TULLE__GPU_SAME_BITS, 0 },
	{ "kernel=adaptive", "row blocks (CSR-Adaptive)", TULLE__GPU_SAME_BITS, 0 },
	{ "kernel=segsum", "segmented sum (Algorithm 3 of the CSR5 paper)", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

/* ---- one or several lanes per row ---- */

static tulle_status many(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__gpu_csr *m)
{
	return tulle__gpu_step_many(plan, TULLE__LAUNCH(csr_many, 0, tulle__gpu_block(plan->device),
	                                                .rows = a->rows, TULLE__GPU_CSR(m)));
}

static tulle_status scalar(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__gpu_csr *m)
{
	const int threads = tulle__gpu_block(plan->device);

	return tulle__gpu_step(plan, TULLE__LAUNCH(csr_scalar, tulle__gpu_blocks(a->rows, threads),
	                                           threads, .rows = a->rows, TULLE__GPU_CSR(m)));
}

/* At least 4 lanes, although rows may be shorter than 16 entries: fewer would read a sector of 32 bytes, four values
 * of f64, in several steps. */
static int lanes_for(const tulle__gpu_device *device, const tulle__csr *a)
{
	enum { FEWEST = 2 };
	const int shift = tulle__gpu_lanes(device, a->rows, a->nnz, TULLE__GPU_IN_FLIGHT);

	return shift < FEWEST && 1 << FEWEST <= device->width ? FEWEST : shift;
}

static tulle_status vector(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__gpu_csr *m,
                           int shift, int plain)
{
	const int threads = tulle__gpu_block(plan->device);

	snprintf(plan->note, sizeof plan->note, "%d lanes per row", 1 << shift);
	return tulle__gpu_step(
	    plan, TULLE__LAUNCH_ONE(plain ? &tulle__kernel_csr_vector_plain : &tulle__kernel_csr_vector,
	                            tulle__gpu_blocks(a->rows << shift, threads), threads,
	                            .rows = a->rows, .shift = shift, TULLE__GPU_CSR(m)));
}

/* ---- padded ---- */

enum { GROUP = 16 }; /* rows are padded to a multiple of this; also the lanes per row */

typedef struct {
	int64_t *group, *length; /* of each row: its first group, its entries */
	tulle__gpu_slots slots;
} padded;

static void put_row(const void *table, const tulle__csr *a, int64_t i)
{
	const padded *const p = table;

	tulle__gpu_slots_fill(&p->slots, a, tulle__csr_offset(a, i), 1, p->length[i],
	                      p->group[i] * GROUP, 1);
}

static tulle_status lay_out(padded *p, tulle__env *env, const tulle__csr *a)
{
	int64_t groups = 0;
	tulle_status s = tulle__alloc(env, a->rows, sizeof *p->group, &p->group);

	if (s == TULLE_OK)
		s = tulle__alloc(env, a->rows, sizeof *p->length, &p->length);
	if (s != TULLE_OK)
		return s;
	for (int64_t i = 0; i < a->rows; i++) {
		p->group[i] = groups;
		p->length[i] = tulle__csr_length(a, i);
		groups += tulle__gpu_blocks(p->length[i], GROUP);
	}
	s = tulle__gpu_slots_make(env, "csr", a, groups * GROUP, &p->slots);
	if (s == TULLE_OK)
		tulle__gpu_put_rows(env, a, put_row, p);
	return s;
}

static tulle_status upload(tulle__gpu_plan *plan, const padded *p, const tulle__csr *a)
{
	const int threads = tulle__gpu_block(plan->device);
	tulle__gpu_memory group, length, col, val;
	tulle_status s = tulle__gpu_offsets(plan, p->group, TULLE_I64, a->rows, &group);

	if (s == TULLE_OK)
		s = tulle__gpu_offsets(plan, p->length, TULLE_I64, a->rows, &length);
	if (s == TULLE_OK)
		s = tulle__gpu_slots_upload(plan, &p->slots, &col, &val);
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(plan,
	                       TULLE__LAUNCH(csr_padded, tulle__gpu_blocks(a->rows * GROUP, threads),
	                                     threads, .rows = a->rows, .group = group, .length = length,
	                                     .col = col, .val = val));
}

static tulle_status build_padded(tulle__gpu_plan *plan, const tulle__csr *a)
{
	tulle__env *env = plan->device->env;
	padded p = { 0 };
	tulle_status s;

	if (plan->device->width < GROUP)
		return tulle__fail(TULLE_E_UNSUPPORTED, "csr: padded rows have %d lanes, a warp only %d",
		                   GROUP, plan->device->width);
	s = lay_out(&p, env, a);
	if (s == TULLE_OK)
		s = upload(plan, &p, a);
	tulle__free(env, p.group);
	tulle__free(env, p.length);
	tulle__gpu_slots_release(env, &p.slots);
	return s;
}

/* ---- choice ---- */

/* By counted sectors and instructions (docs/gpu-counts.md), not by times. Several lanes per row if rows are
 * long enough for several entries per lane, and no row is so long that its lanes would still work when all
 * others have ended. Otherwise row blocks. */
static int64_t kernel_for(const tulle__csr *a)
{
	enum { MEAN = 16, LONG = 2048, MUCH_LONGER = 32 };
	int64_t longest = 0;

	for (int64_t i = 0; i < a->rows; i++)
		if (tulle__csr_length(a, i) > longest)
			longest = tulle__csr_length(a, i);
	if (a->nnz < MEAN * a->rows || (longest > LONG && longest / MUCH_LONGER > a->nnz / a->rows))
		return ADAPTIVE;
	return VECTOR;
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	const int asked = (int)params->value[LANES]; /* the logarithm */
	const int64_t kernel = params->value[KERNEL] ? params->value[KERNEL] : kernel_for(a);
	tulle__gpu_csr m;
	tulle_status s;

	if (tulle__csr_gpu_lacks_values(a))
		return tulle__fail(TULLE_E_UNSUPPORTED, "csr: %s", TULLE__CSR_GPU_LACKS);
	if (kernel == VECTOR && 1 << asked > plan->device->width)
		return tulle__fail(TULLE_E_UNSUPPORTED, "csr: %d lanes per row, a warp has %d", 1 << asked,
		                   plan->device->width);
	if (kernel == PADDED)
		return build_padded(plan, a);
	s = tulle__gpu_upload(plan, a, &m);
	if (s != TULLE_OK)
		return s;
	s = many(plan, a, &m);
	if (s != TULLE_OK)
		return s;
	switch (kernel) {
	case SCALAR: return scalar(plan, a, &m);
	case BALANCED: return tulle__csr_gpu_balanced(plan, a, &m);
	case ADAPTIVE: return tulle__csr_gpu_adaptive(plan, a, &m);
	case SEGSUM: return tulle__csr_gpu_segsum(plan, a, &m);
	default:
		return vector(plan, a, &m, asked ? asked : lanes_for(plan->device, a),
		              params->value[X] == PLAIN);
	}
}

const tulle__gpu_format tulle__csr_gpu = {
	.tunables = "kernel=auto,scalar,vector,padded,balanced,adaptive,segsum "
	            "lanes=auto,2,4,8,16,32,64 x=cached,plain",
	.complex = 1,
	.variant = variants,
	.build = build,
	.estimate = tulle__csr_gpu_estimate,
	.check = tulle__csr_gpu_check,
};
