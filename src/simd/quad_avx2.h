/* quad_avx2.h -- the words of simd/quad.h on 128 or 256 bits; they serve AVX-512, too. */
#ifndef TULLE_SIMD_QUAD_AVX2_H
#define TULLE_SIMD_QUAD_AVX2_H

#define quad quad

#if TULLE_IS(TULLE_T, f64)

typedef __m256d quad;

TULLE_INLINE quad qzero(void)
{
	return _mm256_setzero_pd();
}

TULLE_INLINE quad qload(const T *p, int n)
{
	return n == 4   ? _mm256_loadu_pd(p)
	       : n == 3 ? _mm256_maskload_pd(p, _mm256_setr_epi64x(-1, -1, -1, 0))
	                : _mm256_zextpd128_pd256(_mm_loadu_pd(p));
}

/* Two stores of three lanes: what the next block reads is then all of a store, or none of it. */
TULLE_INLINE void qstore(T *p, quad v, int n)
{
	if (n == 4) {
		_mm256_storeu_pd(p, v);
		return;
	}
	_mm_storeu_pd(p, _mm256_castpd256_pd128(v));
	if (n == 3)
		_mm_store_sd(p + 2, _mm256_extractf128_pd(v, 1));
}

TULLE_INLINE quad qfma(quad a, quad b, quad c)
{
	return _mm256_fmadd_pd(a, b, c);
}

TULLE_INLINE quad qimage_of(T b, signs s)
{
	return _mm256_set1_pd(s.re * b);
}

TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	const quad a = _mm256_hadd_pd(v[0], v[1]);
	const quad b = n > 2 ? _mm256_hadd_pd(v[2], n > 3 ? v[3] : qzero()) : qzero();

	return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}

#else

typedef __m128 quad;

TULLE_INLINE quad qzero(void)
{
	return _mm_setzero_ps();
}

TULLE_INLINE quad qload(const T *p, int n)
{
	return n == 4   ? _mm_loadu_ps(p)
	       : n == 3 ? _mm_maskload_ps(p, _mm_setr_epi32(-1, -1, -1, 0))
	                : _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)p));
}

TULLE_INLINE void qstore(T *p, quad v, int n)
{
	if (n == 4) {
		_mm_storeu_ps(p, v);
		return;
	}
	_mm_storel_epi64((__m128i *)p, _mm_castps_si128(v));
	if (n == 3)
		_mm_store_ss(p + 2, _mm_movehl_ps(v, v));
}

TULLE_INLINE quad qfma(quad a, quad b, quad c)
{
	return _mm_fmadd_ps(a, b, c);
}

TULLE_INLINE quad qimage_of(T b, signs s)
{
	return _mm_set1_ps(s.re * b);
}

TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	const quad a = _mm_hadd_ps(v[0], v[1]);
	const quad b = n > 2 ? _mm_hadd_ps(v[2], n > 3 ? v[3] : qzero()) : qzero();

	return _mm_hadd_ps(a, b);
}

#endif

typedef quad qimage;

TULLE_INLINE quad qfma_image(quad a, qimage i, quad c)
{
	return qfma(a, i, c);
}

#endif
