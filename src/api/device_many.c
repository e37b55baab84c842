/* device_many.c -- Y = alpha A X + beta Y for several vectors on a device. */
#include "api/device.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>

/* Elements from the first to the last of n rows of k elements. */
static int64_t elements(int64_t n, int64_t k, int64_t ld)
{
	return n > 0 ? tulle__plus(tulle__times(n - 1, ld), k) : 0;
}

static tulle_status check_shape(int64_t k, int64_t ldx, int64_t ldy)
{
	if (k < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "k = %" PRId64 " is negative", k);
	if (ldx < k)
		return tulle__fail(TULLE_E_ARGUMENT, "ldx = %" PRId64 " is less than %" PRId64, ldx, k);
	if (ldy < k)
		return tulle__fail(TULLE_E_ARGUMENT, "ldy = %" PRId64 " is less than %" PRId64, ldy, k);
	return TULLE_OK;
}

static tulle_status multiply(const tulle_device_plan *plan, tulle_queue *queue, int64_t k,
                             tulle__scalar alpha, const tulle_vector *x, int64_t ldx,
                             tulle__scalar beta, tulle_vector *y, int64_t ldy)
{
	tulle__gpu_call call = { .alpha = alpha, .beta = beta, .vectors = k, .ldx = ldx, .ldy = ldy };
	tulle_status s;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	s = check_shape(k, ldx, ldy);
	if (s == TULLE_OK)
		s = tulle__check_vectors(plan->device, queue, plan->gpu.types.value, x,
		                         elements(plan->gpu.cols, k, ldx), y,
		                         elements(plan->gpu.rows, k, ldy));
	if (s == TULLE_OK && !plan->gpu.many.kernel)
		s = tulle__fail(TULLE_E_UNSUPPORTED, "%s has no kernel for several vectors", plan->format);
	if (s != TULLE_OK || k == 0)
		return s;
	call.x = x->memory;
	call.y = y->memory;
	return tulle__gpu_plan_run_many(&plan->gpu, queue->native, &call);
}

tulle_status tulle_device_mul_many(const tulle_device_plan *plan, tulle_queue *queue, int64_t k,
                                   double alpha, const tulle_vector *x, int64_t ldx, double beta,
                                   tulle_vector *y, int64_t ldy)
{
	return multiply(plan, queue, k, tulle__real(alpha), x, ldx, tulle__real(beta), y, ldy);
}

tulle_status tulle_device_mul_many_complex(const tulle_device_plan *plan, tulle_queue *queue,
                                           int64_t k, tulle_c128 alpha, const tulle_vector *x,
                                           int64_t ldx, tulle_c128 beta, tulle_vector *y,
                                           int64_t ldy)
{
	const tulle_status s = tulle__check_complex_plan(plan);

	return s == TULLE_OK ? multiply(plan, queue, k, tulle__of_c128(alpha), x, ldx,
	                                tulle__of_c128(beta), y, ldy)
	                     : s;
}
