/* csc_gpu.c -- csc on a GPU: one warp per column, atomics into y. */
#include "formats/csc/csc_gpu.h"

#include "core/memory.h"
#include "formats/csc/csc.gpu.h"
#include "gpu/gpu_check.h"

static const tulle__gpu_variant variants[] = {
	{ "", "one warp per column, one atomic per nonzero", 0, 0 },
	{ NULL, NULL, 0, 0 },
};

static tulle_status step(tulle__gpu_plan *plan, const tulle__csr *columns)
{
	const int threads = tulle__gpu_block(plan->device);
	const int64_t blocks = tulle__gpu_blocks(columns->rows * plan->device->width, threads);
	tulle__gpu_csr m;
	tulle_status s = tulle__gpu_upload(plan, columns, &m);

	if (s == TULLE_OK)
		s = tulle__gpu_step_scale(plan);
	if (s != TULLE_OK)
		return s;
	return tulle__gpu_step(plan, TULLE__LAUNCH(csc_columns, blocks, threads, .cols = columns->rows,
	                                           .col_ptr = m.row_ptr, .row = m.col, .val = m.val));
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	tulle__env *env = plan->device->env;
	tulle__csr columns;
	tulle_status s = tulle__csr_transpose(env, a, &columns, NULL);

	(void)params;
	plan->atomics = 1;
	if (s != TULLE_OK)
		return s;
	s = step(plan, &columns);
	tulle__csr_release(env, &columns);
	return s;
}

static void check(tulle__gpu_check *c)
{
	tulle__gpu_check_rows(c, "csc", "col_ptr", c->plan->cols, "row", c->plan->rows);
}

const tulle__gpu_format tulle__csc_gpu = {
	.tunables = "",
	.variant = variants,
	.build = build,
	.estimate = tulle__csc_gpu_estimate,
	.check = check,
};
