/* coo_gpu.c -- coo on a GPU: the arrays are those of the CPU. */
#include "formats/coo/coo_gpu.h"

#include "gpu/gpu_check.h"
#include "gpu/steps.h"

static const tulle__gpu_variant variants[] = {
	{ "", "an equal share of the nonzeros to each warp, summed by segments", TULLE__GPU_SAME_BITS,
	  0 },
	{ NULL, NULL, 0, 0 },
};

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	tulle__env *env = plan->device->env;
	tulle__coo c;
	double beta;
	tulle_status s = tulle__coo_make(env, "coo", a, 0, &c);

	(void)params;
	if (s != TULLE_OK)
		return s;
	s = tulle__gpu_step_empty_rows(plan, a, &beta);
	if (s == TULLE_OK)
		s = tulle__gpu_step_coo(plan, &c, beta);
	tulle__coo_release(env, &c);
	return s;
}

const tulle__gpu_format tulle__coo_gpu = {
	.tunables = "",
	.variant = variants,
	.build = build,
	.estimate = tulle__coo_gpu_estimate,
	.check = tulle__gpu_check_coo,
};
