/* vec_avx512.h -- the vector words (simd/generic.h) on 512 bits. */
#ifndef TULLE_SIMD_VEC_AVX512_H
#define TULLE_SIMD_VEC_AVX512_H

#include <immintrin.h>

/* V(add) is the intrinsic on T, L(add) the one on whole numbers as wide as T. */
#if TULLE_IS(TULLE_T, f64)
typedef __m512d vec;
typedef __mmask8 vmask, vlanes;
#define V(op) _mm512_##op##_pd
#define L(op) _mm512_##op##_epi64
#define L_MASK(op) _mm512_##op##_epi64_mask
#define V_LANES(a, b, n) _mm512_shuffle_f64x2(a, b, n)
#else
typedef __m512 vec;
typedef __mmask16 vmask, vlanes;
#define V(op) _mm512_##op##_ps
#define L(op) _mm512_##op##_epi32
#define L_MASK(op) _mm512_##op##_epi32_mask
#define V_LANES(a, b, n) _mm512_shuffle_f32x4(a, b, n)
#endif

static inline vmask vfirst(int64_t n)
{
	return (vmask)((1u << n) - 1);
}

static inline int64_t vlength(vmask m)
{
	return __builtin_popcount(m);
}

#define vslice vslice
static inline vmask vslice(int64_t n, int s)
{
	return (vmask)(_bzhi_u64(~0ull, (unsigned)n) >> (s * VLEN));
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
	return V(mask3_fmadd)(a, b, c, m);
}

static inline T vsum(vec v)
{
	return V(reduce_add)(v);
}

/* ---- sets of lanes ---- */

#define vlonger vlonger
static inline vlanes vlonger(const int32_t *p, int32_t n)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_cmpgt_epi32_mask(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi32(n));
#else
	return _mm512_cmpgt_epi32_mask(_mm512_loadu_si512(p), _mm512_set1_epi32(n));
#endif
}

#include "simd/lanes_avx512.h"

static inline vlanes vlanes_of(unsigned bits)
{
	return (vlanes)bits;
}

static inline unsigned vlane_bits(vlanes s)
{
	return s;
}

#define vfma_lanes vfma_lanes
static inline vec vfma_lanes(vec a, vec b, vec c, vlanes s)
{
	return V(mask3_fmadd)(a, b, c, s);
}

/* ---- reading and writing where indices say ---- */

#define vscatter_first vscatter_first
static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
#if TULLE_IS(TULLE_T, f64)
	_mm512_mask_i32scatter_pd(y, m, _mm256_maskz_loadu_epi32(m, row), v, 8);
#else
	_mm512_mask_i32scatter_ps(y, m, _mm512_maskz_loadu_epi32(m, row), v, 4);
#endif
}

/* Indices that serve several gathers. */

#define vindex vindex
#if TULLE_IS(TULLE_T, f64)
typedef __m256i vindex;
#define I(op) _mm256_##op##_epi32
#else
typedef __m512i vindex;
#define I(op) _mm512_##op##_epi32
#endif

static inline vindex vindex_near(const uint16_t *p, int32_t n)
{
#if TULLE_IS(TULLE_T, f64)
	const vindex near = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
#else
	const vindex near = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
#endif
	return I(mullo)(near, I(set1)(n));
}

static inline vindex vindex_far(const int32_t *p, int32_t n)
{
	return I(mullo)(I(loadu)(p), I(set1)(n));
}
#undef I

#ifdef TULLE_LOADS
#include "simd/loads_avx512.h"
#else
#include "simd/gather_avx512.h"
#endif

/* ---- weaving ---- */

/* Element e of the result is lane e / n of v[e % n]. In out[o] the same lane numbers serve for all
 * sources, and those of v[r] go where every n-th bit is. */
#define vweave vweave
TULLE_INLINE void vweave(const vec *v, int n, vec *out)
{
	const uint64_t every = n == 2   ? 0x5555555555555555u
	                       : n == 3 ? 0x9249249249249249u
	                       : n == 4 ? 0x1111111111111111u
	                                : 0x1041041041041041u;
#if TULLE_IS(TULLE_T, f64)
	const __m512i number = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
#else
	const __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif

#pragma GCC unroll 6
	for (int o = 0; o < n; o++) {
		/* e / n, for e < 6 * 16: (e * (65536 / n + 1)) >> 16; the upper half of a lane stays 0 */
		const __m512i e = L(add)(number, L(set1)(o * VLEN));
		const __m512i at = L(srli)(_mm512_mullo_epi32(e, L(set1)(65536 / n + 1)), 16);

		out[o] = V(permutexvar)(at, v[0]);
#pragma GCC unroll 6
		for (int r = 1; r < n; r++)
			out[o] = V(mask_permutexvar)(out[o], (vmask)(every << ((r + o * VLEN * (n - 1)) % n)),
			                             at, v[r]);
	}
}

/* ---- sums of several rows ---- */

