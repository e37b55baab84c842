/* transposed.c -- y = alpha A^T x + beta y, with a plan for both directions. */
#include "api/handles.h"
#include "core/status.h"

/* Not inline: error path. */
static __attribute__((cold)) tulle_status fail_one_direction(const tulle_plan *p)
{
	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (tulle__op_transposes(p->op))
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "the plan is for %s alone: tulle_mul multiplies by it; for both "
		                   "directions create it with options.op = TULLE_BOTH%s",
		                   p->op == TULLE_CONJUGATE ? "A^H" : "A^T",
		                   p->op == TULLE_CONJUGATE ? "_CONJUGATE" : "");
	return tulle__fail(
	    TULLE_E_ARGUMENT,
	    "the plan is for A alone: to multiply by A^T, too, create it with options.op "
	    "= TULLE_BOTH");
}

const tulle_plan *tulle_plan_transposed(const tulle_plan *plan)
{
	if (plan && plan->other)
		return plan->other;
	fail_one_direction(plan);
	return NULL;
}

tulle_status tulle_mul_transposed_f32(const tulle_plan *plan, float alpha, const float *x,
                                      float beta, float *y)
{
	return plan && plan->other ? tulle_mul_f32(plan->other, alpha, x, beta, y)
	                           : fail_one_direction(plan);
}

tulle_status tulle_mul_transposed_f64(const tulle_plan *plan, double alpha, const double *x,
                                      double beta, double *y)
{
	return plan && plan->other ? tulle_mul_f64(plan->other, alpha, x, beta, y)
	                           : fail_one_direction(plan);
}

tulle_status tulle_mul_transposed_c64(const tulle_plan *plan, tulle_c64 alpha, const tulle_c64 *x,
                                      tulle_c64 beta, tulle_c64 *y)
{
	return plan && plan->other ? tulle_mul_c64(plan->other, alpha, x, beta, y)
	                           : fail_one_direction(plan);
}

tulle_status tulle_mul_transposed_c128(const tulle_plan *plan, tulle_c128 alpha,
                                       const tulle_c128 *x, tulle_c128 beta, tulle_c128 *y)
{
	return plan && plan->other ? tulle_mul_c128(plan->other, alpha, x, beta, y)
	                           : fail_one_direction(plan);
}
