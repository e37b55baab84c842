/* gather_avx512.h -- gathers by the instruction: a part of vec_avx512.h. */
#ifndef TULLE_SIMD_GATHER_AVX512_H
#define TULLE_SIMD_GATHER_AVX512_H

/* ---- gathers: four shapes, by the widths of T and C ---- */

#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
#if TULLE_IS(TULLE_C, i32) && TULLE_IS(TULLE_T, f64)
	return _mm512_mask_i32gather_pd(vzero(), m, _mm256_maskz_loadu_epi32(m, col), x, 8);
#elif TULLE_IS(TULLE_C, i32)
	return _mm512_mask_i32gather_ps(vzero(), m, _mm512_maskz_loadu_epi32(m, col), x, 4);
#elif TULLE_IS(TULLE_T, f64)
	return _mm512_mask_i64gather_pd(vzero(), m, _mm512_maskz_loadu_epi64(m, col), x, 8);
#else
	const __mmask8 below = (__mmask8)m, above = (__mmask8)(m >> 8);
	const __m256 zero = _mm256_setzero_ps();
	const __m512i left = _mm512_maskz_loadu_epi64(below, col);
	const __m512i right = _mm512_maskz_loadu_epi64(above, col + 8);
	const __m256 low = _mm512_mask_i64gather_ps(zero, below, left, x, 4);
	const __m256 high = _mm512_mask_i64gather_ps(zero, above, right, x, 4);
	return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#endif
}

/* A gather keeps the lanes of its target that its mask leaves out, so it waits for the target's old
 * value. A full mask leaves out none, but the machine does not know that: where the compiler takes
 * the register of a running sum for the target, each gather waits for the sum before it. Zeros made
 * on the spot keep nobody waiting, and the compiler must not see through either. */
static inline vec fresh_zeros(void)
{
	vec v;

	__asm__ volatile("vpxor %x0, %x0, %x0" : "=x"(v));
	return v;
}

static inline vmask full_mask(void)
{
	vmask m = (vmask)~0;

	__asm__("" : "+Yk"(m));
	return m;
}

#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
#if TULLE_IS(TULLE_C, i32) && TULLE_IS(TULLE_T, f64)
	const __m256i at = _mm256_loadu_si256((const __m256i *)col);
	return _mm512_mask_i32gather_pd(fresh_zeros(), full_mask(), at, x, 8);
#elif TULLE_IS(TULLE_C, i32)
	return _mm512_mask_i32gather_ps(fresh_zeros(), full_mask(), _mm512_loadu_si512(col), x, 4);
#elif TULLE_IS(TULLE_T, f64)
	return _mm512_mask_i64gather_pd(fresh_zeros(), full_mask(), _mm512_loadu_si512(col), x, 8);
#else
	const __m256 low = _mm512_i64gather_ps(_mm512_loadu_si512(col), x, 4);
	const __m256 high = _mm512_i64gather_ps(_mm512_loadu_si512(col + 8), x, 4);
	return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#endif
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
#if TULLE_IS(TULLE_T, f64)
	const __m128i near = _mm_loadu_si128((const __m128i *)offset);
	return _mm512_i32gather_pd(_mm256_cvtepu16_epi32(near), x, 8);
#else
	const __m256i near = _mm256_loadu_si256((const __m256i *)offset);
	return _mm512_i32gather_ps(_mm512_cvtepu16_epi32(near), x, 4);
#endif
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
#if TULLE_IS(TULLE_T, f64)
	const __m256i near = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(m, offset));
	return _mm512_mask_i32gather_pd(vzero(), m, near, x, 8);
#else
	const __m512i near = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(m, offset));
	return _mm512_mask_i32gather_ps(vzero(), m, near, x, 4);
#endif
}

#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm512_mask_i32gather_pd(vzero(), s, _mm256_loadu_si256((const __m256i *)col), x, 8);
#else
	return _mm512_mask_i32gather_ps(vzero(), s, _mm512_loadu_si512(col), x, 4);
#endif
}

static inline vec vgather_at(const T *x, vindex at)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm512_mask_i32gather_pd(fresh_zeros(), full_mask(), at, x, 8);
#else
	return _mm512_mask_i32gather_ps(fresh_zeros(), full_mask(), at, x, 4);
#endif
}

static inline vec vgather_at_lanes(const T *x, vindex at, vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm512_mask_i32gather_pd(vzero(), s, at, x, 8);
#else
	return _mm512_mask_i32gather_ps(vzero(), s, at, x, 4);
#endif
}

#endif
