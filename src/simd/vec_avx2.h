/* vec_avx2.h -- the vector words (see vec_scalar.h) on 256 bits. A mask is the number of its lanes;
 * each word loads the bits it needs from a table that slides from all ones to all zeros. */
#ifndef TULLE_SIMD_VEC_AVX2_H
#define TULLE_SIMD_VEC_AVX2_H

#include <immintrin.h>

typedef int64_t vmask;

static inline vmask vfirst(int64_t n)
{
	return n;
}

static inline __m256i first_of_4(int64_t n)
{
	static const int64_t slide[8] = { -1, -1, -1, -1, 0, 0, 0, 0 };

	return _mm256_loadu_si256((const __m256i *)(slide + 4 - n));
}

#if TULLE_IS(TULLE_T, f64)

enum { VLEN = 4 };
typedef __m256d vec;

static inline vmask vslice(int64_t n, int s)
{
	const int64_t rest = n - s * VLEN;

	return rest < 0 ? 0 : rest < VLEN ? rest : VLEN;
}

static inline vec vzero(void)
{
	return _mm256_setzero_pd();
}

static inline vec vset(T s)
{
	return _mm256_set1_pd(s);
}

static inline vec vload(const T *p)
{
	return _mm256_loadu_pd(p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return _mm256_maskload_pd(p, first_of_4(m));
}

static inline void vstore(T *p, vec v)
{
	_mm256_storeu_pd(p, v);
}

static inline vec vadd(vec a, vec b)
{
	return _mm256_add_pd(a, b);
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return vadd(sum, _mm256_and_pd(v, _mm256_castsi256_pd(first_of_4(m))));
}

static inline vec vmul(vec a, vec b)
{
	return _mm256_mul_pd(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return _mm256_fmadd_pd(a, b, c);
}

static inline vec vgather(const T *x, const C *col)
{
#if TULLE_IS(TULLE_C, i64)
	return _mm256_i64gather_pd(x, _mm256_loadu_si256((const __m256i *)col), 8);
#else
	return _mm256_i32gather_pd(x, _mm_loadu_si128((const __m128i *)col), 8);
#endif
}

static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	const __m256i lanes = first_of_4(m);
#if TULLE_IS(TULLE_C, i64)
	const __m256i index = _mm256_maskload_epi64((const long long *)col, lanes);
	return _mm256_mask_i64gather_pd(vzero(), x, index, _mm256_castsi256_pd(lanes), 8);
#else
	static const int32_t slide[8] = { -1, -1, -1, -1, 0, 0, 0, 0 };
	const __m128i half = _mm_loadu_si128((const __m128i *)(slide + 4 - m));
	const __m128i index = _mm_maskload_epi32(col, half);
	return _mm256_mask_i32gather_pd(vzero(), x, index, _mm256_castsi256_pd(lanes), 8);
#endif
}

static inline T vsum(vec v)
{
	const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));

	return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

static inline vec vsum_each(const vec *v)
{
	const vec a = _mm256_hadd_pd(v[0], v[1]), b = _mm256_hadd_pd(v[2], v[3]);

	return vadd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}

#else

enum { VLEN = 8 };
typedef __m256 vec;

static inline __m256i first_of_8(int64_t n)
{
	static const int32_t slide[16] = { -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0 };

	return _mm256_loadu_si256((const __m256i *)(slide + 8 - n));
}

static inline vmask vslice(int64_t n, int s)
{
	const int64_t rest = n - s * VLEN;

	return rest < 0 ? 0 : rest < VLEN ? rest : VLEN;
}

static inline vec vzero(void)
{
	return _mm256_setzero_ps();
}

static inline vec vset(T s)
{
	return _mm256_set1_ps(s);
}

static inline vec vload(const T *p)
{
	return _mm256_loadu_ps(p);
}

static inline vec vload_first(const T *p, vmask m)
{
	return _mm256_maskload_ps(p, first_of_8(m));
}

static inline void vstore(T *p, vec v)
{
	_mm256_storeu_ps(p, v);
}

static inline vec vadd(vec a, vec b)
{
	return _mm256_add_ps(a, b);
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return vadd(sum, _mm256_and_ps(v, _mm256_castsi256_ps(first_of_8(m))));
}

static inline vec vmul(vec a, vec b)
{
	return _mm256_mul_ps(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return _mm256_fmadd_ps(a, b, c);
}

static inline vec vgather(const T *x, const C *col)
{
#if TULLE_IS(TULLE_C, i64)
	const __m128 low = _mm256_i64gather_ps(x, _mm256_loadu_si256((const __m256i *)col), 4);
	const __m128 high = _mm256_i64gather_ps(x, _mm256_loadu_si256((const __m256i *)(col + 4)), 4);
	return _mm256_set_m128(high, low);
#else
	return _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)col), 4);
#endif
}

static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	const __m256i lanes = first_of_8(m);
#if TULLE_IS(TULLE_C, i64)
	const __m256i below = first_of_4(m < 4 ? m : 4), above = first_of_4(m < 4 ? 0 : m - 4);
	const __m256i left = _mm256_maskload_epi64((const long long *)col, below);
	const __m256i right = _mm256_maskload_epi64((const long long *)col + 4, above);
	const __m128 low = _mm256_mask_i64gather_ps(_mm_setzero_ps(), x, left,
	                                            _mm_castsi128_ps(_mm256_castsi256_si128(lanes)), 4);
	const __m128 high = _mm256_mask_i64gather_ps(
	    _mm_setzero_ps(), x, right, _mm_castsi128_ps(_mm256_extracti128_si256(lanes, 1)), 4);
	return _mm256_set_m128(high, low);
#else
	const __m256i index = _mm256_maskload_epi32(col, lanes);
	return _mm256_mask_i32gather_ps(vzero(), x, index, _mm256_castsi256_ps(lanes), 4);
#endif
}

static inline T vsum(vec v)
{
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}

static inline vec vsum_each(const vec *v)
{
	const vec a = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
	const vec b = _mm256_hadd_ps(_mm256_hadd_ps(v[4], v[5]), _mm256_hadd_ps(v[6], v[7]));

	return vadd(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

#endif

static inline O vlongest(const O *ptr)
{
	O longest = 0;

	for (int r = 0; r < VLEN; r++)
		longest = ptr[r + 1] - ptr[r] > longest ? ptr[r + 1] - ptr[r] : longest;
	return longest;
}

enum { VRUNS = 0 };

static inline vec vsum_runs(const T *product, const O *ptr, O longest)
{
	(void)product;
	(void)ptr;
	(void)longest;
	return vzero();
}

#endif
