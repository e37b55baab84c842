/* codes_avx2.h -- values from what stands for them, on 256 bits: a part of vec_avx2.h.
 *
 * A table of 16 floats is two registers. One of 16 doubles would be four, and eight permutes and blends per
 * four values take longer than loads. Gather instructions do on many processors (docs/machines.md), and the
 * kernels of both sets share these words. */
#ifndef TULLE_SIMD_CODES_AVX2_H
#define TULLE_SIMD_CODES_AVX2_H

#include <string.h>

#define vtable vtable
#define vlookup vlookup
#define vwiden vwiden
#define vwiden_first vwiden_first

#if TULLE_IS(TULLE_T, f64)
typedef const T *vtable;

static inline vtable vtable_of(const T *p)
{
	return p;
}

/* One load for all codes: loads are what limits this. */
static inline vec vlookup(vtable t, const uint8_t *code)
{
	uint32_t at;

	memcpy(&at, code, sizeof at);
	return _mm256_set_pd(t[at >> 24], t[at >> 16 & 0xff], t[at >> 8 & 0xff], t[at & 0xff]);
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
typedef struct {
	vec low, high;
} vtable;

static inline vtable vtable_of(const T *p)
{
	return (vtable){ vload(p), vload(p + VLEN) };
}

/* A permute reads three bits of a code; the fourth selects the register, as the sign of a lane. */
static inline vec vlookup(vtable t, const uint8_t *code)
{
	const __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)code));
	const vec upper = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28));

	return _mm256_blendv_ps(_mm256_permutevar8x32_ps(t.low, at),
	                        _mm256_permutevar8x32_ps(t.high, at), upper);
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
	const __m256i upper = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));

	return _mm256_castsi256_ps(_mm256_slli_epi32(upper, 16));
}

static inline vec vwiden_f16(const uint16_t *p)
{
	return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
#endif

#endif
