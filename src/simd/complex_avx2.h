/* complex_avx2.h -- the vector words (simd/generic.h) for complex T on 256 bits: real and imaginary parts
 * are interleaved, as in memory. A mask is the number of its lanes, as in vec_avx2.h. */
#ifndef TULLE_SIMD_COMPLEX_AVX2_H
#define TULLE_SIMD_COMPLEX_AVX2_H

#include <immintrin.h>

typedef int64_t vmask;
typedef __m256i vlanes; /* all ones in both parts of the lanes of the set */

/* V(add) is the intrinsic on the parts. */
#if TULLE_IS(TULLE_T, c128)
typedef __m256d vec;
#define V(op) _mm256_##op##_pd
#else
typedef __m256 vec;
#define V(op) _mm256_##op##_ps
#endif

/* All ones in the first n lanes. */
static inline __m256i first_lanes(int64_t n)
{
	static const int64_t slide[8] = { -1, -1, -1, -1, 0, 0, 0, 0 };

	return _mm256_loadu_si256((const __m256i *)(slide + 4 - n * (int64_t)sizeof(T) / 8));
}

#define V_FIRST(n) first_lanes(n)

static inline vmask vfirst(int64_t n)
{
	return n;
}

static inline int64_t vlength(vmask m)
{
	return m;
}

static inline vec vzero(void)
{
	return V(setzero)();
}

static inline vec vset(T s)
{
#if TULLE_IS(TULLE_T, c128)
	return _mm256_setr_pd(__real__ s, __imag__ s, __real__ s, __imag__ s);
#else
	return _mm256_castpd_ps(
	    _mm256_broadcastsd_pd(_mm_castps_pd(_mm_setr_ps(__real__ s, __imag__ s, 0, 0))));
#endif
}

static inline vec vload(const T *p)
{
	return V(loadu)((const R *)p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return V(maskload)((const R *)p, first_lanes(m));
}

static inline void vstore(T *p, vec v)
{
	V(storeu)((R *)p, v);
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	V(maskstore)((R *)p, first_lanes(m), v);
}

static inline vec vadd(vec a, vec b)
{
	return V(add)(a, b);
}

static inline vec keep_first(vec v, vmask m)
{
	return V(and)(v, V(castsi256)(first_lanes(m)));
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return V(blendv)(sum, vadd(sum, v), V(castsi256)(first_lanes(m)));
}

/* ---- parts ---- */

#if TULLE_IS(TULLE_T, c128)
static inline vec both_re(vec v)
{
	return _mm256_movedup_pd(v);
}

static inline vec both_im(vec v)
{
	return _mm256_permute_pd(v, 0xf);
}

static inline vec swap_parts(vec v)
{
	return _mm256_permute_pd(v, 0x5);
}
#else
static inline vec both_re(vec v)
{
	return _mm256_moveldup_ps(v);
}

static inline vec both_im(vec v)
{
	return _mm256_movehdup_ps(v);
}

static inline vec swap_parts(vec v)
{
	return _mm256_permute_ps(v, 0xb1);
}
#endif

/* ---- sets of lanes ---- */

#include "simd/lanes_avx2.h"

/* A set has a bit per 8 bytes: two bits per lane of c128. */
static inline vlanes vlanes_of(unsigned bits)
{
	const __m256i own = _mm256_setr_epi64x(1, 2, 4, 8);
	const unsigned all = TULLE_IS(TULLE_T, c128) ? 3 * _pdep_u32(bits, 5) : bits;

	return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(all), own), own);
}

static inline unsigned vlane_bits(vlanes s)
{
	const unsigned all = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(s));

	return TULLE_IS(TULLE_T, c128) ? _pext_u32(all, 5) : all;
}

/* ---- gathers and products ---- */

static inline vec from_units(__m128d a, __m128d b)
{
	const __m256d all = _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
#if TULLE_IS(TULLE_T, c128)
	return all;
#else
	return _mm256_castpd_ps(all);
#endif
}

#define GATHERED(x, at) from_units(UNIT(x, at, 0), UNIT(x, at, 1))
#include "simd/complex_x86.h"

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return V(blendv)(c, vfma(a, b, c), V(castsi256)(first_lanes(m)));
}

/* ---- sums ---- */

/* In each half, the sums of as many rows as it has numbers. */
static inline vec fold_numbers(const vec *v)
{
#if TULLE_IS(TULLE_T, c128)
	return v[0];
#else
	const __m256d a = _mm256_castps_pd(v[0]), b = _mm256_castps_pd(v[1]);

	return vadd(_mm256_castpd_ps(_mm256_unpacklo_pd(a, b)),
	            _mm256_castpd_ps(_mm256_unpackhi_pd(a, b)));
#endif
}

#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
	const vec a = fold_numbers(v), b = fold_numbers(v + VLEN / 2);

	return vadd(V(permute2f128)(a, b, 0x20), V(permute2f128)(a, b, 0x31));
}

static inline T vsum(vec v)
{
#if TULLE_IS(TULLE_T, c128)
	const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));

	return __builtin_complex(_mm_cvtsd_f64(s), _mm_cvtsd_f64(_mm_unpackhi_pd(s, s)));
#else
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return __builtin_complex(_mm_cvtss_f32(s), _mm_cvtss_f32(_mm_movehdup_ps(s)));
#endif
}

#include "simd/turn_avx2.h"

#undef V
#undef V_FIRST

#include "simd/quad_complex.h"

#endif
