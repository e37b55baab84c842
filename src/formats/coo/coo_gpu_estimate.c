/* coo_gpu_estimate.c -- estimated work of coo on a GPU. */
#include "formats/coo/coo_gpu.h"
#include "gpu/steps_estimate.h"

tulle_status tulle__coo_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &tulle__gpu_coo_use);

	e->launches = s->empty_rows > 0; /* y = beta y comes first */
	tulle__gpu_estimate_coo(s, s->nnz, e);
	return TULLE_OK;
}
