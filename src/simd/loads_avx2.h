/* loads_avx2.h -- gathers by ordinary loads, on 256 bits: a part of vec_avx2.h. */
#ifndef TULLE_SIMD_LOADS_AVX2_H
#define TULLE_SIMD_LOADS_AVX2_H

/* v in the lanes of m, 0 in the others. */
static inline vec keep_first(vec v, vmask m)
{
	return V(and)(v, V(castsi256)(V_FIRST(m)));
}

/* `there` where `mask` is set, `other` elsewhere. */
static inline void store_32(int32_t *at, __m256i there, int32_t other, __m256i mask)
{
	const __m256i all = _mm256_blendv_epi8(_mm256_set1_epi32(other), there, mask);

	if (VLEN == 4)
		_mm_storeu_si128((__m128i *)at, _mm256_castsi256_si128(all));
	else
		_mm256_storeu_si256((__m256i *)at, all);
}

#if TULLE_IS(TULLE_C, i64)
static inline void store_64(int64_t *at, const int64_t *col, int64_t other, __m256i mask)
{
	const __m256i there = _mm256_maskload_epi64((const long long *)col, mask);

	_mm256_storeu_si256((__m256i *)at, _mm256_blendv_epi8(_mm256_set1_epi64x(other), there, mask));
}
#endif

/* col[l] in the lanes of m, of which only these are read, col[0] in the others. */
static inline void fill_first(C *at, const C *col, vmask m)
{
#if TULLE_IS(TULLE_C, i32)
	store_32(at, _mm256_maskload_epi32(col, first_of_8(m)), *col, first_of_8(m));
#else
	store_64(at, col, *col, first_of_4(m < 4 ? m : 4));
	if (VLEN == 8)
		store_64(at + 4, col + 4, *col, first_of_4(m < 4 ? 0 : m - 4));
#endif
}

/* May read all VLEN offsets. */
static inline void fill_first_near(int32_t *at, const uint16_t *offset, vmask m)
{
	store_32(at, widen_near(offset), *offset, first_of_8(m));
}

static inline void store_index(int32_t *at, vindex index)
{
#if TULLE_IS(TULLE_T, f64)
	_mm_storeu_si128((__m128i *)at, index);
#else
	_mm256_storeu_si256((__m256i *)at, index);
#endif
}

/* Lanes of s as they are, the first of these in the others. */
static inline void fill_lanes(int32_t *at, vindex index, vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	const __m256i narrow =
	    _mm256_permutevar8x32_epi32(s, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
	const __m256i there = _mm256_castsi128_si256(index);
#else
	const __m256i narrow = s, there = index;
#endif
	const __m256i lane = _mm256_set1_epi32(__builtin_ctz(vlane_bits(s)));
	const __m256i first = _mm256_permutevar8x32_epi32(there, lane);
	const __m256i all = _mm256_blendv_epi8(first, there, narrow);
#if TULLE_IS(TULLE_T, f64)
	store_index(at, _mm256_castsi256_si128(all));
#else
	store_index(at, all);
#endif
}

#include "simd/loads.h"

#endif
