/* codes_avx512.h -- values from what stands for them, on 512 bits: a part of vec_avx512.h. The table lives
 * in registers. */
#ifndef TULLE_SIMD_CODES_AVX512_H
#define TULLE_SIMD_CODES_AVX512_H

#define vtable vtable
#define vlookup vlookup
#define vwiden vwiden
#define vwiden_first vwiden_first
#if TULLE_IS(TULLE_T, f64)
typedef struct {
	vec low, high;
} vtable;

static inline vtable vtable_of(const T *p)
{
	return (vtable){ vload(p), vload(p + VLEN) };
}

static inline vec vlookup(vtable t, const uint8_t *code)
{
	const __m512i at = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)code));

	return _mm512_permutex2var_pd(t.low, at, t.high);
}

static inline vec vwiden(const float *p)
{
	return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}

static inline vec vwiden_first(const float *p, vmask m)
{
	return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(m, p));
}

#define vwiden_bf16 vwiden_bf16
static inline vec vwiden_bf16(const uint16_t *p)
{
	const __m256i upper = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));

	return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(upper, 16)));
}

static inline vec vwiden_f16(const uint16_t *p)
{
	return _mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)));
}
#else
typedef vec vtable;

static inline vtable vtable_of(const T *p)
{
	return vload(p);
}

static inline vec vlookup(vtable t, const uint8_t *code)
{
	return _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)code)), t);
}

static inline vec vwiden(const float *p)
{
	return vload(p);
}

static inline vec vwiden_first(const float *p, vmask m)
{
	return vload_first(p, m);
}

#define vwiden_bf16 vwiden_bf16
static inline vec vwiden_bf16(const uint16_t *p)
{
	const __m512i upper = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));

	return _mm512_castsi512_ps(_mm512_slli_epi32(upper, 16));
}

static inline vec vwiden_f16(const uint16_t *p)
{
	return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
#endif

#endif
