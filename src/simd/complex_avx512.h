/* complex_avx512.h -- the vector words (simd/generic.h) for complex T on 512 bits: real and imaginary parts
 * are interleaved, as in memory. Masks have two bits per lane, one for each part. */
#ifndef TULLE_SIMD_COMPLEX_AVX512_H
#define TULLE_SIMD_COMPLEX_AVX512_H

#include <immintrin.h>

/* V(add) is the intrinsic on the parts. */
#if TULLE_IS(TULLE_T, c128)
typedef __m512d vec;
typedef __mmask8 vmask, vlanes;
#define V(op) _mm512_##op##_pd
#define V_UNITS(a, b, n) _mm512_shuffle_f64x2(a, b, n)
#else
typedef __m512 vec;
typedef __mmask16 vmask, vlanes;
#define V(op) _mm512_##op##_ps
#define V_UNITS(a, b, n) _mm512_shuffle_f32x4(a, b, n)
#endif

static inline vmask vfirst(int64_t n)
{
	return (vmask)((1u << 2 * n) - 1);
}

static inline int64_t vlength(vmask m)
{
	return __builtin_popcount(m) / 2;
}

static inline vec vzero(void)
{
	return V(setzero)();
}

static inline vec vset(T s)
{
#if TULLE_IS(TULLE_T, c128)
	return _mm512_broadcast_f64x2(_mm_setr_pd(__real__ s, __imag__ s));
#else
	return _mm512_castpd_ps(
	    _mm512_broadcastsd_pd(_mm_castps_pd(_mm_setr_ps(__real__ s, __imag__ s, 0, 0))));
#endif
}

static inline vec vload(const T *p)
{
	return V(loadu)(p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return V(maskz_loadu)(m, p);
}

static inline void vstore(T *p, vec v)
{
	V(storeu)(p, v);
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	V(mask_storeu)(p, m, v);
}

static inline vec vadd(vec a, vec b)
{
	return V(add)(a, b);
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return V(mask_add)(sum, m, sum, v);
}

static inline vec keep_first(vec v, vmask m)
{
	return V(maskz_mov)(m, v);
}

/* ---- parts ---- */

#if TULLE_IS(TULLE_T, c128)
static inline vec both_re(vec v)
{
	return _mm512_movedup_pd(v);
}

static inline vec both_im(vec v)
{
	return _mm512_permute_pd(v, 0xff);
}

static inline vec swap_parts(vec v)
{
	return _mm512_permute_pd(v, 0x55);
}
#else
static inline vec both_re(vec v)
{
	return _mm512_moveldup_ps(v);
}

static inline vec both_im(vec v)
{
	return _mm512_movehdup_ps(v);
}

static inline vec swap_parts(vec v)
{
	return _mm512_permute_ps(v, 0xb1);
}
#endif

/* ---- sets of lanes ---- */

#include "simd/lanes_avx512.h"

static inline vlanes vlanes_of(unsigned bits)
{
	return (vlanes)(3 * _pdep_u32(bits, 0x5555));
}

static inline unsigned vlane_bits(vlanes s)
{
	return _pext_u32(s, 0x5555);
}

/* ---- gathers and products ---- */

static inline vec from_units(__m128d a, __m128d b, __m128d c, __m128d d)
{
	const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
	const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(c), d, 1);
	const __m512d all = _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#if TULLE_IS(TULLE_T, c128)
	return all;
#else
	return _mm512_castpd_ps(all);
#endif
}

#define GATHERED(x, at) from_units(UNIT(x, at, 0), UNIT(x, at, 1), UNIT(x, at, 2), UNIT(x, at, 3))
#include "simd/complex_x86.h"

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return V(mask_mov)(c, m, vfma(a, b, c));
}

/* ---- sums ---- */

/* Units of 16 bytes 0+1 and 2+3 of both: halves the vectors and doubles the rows in each. */
static inline vec fold_units(vec a, vec b)
{
	return vadd(V_UNITS(a, b, 0x88), V_UNITS(a, b, 0xdd));
}

/* In each unit, the sums of as many rows as it has numbers. */
static inline vec fold_numbers(const vec *v)
{
#if TULLE_IS(TULLE_T, c128)
	return v[0];
#else
	const __m512d a = _mm512_castps_pd(v[0]), b = _mm512_castps_pd(v[1]);

	return vadd(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)),
	            _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
#endif
}

#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
	enum { ROWS = VLEN / 4 };

	return fold_units(fold_units(fold_numbers(v), fold_numbers(v + ROWS)),
	                  fold_units(fold_numbers(v + 2 * ROWS), fold_numbers(v + 3 * ROWS)));
}

static inline T vsum(vec v)
{
#if TULLE_IS(TULLE_T, c128)
	const __m256d half = _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1));
	const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(half), _mm256_extractf128_pd(half, 1));

	return __builtin_complex(_mm_cvtsd_f64(s), _mm_cvtsd_f64(_mm_unpackhi_pd(s, s)));
#else
	const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));

	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return __builtin_complex(_mm_cvtss_f32(s), _mm_cvtss_f32(_mm_movehdup_ps(s)));
#endif
}

#include "simd/turn_avx512.h"

#undef V
#undef V_UNITS

#include "simd/quad_complex.h"

#endif
