/* ell_gpu_estimate.c -- estimated work of ELLPACK on a GPU. */
#include "formats/ell/ell_gpu.h"
#include "gpu/steps_estimate.h"

tulle_status tulle__ell_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	tulle__gpu_estimate_ell(s, s->longest, s->nnz, tulle__gpu_add(out, &tulle__gpu_ell_use));
	return TULLE_OK;
}
