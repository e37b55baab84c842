/* turn_avx512.h -- vtranspose on 512 bits, a part of vec_avx512.h and complex_avx512.h: within quarters first, then
 * quarters. */
#ifndef TULLE_SIMD_TURN_AVX512_H
#define TULLE_SIMD_TURN_AVX512_H

#if TULLE_IS(TULLE_T, f64)
TULLE_INLINE void turn_elements(vec *v)
{
	const vec a = v[0];

	v[0] = _mm512_unpacklo_pd(a, v[1]);
	v[1] = _mm512_unpackhi_pd(a, v[1]);
}
#define TURN_QUARTERS _mm512_shuffle_f64x2
#elif TULLE_IS(TULLE_T, c64)
TULLE_INLINE void turn_elements(vec *v)
{
	const __m512d a = _mm512_castps_pd(v[0]), b = _mm512_castps_pd(v[1]);

	v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
	v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
}
#define TURN_QUARTERS _mm512_shuffle_f32x4
#elif TULLE_IS(TULLE_T, c128)
TULLE_INLINE void turn_elements(vec *v)
{
	(void)v; /* a quarter is one number */
}
#define TURN_QUARTERS _mm512_shuffle_f64x2
#else
TULLE_INLINE void turn_elements(vec *v)
{
	const vec a = _mm512_unpacklo_ps(v[0], v[1]), b = _mm512_unpackhi_ps(v[0], v[1]);
	const vec c = _mm512_unpacklo_ps(v[2], v[3]), d = _mm512_unpackhi_ps(v[2], v[3]);

	v[0] = _mm512_shuffle_ps(a, c, 0x44);
	v[1] = _mm512_shuffle_ps(a, c, 0xee);
	v[2] = _mm512_shuffle_ps(b, d, 0x44);
	v[3] = _mm512_shuffle_ps(b, d, 0xee);
}
#define TURN_QUARTERS _mm512_shuffle_f32x4
#endif

#define vtranspose vtranspose
TULLE_INLINE void vtranspose(vec *v)
{
	enum { QUARTER = VLEN / 4 };

#pragma GCC unroll 4
	for (int q = 0; q < 4; q++)
		turn_elements(v + q * QUARTER);
#pragma GCC unroll 4
	for (int e = 0; e < QUARTER; e++) {
		vec *at = v + e;
		const vec p = TURN_QUARTERS(at[0], at[QUARTER], 0x44);
		const vec q = TURN_QUARTERS(at[0], at[QUARTER], 0xee);
		const vec r = TURN_QUARTERS(at[2 * QUARTER], at[3 * QUARTER], 0x44);
		const vec s = TURN_QUARTERS(at[2 * QUARTER], at[3 * QUARTER], 0xee);

		at[0] = TURN_QUARTERS(p, r, 0x88);
		at[QUARTER] = TURN_QUARTERS(p, r, 0xdd);
		at[2 * QUARTER] = TURN_QUARTERS(q, s, 0x88);
		at[3 * QUARTER] = TURN_QUARTERS(q, s, 0xdd);
	}
}

#undef TURN_QUARTERS
#endif
