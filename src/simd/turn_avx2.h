/* turn_avx2.h -- vtranspose on 256 bits, a part of vec_avx2.h and complex_avx2.h: within halves first, then halves. */
#ifndef TULLE_SIMD_TURN_AVX2_H
#define TULLE_SIMD_TURN_AVX2_H

#if TULLE_IS(TULLE_T, f64)
TULLE_INLINE void turn_elements(vec *v)
{
	const vec a = v[0];

	v[0] = _mm256_unpacklo_pd(a, v[1]);
	v[1] = _mm256_unpackhi_pd(a, v[1]);
}
#define TURN_HALVES _mm256_permute2f128_pd
#elif TULLE_IS(TULLE_T, c64)
TULLE_INLINE void turn_elements(vec *v)
{
	const __m256d a = _mm256_castps_pd(v[0]), b = _mm256_castps_pd(v[1]);

	v[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b));
	v[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
}
#define TURN_HALVES _mm256_permute2f128_ps
#elif TULLE_IS(TULLE_T, c128)
TULLE_INLINE void turn_elements(vec *v)
{
	(void)v; /* a half is one number */
}
#define TURN_HALVES _mm256_permute2f128_pd
#else
TULLE_INLINE void turn_elements(vec *v)
{
	const vec a = _mm256_unpacklo_ps(v[0], v[1]), b = _mm256_unpackhi_ps(v[0], v[1]);
	const vec c = _mm256_unpacklo_ps(v[2], v[3]), d = _mm256_unpackhi_ps(v[2], v[3]);

	v[0] = _mm256_shuffle_ps(a, c, 0x44);
	v[1] = _mm256_shuffle_ps(a, c, 0xee);
	v[2] = _mm256_shuffle_ps(b, d, 0x44);
	v[3] = _mm256_shuffle_ps(b, d, 0xee);
}
#define TURN_HALVES _mm256_permute2f128_ps
#endif

#define vtranspose vtranspose
TULLE_INLINE void vtranspose(vec *v)
{
	enum { HALF = VLEN / 2 };

	turn_elements(v);
	turn_elements(v + HALF);
#pragma GCC unroll 4
	for (int e = 0; e < HALF; e++) {
		const vec a = v[e];

		v[e] = TURN_HALVES(a, v[HALF + e], 0x20);
		v[HALF + e] = TURN_HALVES(a, v[HALF + e], 0x31);
	}
}

#undef TURN_HALVES
#endif
