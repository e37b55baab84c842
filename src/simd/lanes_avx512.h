/* lanes_avx512.h -- sets of lanes and bits of CSR5 on 512 bits, for real and complex T: what vec_avx512.h and
 * complex_avx512.h share. A mask has one bit per lane of a real T and two, one for each part, of a complex T. */
#ifndef TULLE_SIMD_LANES_AVX512_H
#define TULLE_SIMD_LANES_AVX512_H

/* ---- sets of lanes ---- */

#define vall vall
static inline vlanes vall(void)
{
	return (vlanes)~0;
}

#define vboth vboth
static inline vlanes vboth(vlanes s, vlanes t)
{
	return (vlanes)(s & t);
}

#define vadd_lanes vadd_lanes
static inline vec vadd_lanes(vec a, vec b, vlanes s)
{
	return V(mask_add)(a, s, a, b);
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return V(mask_mov)(b, s, a);
}

#define vsqueeze vsqueeze
static inline vec vsqueeze(vec v, vlanes s)
{
	return V(maskz_compress)((vlanes)~s, v);
}

/* ---- words of bits: one for each bit of a mask ---- */

#define vbits vbits
#if TULLE_IS(TULLE_T, f64) || TULLE_IS(TULLE_T, c128)
typedef __m256i vbits;
#define B(op) _mm256_##op##_epi32
#define B_MASK(op) _mm256_##op##_epi32_mask
#define B_AND _mm256_and_si256
#else
typedef __m512i vbits;
#define B(op) _mm512_##op##_epi32
#define B_MASK(op) _mm512_##op##_epi32_mask
#define B_AND _mm512_and_si512
#endif

static inline vbits vbits_load(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
#elif TULLE_IS(TULLE_T, f32)
	return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
#elif TULLE_IS(TULLE_T, c128)
	const __m128i bits = _mm_loadl_epi64((const __m128i *)p);

	return _mm256_cvtepu16_epi32(_mm_unpacklo_epi16(bits, bits));
#else
	const __m128i bits = _mm_loadu_si128((const __m128i *)p);

	return _mm512_cvtepu16_epi32(
	    _mm256_set_m128i(_mm_unpackhi_epi16(bits, bits), _mm_unpacklo_epi16(bits, bits)));
#endif
}

static inline vlanes vclear(vbits w)
{
	return B_MASK(testn)(w, B(set1)(1));
}

static inline vbits vshift(vbits w)
{
	return B(srli)(w, 1);
}

/* Lane i is lane i + n of v; the last n are 0. */
#if TULLE_IS(TULLE_T, f32)
#define V_ALIGN(v, n) (vec) _mm512_alignr_epi32(_mm512_setzero_si512(), (__m512i)(v), n)
#elif TULLE_IS(TULLE_T, c128)
#define V_ALIGN(v, n) (vec) _mm512_alignr_epi64(_mm512_setzero_si512(), (__m512i)(v), 2 * (n))
#else
#define V_ALIGN(v, n) (vec) _mm512_alignr_epi64(_mm512_setzero_si512(), (__m512i)(v), n)
#endif

#define vslide vslide
static inline vec vslide(vec v)
{
	return V_ALIGN(v, 1);
}

static inline vec vsum_reach(vec v, vbits w, int s)
{
	const vbits reach = B_AND(B(srl)(w, _mm_cvtsi32_si128(s)), B(set1)(VLEN - 1));

	v = V(mask_add)(v, B_MASK(cmpge)(reach, B(set1)(1)), v, V_ALIGN(v, 1));
	v = V(mask_add)(v, B_MASK(cmpge)(reach, B(set1)(2)), v, V_ALIGN(v, 2));
#if !TULLE_IS(TULLE_T, c128)
	v = V(mask_add)(v, B_MASK(cmpge)(reach, B(set1)(4)), v, V_ALIGN(v, 4));
#endif
#if TULLE_IS(TULLE_T, f32)
	v = V(mask_add)(v, B_MASK(cmpge)(reach, B(set1)(8)), v, V_ALIGN(v, 8));
#endif
	return v;
}

#define vplaces vplaces
static inline void vplaces(int32_t *to, uint32_t w, int n, int32_t i)
{
	const __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i place = _mm512_mullo_epi32(number, _mm512_set1_epi32(VLEN));

	for (int p = 0; p < n; p += 16) {
		const __mmask16 bits = (__mmask16)(w >> p);
		const __m512i first = _mm512_set1_epi32(i + VLEN * p);

		_mm512_storeu_si512(to, _mm512_maskz_compress_epi32(bits, _mm512_add_epi32(first, place)));
		to += __builtin_popcount(bits);
	}
}

#undef B
#undef B_MASK
#undef B_AND
#undef V_ALIGN

#endif
