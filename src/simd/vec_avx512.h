/* vec_avx512.h -- the vector words (see vec_scalar.h) on 512 bits. */
#ifndef TULLE_SIMD_VEC_AVX512_H
#define TULLE_SIMD_VEC_AVX512_H

#include <immintrin.h>

#if TULLE_IS(TULLE_T, f64)

enum { VLEN = 8 };
typedef __m512d vec;
typedef __mmask8 vmask;

static inline vmask vfirst(int64_t n)
{
	return (vmask)((1u << n) - 1);
}

static inline vmask vslice(int64_t n, int s)
{
	return (vmask)(_bzhi_u64(~0ull, (unsigned)n) >> (s * VLEN));
}

static inline vec vzero(void)
{
	return _mm512_setzero_pd();
}

static inline vec vset(T s)
{
	return _mm512_set1_pd(s);
}

static inline vec vload(const T *p)
{
	return _mm512_loadu_pd(p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return _mm512_maskz_loadu_pd(m, p);
}

static inline void vstore(T *p, vec v)
{
	_mm512_storeu_pd(p, v);
}

static inline vec vadd(vec a, vec b)
{
	return _mm512_add_pd(a, b);
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return _mm512_mask_add_pd(sum, m, sum, v);
}

static inline vec vmul(vec a, vec b)
{
	return _mm512_mul_pd(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return _mm512_fmadd_pd(a, b, c);
}

static inline vec vgather(const T *x, const C *col)
{
#if TULLE_IS(TULLE_C, i64)
	return _mm512_i64gather_pd(_mm512_loadu_si512(col), x, 8);
#else
	return _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)col), x, 8);
#endif
}

static inline vec vgather_first(const T *x, const C *col, vmask m)
{
#if TULLE_IS(TULLE_C, i64)
	const __m512i index = _mm512_maskz_loadu_epi64(m, col);
	return _mm512_mask_i64gather_pd(vzero(), m, index, x, 8);
#else
	const __m256i index = _mm256_maskz_loadu_epi32(m, col);
	return _mm512_mask_i32gather_pd(vzero(), m, index, x, 8);
#endif
}

static inline T vsum(vec v)
{
	return _mm512_reduce_add_pd(v);
}

/* Lanes 0+1 and 2+3 of both: halves the vectors and doubles the rows in each. */
static inline vec fold_lanes(vec a, vec b)
{
	return vadd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
}

static inline vec vsum_each(const vec *v)
{
	vec pair[4];

	for (int r = 0; r < 4; r++)
		pair[r] = vadd(_mm512_unpacklo_pd(v[2 * r], v[2 * r + 1]),
		               _mm512_unpackhi_pd(v[2 * r], v[2 * r + 1]));
	return fold_lanes(fold_lanes(pair[0], pair[1]), fold_lanes(pair[2], pair[3]));
}

/* Lane numbers as wide as T, for vsum_runs. */
static inline __m512i rows_from(const O *ptr, O origin)
{
#if TULLE_IS(TULLE_O, i64)
	return _mm512_sub_epi64(_mm512_loadu_si512(ptr), _mm512_set1_epi64(origin));
#else
	const __m256i at = _mm256_loadu_si256((const __m256i *)ptr);

	return _mm512_cvtepi32_epi64(_mm256_sub_epi32(at, _mm256_set1_epi32(origin)));
#endif
}

static inline __m512i lane_set(int n)
{
	return _mm512_set1_epi64(n);
}

static inline __m512i lane_add(__m512i a, __m512i b)
{
	return _mm512_add_epi64(a, b);
}

static inline vmask lane_less(__m512i a, __m512i b)
{
	return _mm512_cmplt_epi64_mask(a, b);
}

static inline vec take(vec a, vec b, __m512i at)
{
	return _mm512_permutex2var_pd(a, at, b);
}

static inline vec choose(vmask m, vec a, vec b)
{
	return _mm512_mask_blend_pd(m, a, b);
}

#else

enum { VLEN = 16 };
typedef __m512 vec;
typedef __mmask16 vmask;

static inline vmask vfirst(int64_t n)
{
	return (vmask)((1u << n) - 1);
}

static inline vmask vslice(int64_t n, int s)
{
	return (vmask)(_bzhi_u64(~0ull, (unsigned)n) >> (s * VLEN));
}

static inline vec vzero(void)
{
	return _mm512_setzero_ps();
}

static inline vec vset(T s)
{
	return _mm512_set1_ps(s);
}

