/* ell_gpu.c -- ELLPACK on a GPU: the arrays are those of the CPU. */
#include "formats/ell/ell_gpu.h"

#include "gpu/gpu_check.h"
#include "gpu/steps.h"

static const tulle__gpu_variant variants[] = {
	{ "", "one thread per row, padding passed over by a branch", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	tulle__env *env = plan->device->env;
	tulle__ell e;
	tulle_status s = tulle__ell_make(env, "ell", a, tulle__ell_longest(env, a), &e);

	(void)params;
	if (s == TULLE_OK) {
		tulle__ell_note(&e, plan->note, sizeof plan->note);
		s = tulle__gpu_step_ell(plan, &e);
		tulle__ell_release(env, &e);
	}
	return s;
}

const tulle__gpu_format tulle__ell_gpu = {
	.tunables = "",
	.variant = variants,
	.build = build,
	.estimate = tulle__ell_gpu_estimate,
	.check = tulle__gpu_check_ell,
};
