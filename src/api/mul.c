/* mul.c -- y = alpha A x + beta b: check the pointers, take scratch, run the phases. */
#include "api/online.h"
#include "core/inline.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdint.h>

tulle_status tulle__refuse_type(const tulle_plan *p, tulle_value_type type)
{
	if (p->value_type != p->vector_type)
		return tulle__fail(TULLE_E_TYPE, "the plan is for %s vectors, the call is for %s",
		                   tulle__type_of(p->vector_type)->name, tulle__type_of(type)->name);
	return tulle__fail(TULLE_E_TYPE, "the plan holds %s values, the call is for %s",
	                   tulle__type_of(p->value_type)->name, tulle__type_of(type)->name);
}

tulle_status tulle__refuse_product(const tulle_plan *p, tulle_value_type type,
                                   const tulle__product *v)
{
	const size_t align = tulle__element_align(type);
	const int reads_b = !tulle__is_zero(v->beta);

	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (p->vector_type != type)
		return tulle__refuse_type(p, type);
	if (!v->x && p->x_bytes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "x is NULL");
	if (!v->y && p->y_bytes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", v->y_name);
	if (!v->b && p->y_bytes > 0 && reads_b && !v->beta_name)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", v->b_name);
	if (!v->b && p->y_bytes > 0 && reads_b && v->beta.im == 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL but %s = %g", v->b_name, v->beta_name,
		                   v->beta.re);
	if (!v->b && p->y_bytes > 0 && reads_b)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL but %s = %g%+gi", v->b_name, v->beta_name,
		                   v->beta.re, v->beta.im);
	if (((uintptr_t)v->x | (uintptr_t)v->y | (uintptr_t)v->b) % align != 0)
		return tulle__fail(
		    TULLE_E_ARGUMENT,
		    "x = %p, %s = %p or %s = %p is not a multiple of its element's %zu bytes", v->x,
		    v->b_name, v->b, v->y_name, v->y, align);
	if (tulle__overlap(v->x, p->x_bytes, v->y, p->y_bytes))
		return tulle__fail(TULLE_E_ARGUMENT, "x (%zu bytes at %p) and %s (%zu bytes at %p) overlap",
		                   p->x_bytes, v->x, v->y_name, p->y_bytes, v->y);
	return tulle__fail(
	    TULLE_E_ARGUMENT,
	    "%s (%zu bytes at %p) and %s (at %p) overlap: %s must equal %s or be disjoint from it",
	    v->b_name, p->y_bytes, v->b, v->y_name, v->y, v->b_name, v->y_name);
}

TULLE_INLINE tulle_status multiply(const tulle_plan *p, tulle_value_type type, tulle__scalar alpha,
                                   const void *x, tulle__scalar beta, const void *b, void *y)
{
	tulle__turn turn;
	void *scratch;
	tulle_status s;

	s = tulle__check_product(p, type, &(tulle__product){ x, b, y, alpha, beta, "b", "beta", "y" });
	if (s != TULLE_OK)
		return s;
	turn = tulle__enter(p);
	s = tulle__take_scratch(p->env, &turn.plan->run, &scratch);
	if (s != TULLE_OK)
		return s;
	tulle__multiply(turn.plan, alpha, x, beta, b, y, scratch);
	tulle__give_scratch(p->env, &turn.plan->run, scratch);
	tulle__leave(p, turn, 1);
	return TULLE_OK;
}

tulle_status tulle_mul_f32(const tulle_plan *plan, float alpha, const float *x, float beta,
                           float *y)
{
	return multiply(plan, TULLE_F32, tulle__real((double)alpha), x, tulle__real((double)beta), y,
	                y);
}

tulle_status tulle_mul_f64(const tulle_plan *plan, double alpha, const double *x, double beta,
                           double *y)
{
	return multiply(plan, TULLE_F64, tulle__real(alpha), x, tulle__real(beta), y, y);
}

tulle_status tulle_mul_c64(const tulle_plan *plan, tulle_c64 alpha, const tulle_c64 *x,
                           tulle_c64 beta, tulle_c64 *y)
{
	return multiply(plan, TULLE_C64, tulle__of_c64(alpha), x, tulle__of_c64(beta), y, y);
}

tulle_status tulle_mul_c128(const tulle_plan *plan, tulle_c128 alpha, const tulle_c128 *x,
                            tulle_c128 beta, tulle_c128 *y)
{
	return multiply(plan, TULLE_C128, tulle__of_c128(alpha), x, tulle__of_c128(beta), y, y);
}

tulle_status tulle_mul_add_f32(const tulle_plan *plan, float alpha, const float *x, float beta,
                               const float *b, float *y)
{
	return multiply(plan, TULLE_F32, tulle__real((double)alpha), x, tulle__real((double)beta), b,
	                y);
}

tulle_status tulle_mul_add_f64(const tulle_plan *plan, double alpha, const double *x, double beta,
                               const double *b, double *y)
{
	return multiply(plan, TULLE_F64, tulle__real(alpha), x, tulle__real(beta), b, y);
}

tulle_status tulle_mul_add_c64(const tulle_plan *plan, tulle_c64 alpha, const tulle_c64 *x,
                               tulle_c64 beta, const tulle_c64 *b, tulle_c64 *y)
{
	return multiply(plan, TULLE_C64, tulle__of_c64(alpha), x, tulle__of_c64(beta), b, y);
}

tulle_status tulle_mul_add_c128(const tulle_plan *plan, tulle_c128 alpha, const tulle_c128 *x,
                                tulle_c128 beta, const tulle_c128 *b, tulle_c128 *y)
{
	return multiply(plan, TULLE_C128, tulle__of_c128(alpha), x, tulle__of_c128(beta), b, y);
}
