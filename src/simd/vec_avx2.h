/* vec_avx2.h -- the vector words (simd/generic.h) on 256 bits. A mask is the number of its lanes;
 * each word loads the bits it needs from a table that slides from all ones to all zeros. */
#ifndef TULLE_SIMD_VEC_AVX2_H
#define TULLE_SIMD_VEC_AVX2_H

#include <immintrin.h>

typedef int64_t vmask;
typedef __m256i vlanes; /* all ones in the lanes of the set, each as wide as T */

static inline __m256i first_of_4(int64_t n)
{
	static const int64_t slide[8] = { -1, -1, -1, -1, 0, 0, 0, 0 };

	return _mm256_loadu_si256((const __m256i *)(slide + 4 - n));
}

static inline __m256i first_of_8(int64_t n)
{
	static const int32_t slide[16] = { -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0 };

	return _mm256_loadu_si256((const __m256i *)(slide + 8 - n));
}

/* V(add) is the intrinsic on T. */
#if TULLE_IS(TULLE_T, f64)
typedef __m256d vec;
#define V(op) _mm256_##op##_pd
#define V_FIRST(m) first_of_4(m)
#else
typedef __m256 vec;
#define V(op) _mm256_##op##_ps
#define V_FIRST(m) first_of_8(m)
#endif

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
	return V(set1)(s);
}

static inline vec vload(const T *p)
{
	return V(loadu)(p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return V(maskload)(p, V_FIRST(m));
}

static inline void vstore(T *p, vec v)
{
	V(storeu)(p, v);
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	V(maskstore)(p, V_FIRST(m), v);
}

static inline vec vadd(vec a, vec b)
{
	return V(add)(a, b);
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return vadd(sum, V(and)(v, V(castsi256)(V_FIRST(m))));
}

static inline vec vmul(vec a, vec b)
{
	return V(mul)(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return V(fmadd)(a, b, c);
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return V(blendv)(c, vfma(a, b, c), V(castsi256)(V_FIRST(m)));
}

/* ---- sets of lanes ---- */

#define vlonger vlonger
static inline vlanes vlonger(const int32_t *p, int32_t n)
{
#if TULLE_IS(TULLE_T, f64)
	const __m128i longer = _mm_cmpgt_epi32(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi32(n));
	return _mm256_cvtepi32_epi64(longer);
#else
	return _mm256_cmpgt_epi32(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi32(n));
#endif
}

#include "simd/lanes_avx2.h"

static inline vlanes vlanes_of(unsigned bits)
{
#if TULLE_IS(TULLE_T, f64)
	const __m256i own = _mm256_setr_epi64x(1, 2, 4, 8);
	return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), own), own);
#else
	const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
	return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), own), own);
#endif
}

static inline unsigned vlane_bits(vlanes s)
{
	return (unsigned)V(movemask)(V(castsi256)(s));
}

/* ---- gathers ---- */

static inline __m256i widen_near(const uint16_t *offset)
{
	return _mm256_cvtepu16_epi32(VLEN == 4 ? _mm_loadl_epi64((const __m128i *)offset)
	                                       : _mm_loadu_si128((const __m128i *)offset));
}

/* Indices that serve several gathers. */

#define vindex vindex
#if TULLE_IS(TULLE_T, f64)
typedef __m128i vindex;
#else
typedef __m256i vindex;
#endif

static inline vindex vindex_near(const uint16_t *p, int32_t n)
{
	const __m256i at = _mm256_mullo_epi32(widen_near(p), _mm256_set1_epi32(n));
#if TULLE_IS(TULLE_T, f64)
	return _mm256_castsi256_si128(at);
#else
	return at;
#endif
}

static inline vindex vindex_far(const int32_t *p, int32_t n)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm_mullo_epi32(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi32(n));
#else
	return _mm256_mullo_epi32(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi32(n));
#endif
}

#ifdef TULLE_LOADS
#include "simd/loads_avx2.h"
#else
#include "simd/gather_avx2.h"
#endif

/* ---- sums ---- */

static inline T vsum(vec v)
{
#if TULLE_IS(TULLE_T, f64)
	const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));

	return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
#else
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
#endif
}

/* In each half, the sums of as many rows as it has elements. */
static inline vec fold_elements(const vec *v)
{
	const vec a = V(hadd)(v[0], v[1]);

	return VLEN == 4 ? a : V(hadd)(a, V(hadd)(v[2], v[3]));
}

#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
	const vec a = fold_elements(v), b = fold_elements(v + VLEN / 2);

	return vadd(V(permute2f128)(a, b, 0x20), V(permute2f128)(a, b, 0x31));
}

#define vpick vpick
static inline vec vpick(const T *p, const int32_t *at)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_setr_pd(p[at[0]], p[at[1]], p[at[2]], p[at[3]]);
#else
	return _mm256_setr_ps(p[at[0]], p[at[1]], p[at[2]], p[at[3]], p[at[4]], p[at[5]], p[at[6]],
	                      p[at[7]]);
#endif
}

#undef V
#undef V_FIRST

#include "simd/codes_avx2.h"
#include "simd/quad_avx2.h"
#include "simd/turn_avx2.h"
#define TULLE_NARROW_WORDS "simd/narrow_avx2.h"

#endif