static inline vec vload(const T *p)
{
	return _mm512_loadu_ps(p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return _mm512_maskz_loadu_ps(m, p);
}

static inline void vstore(T *p, vec v)
{
	_mm512_storeu_ps(p, v);
}

static inline vec vadd(vec a, vec b)
{
	return _mm512_add_ps(a, b);
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return _mm512_mask_add_ps(sum, m, sum, v);
}

static inline vec vmul(vec a, vec b)
{
	return _mm512_mul_ps(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return _mm512_fmadd_ps(a, b, c);
}

static inline vec vgather(const T *x, const C *col)
{
#if TULLE_IS(TULLE_C, i64)
	const __m256 low = _mm512_i64gather_ps(_mm512_loadu_si512(col), x, 4);
	const __m256 high = _mm512_i64gather_ps(_mm512_loadu_si512(col + 8), x, 4);
	return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#else
	return _mm512_i32gather_ps(_mm512_loadu_si512(col), x, 4);
#endif
}

static inline vec vgather_first(const T *x, const C *col, vmask m)
{
#if TULLE_IS(TULLE_C, i64)
	const __mmask8 below = (__mmask8)m, above = (__mmask8)(m >> 8);
	const __m256 zero = _mm256_setzero_ps();
	const __m512i left = _mm512_maskz_loadu_epi64(below, col);
	const __m512i right = _mm512_maskz_loadu_epi64(above, col + 8);
	const __m256 low = _mm512_mask_i64gather_ps(zero, below, left, x, 4);
	const __m256 high = _mm512_mask_i64gather_ps(zero, above, right, x, 4);
	return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#else
	const __m512i index = _mm512_maskz_loadu_epi32(m, col);
	return _mm512_mask_i32gather_ps(vzero(), m, index, x, 4);
#endif
}

static inline T vsum(vec v)
{
	return _mm512_reduce_add_ps(v);
}

/* Lanes 0+1 and 2+3 of both: halves the vectors and doubles the rows in each. */
static inline vec fold_lanes(vec a, vec b)
{
	return vadd(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
}

static inline vec vsum_each(const vec *v)
{
	vec quad[4];

	for (int r = 0; r < 4; r++) {
		const vec *w = v + 4 * r;
		const vec a = vadd(_mm512_unpacklo_ps(w[0], w[1]), _mm512_unpackhi_ps(w[0], w[1]));
		const vec b = vadd(_mm512_unpacklo_ps(w[2], w[3]), _mm512_unpackhi_ps(w[2], w[3]));

		quad[r] = vadd(_mm512_shuffle_ps(a, b, 0x44), _mm512_shuffle_ps(a, b, 0xee));
	}
	return fold_lanes(fold_lanes(quad[0], quad[1]), fold_lanes(quad[2], quad[3]));
}

/* Lane numbers as wide as T, for vsum_runs. */
static inline __m512i rows_from(const O *ptr, O origin)
{
#if TULLE_IS(TULLE_O, i64)
	const __m512i zero = _mm512_set1_epi64(origin);
	const __m512i low = _mm512_sub_epi64(_mm512_loadu_si512(ptr), zero);
	const __m512i high = _mm512_sub_epi64(_mm512_loadu_si512(ptr + 8), zero);

	return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)),
	                          _mm512_cvtepi64_epi32(high), 1);
#else
	return _mm512_sub_epi32(_mm512_loadu_si512(ptr), _mm512_set1_epi32(origin));
#endif
}

static inline __m512i lane_set(int n)
{
	return _mm512_set1_epi32(n);
}

static inline __m512i lane_add(__m512i a, __m512i b)
{
	return _mm512_add_epi32(a, b);
}

static inline vmask lane_less(__m512i a, __m512i b)
{
	return _mm512_cmplt_epi32_mask(a, b);
}

static inline vec take(vec a, vec b, __m512i at)
{
	return _mm512_permutex2var_ps(a, at, b);
}

static inline vec choose(vmask m, vec a, vec b)
{
	return _mm512_mask_blend_ps(m, a, b);
}

#endif

/* Step s takes the s-th product of every row out of the registers and adds it to the row's lane:
 * no load that crosses a cache line, no transposition at the end. */
enum { VRUNS = 4 * VLEN };

static inline vec vsum_runs(const T *product, const O *ptr, O longest)
{
	const int half = ptr[VLEN] - ptr[0] <= 2 * VLEN;
	const vec a = vload(product), b = vload(product + VLEN);
	const vec c = vload(product + 2 * VLEN), d = vload(product + 3 * VLEN);
	const __m512i end = rows_from(ptr + 1, ptr[0]);
	__m512i at = rows_from(ptr, ptr[0]);
	vec sum = vzero();

	for (O s = 0; s < longest; s++) {
		vec next = take(a, b, at);

		if (!half)
			next = choose(lane_less(at, lane_set(2 * VLEN)), take(c, d, at), next);
		sum = vadd_first(sum, next, lane_less(at, end));
		at = lane_add(at, lane_set(1));
	}
	return sum;
}

/* The compiler would make a chain of scalar maxima of a plain loop. */
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

#endif
