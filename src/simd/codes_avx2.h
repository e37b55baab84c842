/* codes_avx2.h -- values from what stands for them, on 256 bits: a part of vec_avx2.h. The table stays in
 * memory, no shuffle reaches across 16 values. */
#ifndef TULLE_SIMD_CODES_AVX2_H
#define TULLE_SIMD_CODES_AVX2_H

#define vtable vtable
typedef const T *vtable;

static inline vtable vtable_of(const T *p)
{
	return p;
}

#define vlookup vlookup
#define vwiden vwiden
#define vwiden_first vwiden_first

#if TULLE_IS(TULLE_T, f64)
static inline vec vlookup(vtable t, const uint8_t *code)
{
	const __m128i at = _mm_cvtepu8_epi32(_mm_loadu_si32(code));

	return _mm256_i32gather_pd(t, at, 8);
}

static inline vec vwiden(const float *p)
{
	return _mm256_cvtps_pd(_mm_loadu_ps(p));
}

static inline vec vwiden_first(const float *p, vmask m)
{
	return _mm256_cvtps_pd(_mm_maskload_ps(p, _mm256_castsi256_si128(first_of_8(m))));
}

#define vwiden_bf16 vwiden_bf16
static inline vec vwiden_bf16(const uint16_t *p)
{
	const __m128i upper = _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p));

	return _mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(upper, 16)));
}

static inline vec vwiden_f16(const uint16_t *p)
{
	return _mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)p)));
}
#else
static inline vec vlookup(vtable t, const uint8_t *code)
{
	const __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)code));

	return _mm256_i32gather_ps(t, at, 4);
}

static inline vec vwiden(const float *p)
{
	return vload(p);
}

static inline vec vwiden_first(const float *p, vmask m)
{
	return vload_first(p, m);
}
#endif

#endif
