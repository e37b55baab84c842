/* hyb_gpu.c -- hyb on a GPU: the kernels of ell and coo, one after the other. */
#include "formats/hyb/hyb_gpu.h"

#include "formats/hyb/hyb_convert.h"
#include "gpu/gpu_check.h"
#include "gpu/steps.h"

enum { SHARE }; /* params */

static const tulle__gpu_variant variants[] = {
	{ "", "ELLPACK as far as two thirds of the rows reach, COO beyond", TULLE__GPU_SAME_BITS, 0 },
	{ "share=0", "all in COO", TULLE__GPU_SAME_BITS, 0 },
	{ "share=12", "all in ELLPACK", TULLE__GPU_SAME_BITS, 0 },
	{ NULL, NULL, 0, 0 },
};

/* Entries of a row beyond the width are added to the result of the first step. */
static tulle_status add_tail(tulle__gpu_plan *plan, const tulle__csr *a, int64_t width)
{
	tulle__env *env = plan->device->env;
	tulle__coo c;
	tulle_status s = tulle__coo_make(env, "hyb", a, width, &c);

	if (s == TULLE_OK) {
		s = tulle__gpu_step_coo(plan, &c, 1);
		tulle__coo_release(env, &c);
	}
	return s;
}

static tulle_status build(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params)
{
	tulle__env *env = plan->device->env;
	const int64_t width = tulle__hyb_width(env, a, params->value[SHARE]);
	tulle__ell e;
	tulle_status s = tulle__ell_make(env, "hyb", a, width, &e);

	if (s == TULLE_OK) {
		tulle__ell_note(&e, plan->note, sizeof plan->note);
		s = tulle__gpu_step_ell(plan, &e);
		tulle__ell_release(env, &e);
	}
	return s == TULLE_OK ? add_tail(plan, a, width) : s;
}

static void check(tulle__gpu_check *c)
{
	tulle__gpu_check_ell(c);
	tulle__gpu_check_coo(c);
}

const tulle__gpu_format tulle__hyb_gpu = {
	.tunables = "share=0..12:8",
	.variant = variants,
	.build = build,
	.estimate = tulle__hyb_gpu_estimate,
	.check = check,
};
