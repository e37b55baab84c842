/* coded.h -- values of a class (core/values.h) as vectors.
 *
 * Included by kernel files only, after core/kernel.h. `class` is a constant at every call; SINGLE occurs for
 * doubles only, TABLE, BF16 and F16 for real types only. */
#ifndef TULLE_LOOPS_CODED_H
#define TULLE_LOOPS_CODED_H

#include "core/halves.h"
#include "core/kernel.h"
#include "core/values.h"
#include "loops/prefetch.h"

enum {
	HAS_SINGLE = TULLE_IS(TULLE_T, f64),
	HAS_TABLE = !TULLE_COMPLEX,
	HAS_HALVES = !TULLE_COMPLEX
};

typedef struct {
	const void *val;
	vtable table; /* class TABLE */
	vec scale;    /* classes BF16 and F16, in all lanes */
} coded;

/* Bytes of one value. */
TULLE_INLINE size_t coded_size(tulle__value_class class)
{
	return class == TULLE__OWN      ? sizeof(S)
	       : class == TULLE__SINGLE ? sizeof(float)
	       : class == TULLE__TABLE  ? sizeof(uint8_t)
	       : tulle__is_half(class)  ? sizeof(uint16_t)
	                                : 0;
}

/* Pointer to value k of `val`. */
TULLE_INLINE coded coded_from(const tulle__value_code *code, const void *val, int64_t k,
                              tulle__value_class class)
{
	return (coded){ .val = (const char *)val + (size_t)k * coded_size(class),
		            .table = vtable_of((const T *)(const void *)&code->table) };
}

/* The same values; those of 16 bits are multiplied by scale[n], or by 1. */
TULLE_INLINE coded coded_scaled(coded c, const double *scale, int64_t n, tulle__value_class class)
{
	if (tulle__is_half(class))
		c.scale = vset(scale ? (T)scale[n] : 1);
	return c;
}

TULLE_INLINE coded coded_own(const S *val)
{
	return (coded){ .val = val };
}

#ifdef TULLE_WIDENS
/* Floats have a word that widens them; another type would need its own in simd/. */
_Static_assert(VLEN == 1 || _Generic((S *)0, float * : 1, default : 0),
               "no vector word widens these values");
#endif

/* Stored values p[0], p[1], ... as T. */
TULLE_INLINE vec load_stored(const S *p)
{
#ifdef TULLE_WIDENS
	return VLEN == 1 ? vset(widen(*p)) : vwiden((const float *)(const void *)p);
#else
	return vload(p);
#endif
}

/* The same for the lanes in m; 0 in the others. */
TULLE_INLINE vec load_stored_first(const S *p, vmask m)
{
#ifdef TULLE_WIDENS
	if (VLEN == 1)
		return vlength(m) > 0 ? vset(widen(*p)) : vzero();
	return vwiden_first((const float *)(const void *)p, m);
#else
	return vload_first(p, m);
#endif
}

/* Values k, k+1, ..., one in each lane. */
TULLE_INLINE vec coded_load(const coded *c, int64_t k, tulle__value_class class)
{
	return class == TULLE__OWN      ? load_stored((const S *)c->val + k)
	       : class == TULLE__SINGLE ? vwiden((const float *)c->val + k)
	       : class == TULLE__BF16   ? vmul(vwiden_bf16((const uint16_t *)c->val + k), c->scale)
	       : class == TULLE__F16    ? vmul(vwiden_f16((const uint16_t *)c->val + k), c->scale)
	                                : vlookup(c->table, (const uint8_t *)c->val + k);
}

/* The same for the lanes in m. Whole vectors may be read. */
TULLE_INLINE vec coded_load_first(const coded *c, int64_t k, tulle__value_class class, vmask m)
{
	return class == TULLE__OWN ? load_stored_first((const S *)c->val + k, m)
	                           : coded_load(c, k, class);
}

/* Value k in every lane. */
TULLE_INLINE vec coded_set(const coded *c, int64_t k, tulle__value_class class,
                           const tulle__value_code *code)
{
	if (class == TULLE__BF16)
		return vmul(vset((T)tulle__from_bf16(((const uint16_t *)c->val)[k])), c->scale);
	if (class == TULLE__F16)
		return vmul(vset((T)tulle__from_f16(((const uint16_t *)c->val)[k])), c->scale);
	return vset(class == TULLE__OWN ? widen(((const S *)c->val)[k])
	            : class == TULLE__SINGLE
	                ? (T)((const float *)c->val)[k]
	                : ((const T *)(const void *)&code->table)[((const uint8_t *)c->val)[k]]);
}

/* sum + value * x. For ones the multiplication is omitted, which changes no rounding: the bits are
 * those of OWN. */
TULLE_INLINE vec coded_fma(const coded *c, int64_t k, vec x, vec sum, tulle__value_class class)
{
	return class == TULLE__ONES ? vadd(sum, x) : vfma(coded_load(c, k, class), x, sum);
}

TULLE_INLINE vec coded_fma_first(const coded *c, int64_t k, vec x, vec sum,
                                 tulle__value_class class, vmask m)
{
	return class == TULLE__ONES ? vadd_first(sum, x, m)
	                            : vfma_first(coded_load_first(c, k, class, m), x, sum, m);
}

TULLE_INLINE void coded_prefetch(const coded *c, int64_t k, tulle__value_class class)
{
	const size_t size = coded_size(class);

	if (size > 0)
		prefetch_ahead((const void *)((uintptr_t)c->val + (size_t)k * size), size);
}

#endif
