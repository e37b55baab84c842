/* gather_avx2.h -- gathers by the instruction: a part of vec_avx2.h. */
#ifndef TULLE_SIMD_GATHER_AVX2_H
#define TULLE_SIMD_GATHER_AVX2_H

/* ---- gathers: four shapes, by the widths of T and C ---- */

#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
#if TULLE_IS(TULLE_C, i32) && TULLE_IS(TULLE_T, f64)
	return _mm256_i32gather_pd(x, _mm_loadu_si128((const __m128i *)col), 8);
#elif TULLE_IS(TULLE_C, i32)
	return _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)col), 4);
#elif TULLE_IS(TULLE_T, f64)
	return _mm256_i64gather_pd(x, _mm256_loadu_si256((const __m256i *)col), 8);
#else
	const __m128 low = _mm256_i64gather_ps(x, _mm256_loadu_si256((const __m256i *)col), 4);
	const __m128 high = _mm256_i64gather_ps(x, _mm256_loadu_si256((const __m256i *)(col + 4)), 4);
	return _mm256_set_m128(high, low);
#endif
}

#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	const vec lanes = V(castsi256)(V_FIRST(m));
#if TULLE_IS(TULLE_C, i32) && TULLE_IS(TULLE_T, f64)
	const __m128i index = _mm_maskload_epi32(col, _mm256_castsi256_si128(first_of_8(m)));
	return _mm256_mask_i32gather_pd(vzero(), x, index, lanes, 8);
#elif TULLE_IS(TULLE_C, i32)
	const __m256i index = _mm256_maskload_epi32(col, first_of_8(m));
	return _mm256_mask_i32gather_ps(vzero(), x, index, lanes, 4);
#elif TULLE_IS(TULLE_T, f64)
	const __m256i index = _mm256_maskload_epi64((const long long *)col, first_of_4(m));
	return _mm256_mask_i64gather_pd(vzero(), x, index, lanes, 8);
#else
	const __m256i below = first_of_4(m < 4 ? m : 4), above = first_of_4(m < 4 ? 0 : m - 4);
	const __m256i left = _mm256_maskload_epi64((const long long *)col, below);
	const __m256i right = _mm256_maskload_epi64((const long long *)col + 4, above);
	const __m128 low =
	    _mm256_mask_i64gather_ps(_mm_setzero_ps(), x, left, _mm256_castps256_ps128(lanes), 4);
	const __m128 high =
	    _mm256_mask_i64gather_ps(_mm_setzero_ps(), x, right, _mm256_extractf128_ps(lanes, 1), 4);
	return _mm256_set_m128(high, low);
#endif
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_i32gather_pd(x, _mm256_castsi256_si128(widen_near(offset)), 8);
#else
	return _mm256_i32gather_ps(x, widen_near(offset), 4);
#endif
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	const vec lanes = V(castsi256)(V_FIRST(m));
#if TULLE_IS(TULLE_T, f64)
	const __m128i near = _mm256_castsi256_si128(widen_near(offset));
	return _mm256_mask_i32gather_pd(vzero(), x, near, lanes, 8);
#else
	return _mm256_mask_i32gather_ps(vzero(), x, widen_near(offset), lanes, 4);
#endif
}

#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_mask_i32gather_pd(vzero(), x, _mm_loadu_si128((const __m128i *)col),
	                                V(castsi256)(s), 8);
#else
	return _mm256_mask_i32gather_ps(vzero(), x, _mm256_loadu_si256((const __m256i *)col),
	                                V(castsi256)(s), 4);
#endif
}

static inline vec vgather_at(const T *x, vindex at)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_i32gather_pd(x, at, 8);
#else
	return _mm256_i32gather_ps(x, at, 4);
#endif
}

static inline vec vgather_at_lanes(const T *x, vindex at, vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	return _mm256_mask_i32gather_pd(vzero(), x, at, V(castsi256)(s), 8);
#else
	return _mm256_mask_i32gather_ps(vzero(), x, at, V(castsi256)(s), 4);
#endif
}
#endif
