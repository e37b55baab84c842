/* mul.c -- y = alpha A x + beta b: check the pointers, take scratch, run the phases. */
#include "api/handles.h"
#include "core/inline.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdint.h>

/* Says which of the conditions that `multiply` tested in one expression was the one. */
static __attribute__((cold)) tulle_status refuse(const tulle_plan *p, tulle_value_type type,
                                                 const void *x, double beta, const void *b,
                                                 const void *y)
{
	const size_t element = tulle__element_size(type);

	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (p->value_type != type)
		return tulle__fail(TULLE_E_TYPE, "the plan holds %s values, the call is for %s",
		                   tulle__type_of(p->value_type)->name, tulle__type_of(type)->name);
	if (!x && p->x_bytes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "x is NULL");
	if (!y && p->y_bytes > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "y is NULL");
	if (!b && p->y_bytes > 0 && beta != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "b is NULL but beta = %g", beta);
	if (((uintptr_t)x | (uintptr_t)y | (uintptr_t)b) % element != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "x = %p, b = %p or y = %p is not a multiple of its element's %zu bytes",
		                   x, b, y, element);
	if (tulle__overlap(x, p->x_bytes, y, p->y_bytes))
		return tulle__fail(TULLE_E_ARGUMENT, "x (%zu bytes at %p) and y (%zu bytes at %p) overlap",
		                   p->x_bytes, x, p->y_bytes, y);
	return tulle__fail(
	    TULLE_E_ARGUMENT,
	    "b (%zu bytes at %p) and y (at %p) overlap: b must equal y or be disjoint from it",
	    p->y_bytes, b, y);
}

TULLE_INLINE tulle_status multiply(const tulle_plan *p, tulle_value_type type, double alpha,
                                   const void *x, double beta, const void *b, void *y)
{
	const uintptr_t off = tulle__element_size(type) - 1;
	void *scratch;
	tulle_status s;

	if (!p || p->value_type != type || (!x && p->x_bytes > 0) || (!y && p->y_bytes > 0) ||
	    (((uintptr_t)x | (uintptr_t)y | (uintptr_t)b) & off) ||
	    tulle__overlap(x, p->x_bytes, y, p->y_bytes) ||
	    (b != y && beta != 0 && (!b || tulle__overlap(b, p->y_bytes, y, p->y_bytes)) &&
	     p->y_bytes > 0))
		return refuse(p, type, x, beta, b, y);
	s = tulle__take_scratch(p->env, &p->run, &scratch);
	if (s != TULLE_OK)
		return s;
	tulle__multiply(p, alpha, x, beta, b, y, scratch);
	tulle__give_scratch(p->env, &p->run, scratch);
	return TULLE_OK;
}

tulle_status tulle_mul_f32(const tulle_plan *plan, float alpha, const float *x, float beta,
                           float *y)
{
	return multiply(plan, TULLE_F32, (double)alpha, x, (double)beta, y, y);
}

tulle_status tulle_mul_f64(const tulle_plan *plan, double alpha, const double *x, double beta,
                           double *y)
{
	return multiply(plan, TULLE_F64, alpha, x, beta, y, y);
}

tulle_status tulle_mul_add_f32(const tulle_plan *plan, float alpha, const float *x, float beta,
                               const float *b, float *y)
{
	return multiply(plan, TULLE_F32, (double)alpha, x, (double)beta, b, y);
}

tulle_status tulle_mul_add_f64(const tulle_plan *plan, double alpha, const double *x, double beta,
                               const double *b, double *y)
{
	return multiply(plan, TULLE_F64, alpha, x, beta, b, y);
}