/* 128-bit lanes 0+1 and 2+3 of both: halves the vectors and doubles the rows in each. */
static inline vec fold_lanes(vec a, vec b)
{
	return vadd(V_LANES(a, b, 0x88), V_LANES(a, b, 0xdd));
}

/* In each 128-bit lane, the sums of as many rows as it has elements. */
static inline vec fold_elements(const vec *v)
{
	const vec a = vadd(V(unpacklo)(v[0], v[1]), V(unpackhi)(v[0], v[1]));
#if TULLE_IS(TULLE_T, f64)
	return a;
#else
	const vec b = vadd(V(unpacklo)(v[2], v[3]), V(unpackhi)(v[2], v[3]));
	return vadd(_mm512_shuffle_ps(a, b, 0x44), _mm512_shuffle_ps(a, b, 0xee));
#endif
}

#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
	enum { ROWS = VLEN / 4 };

	return fold_lanes(fold_lanes(fold_elements(v), fold_elements(v + ROWS)),
	                  fold_lanes(fold_elements(v + 2 * ROWS), fold_elements(v + 3 * ROWS)));
}

/* Where rows begin, counted from `origin`, as lane numbers. */
static inline __m512i rows_from(const O *ptr, O origin)
{
#if TULLE_IS(TULLE_O, i32) && TULLE_IS(TULLE_T, f64)
	const __m256i at = _mm256_loadu_si256((const __m256i *)ptr);
	return _mm512_cvtepi32_epi64(_mm256_sub_epi32(at, _mm256_set1_epi32(origin)));
#elif TULLE_IS(TULLE_O, i32) || TULLE_IS(TULLE_T, f64)
	return L(sub)(_mm512_loadu_si512(ptr), L(set1)(origin));
#else
	const __m512i zero = _mm512_set1_epi64(origin);
	const __m512i low = _mm512_sub_epi64(_mm512_loadu_si512(ptr), zero);
	const __m512i high = _mm512_sub_epi64(_mm512_loadu_si512(ptr + 8), zero);
	return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)),
	                          _mm512_cvtepi64_epi32(high), 1);
#endif
}

/* Step s takes the s-th product of every row out of the registers and adds it to the row's lane:
 * no load that crosses a cache line, no transposition at the end. */
enum { VRUNS = 4 * VLEN };

#define vsum_runs vsum_runs
static inline vec vsum_runs(const T *product, const O *ptr, O longest)
{
	const int half = ptr[VLEN] - ptr[0] <= 2 * VLEN;
	const vec a = vload(product), b = vload(product + VLEN);
	const vec c = vload(product + 2 * VLEN), d = vload(product + 3 * VLEN);
	const __m512i end = rows_from(ptr + 1, ptr[0]);
	__m512i at = rows_from(ptr, ptr[0]);
	vec sum = vzero();

	for (O s = 0; s < longest; s++) {
		vec next = V(permutex2var)(a, at, b);

		if (!half)
			next = V(mask_blend)(L_MASK(cmplt)(at, L(set1)(2 * VLEN)), V(permutex2var)(c, at, d),
			                     next);
		sum = vadd_first(sum, next, L_MASK(cmplt)(at, end));
		at = L(add)(at, L(set1)(1));
	}
	return sum;
}

/* The compiler would make a chain of scalar maxima of a plain loop. */
#define vlongest vlongest
static inline O vlongest(const O *ptr)
{
#if TULLE_IS(TULLE_O, i64)
	__m512i n = _mm512_sub_epi64(_mm512_loadu_si512(ptr + 1), _mm512_loadu_si512(ptr));

	if (VLEN == 16)
		n = _mm512_max_epi64(
		    n, _mm512_sub_epi64(_mm512_loadu_si512(ptr + 9), _mm512_loadu_si512(ptr + 8)));
	return _mm512_reduce_max_epi64(n);
#else
	const vmask m = (vmask)~0;
	const __m512i n =
	    _mm512_sub_epi32(_mm512_maskz_loadu_epi32(m, ptr + 1), _mm512_maskz_loadu_epi32(m, ptr));

	return _mm512_reduce_max_epi32(n);
#endif
}

#define vpick vpick
static inline vec vpick(const T *p, const int32_t *at)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm512_setr_pd(p[at[0]], p[at[1]], p[at[2]], p[at[3]], p[at[4]], p[at[5]], p[at[6]],
	                      p[at[7]]);
#else
	return _mm512_setr_ps(p[at[0]], p[at[1]], p[at[2]], p[at[3]], p[at[4]], p[at[5]], p[at[6]],
	                      p[at[7]], p[at[8]], p[at[9]], p[at[10]], p[at[11]], p[at[12]], p[at[13]],
	                      p[at[14]], p[at[15]]);
#endif
}

#undef V
#undef L
#undef L_MASK
#undef V_LANES

#include "simd/codes_avx512.h"
#include "simd/quad_avx2.h"
#include "simd/turn_avx512.h"
#define TULLE_NARROW_WORDS "simd/narrow_avx512.h"

#endif
