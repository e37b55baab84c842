/* hyb_gpu_estimate.c -- estimated work of hyb on a GPU: ELLPACK for the first entries of each row, COO for the
 * rest. */
#include "formats/hyb/hyb_convert.h"
#include "formats/hyb/hyb_gpu.h"
#include "gpu/steps_estimate.h"

tulle_status tulle__hyb_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { SHARE = 8 }; /* the default */
	const int64_t width = tulle__hyb_width(s->env, s->a, SHARE);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &tulle__gpu_ell_use);
	double beyond = 0;

	for (int64_t i = 0; i < s->a->rows; i++) {
		const int64_t length = tulle__csr_length(s->a, i);

		beyond += length > width ? (double)(length - width) : 0;
	}
	tulle__gpu_estimate_ell(s, width, s->nnz - beyond, e);
	tulle__gpu_estimate_coo(s, beyond, e);
	return TULLE_OK;
}
