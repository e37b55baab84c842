/* loads_avx512.h -- gathers by ordinary loads, on 512 bits: a part of vec_avx512.h. */
#ifndef TULLE_SIMD_LOADS_AVX512_H
#define TULLE_SIMD_LOADS_AVX512_H

/* v in the lanes of m, 0 in the others. */
static inline vec keep_first(vec v, vmask m)
{
	return V(maskz_mov)(m, v);
}

/* col[l] in the lanes of m, of which only these are read, col[0] in the others. */
static inline void fill_first(C *at, const C *col, vmask m)
{
#if TULLE_IS(TULLE_C, i32) && TULLE_IS(TULLE_T, f64)
	_mm256_storeu_epi32(at, _mm256_mask_loadu_epi32(_mm256_set1_epi32(*col), m, col));
#elif TULLE_IS(TULLE_C, i32)
	_mm512_storeu_epi32(at, _mm512_mask_loadu_epi32(_mm512_set1_epi32(*col), m, col));
#else
	const __m512i first = _mm512_set1_epi64(*col);

	_mm512_storeu_epi64(at, _mm512_mask_loadu_epi64(first, (__mmask8)m, col));
	if (VLEN == 16)
		_mm512_storeu_epi64(at + 8, _mm512_mask_loadu_epi64(first, (__mmask8)(m >> 8), col + 8));
#endif
}

static inline void fill_first_near(int32_t *at, const uint16_t *offset, vmask m)
{
#if TULLE_IS(TULLE_T, f64)
	const __m128i near = _mm_mask_loadu_epi16(_mm_set1_epi16((short)*offset), m, offset);
	_mm256_storeu_epi32(at, _mm256_cvtepu16_epi32(near));
#else
	const __m256i near = _mm256_mask_loadu_epi16(_mm256_set1_epi16((short)*offset), m, offset);
	_mm512_storeu_epi32(at, _mm512_cvtepu16_epi32(near));
#endif
}

/* Lanes of s as they are, the first of these in the others. */
static inline void fill_lanes(int32_t *at, vindex index, vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	const __m256i first =
	    _mm256_broadcastd_epi32(_mm256_castsi256_si128(_mm256_maskz_compress_epi32(s, index)));
	_mm256_storeu_epi32(at, _mm256_mask_mov_epi32(first, s, index));
#else
	const __m512i first =
	    _mm512_broadcastd_epi32(_mm512_castsi512_si128(_mm512_maskz_compress_epi32(s, index)));
	_mm512_storeu_epi32(at, _mm512_mask_mov_epi32(first, s, index));
#endif
}

static inline void store_index(int32_t *at, vindex index)
{
#if TULLE_IS(TULLE_T, f64)
	_mm256_storeu_epi32(at, index);
#else
	_mm512_storeu_epi32(at, index);
#endif
}

#include "simd/loads.h"

#endif
