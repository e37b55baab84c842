/* quad.h -- four lanes of T, whatever the instruction set: the rows of small dense blocks.
 *
 *   qzero(), qset(s)    all lanes 0, all lanes s
 *   qload(p, n)         the first n lanes from memory, 0 in the others; n is a constant, 2 .. 4
 *   qstore(p, v, n)     the first n lanes to memory, and nothing else
 *   qfma(a, b, c)       a*b + c, as vfma does it
 *   qsum_each(v, n)     lane r is the sum of the lanes of v[r], r < n
 *
 * Included after vec_*.h. AVX2's words serve AVX-512 too: the lanes are no wider. */
#ifndef TULLE_SIMD_QUAD_H
#define TULLE_SIMD_QUAD_H

#include "core/inline.h"

#if TULLE_IS(TULLE_ISA, scalar)

typedef struct {
	T lane[4];
} quad;

TULLE_INLINE quad qzero(void)
{
	return (quad){ { 0, 0, 0, 0 } };
}

TULLE_INLINE quad qset(T s)
{
	return (quad){ { s, s, s, s } };
}

TULLE_INLINE quad qload(const T *p, int n)
{
	quad v = qzero();

	for (int l = 0; l < n; l++)
		v.lane[l] = p[l];
	return v;
}

TULLE_INLINE void qstore(T *p, quad v, int n)
{
	for (int l = 0; l < n; l++)
		p[l] = v.lane[l];
}

TULLE_INLINE quad qfma(quad a, quad b, quad c)
{
	for (int l = 0; l < 4; l++)
		c.lane[l] = sfma(a.lane[l], b.lane[l], c.lane[l]);
	return c;
}

TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	quad sum = qzero();

	for (int r = 0; r < n; r++)
		sum.lane[r] = (v[r].lane[0] + v[r].lane[1]) + (v[r].lane[2] + v[r].lane[3]);
	return sum;
}

#elif TULLE_IS(TULLE_T, f64)

typedef __m256d quad;

TULLE_INLINE quad qzero(void)
{
	return _mm256_setzero_pd();
}

TULLE_INLINE quad qset(T s)
{
	return _mm256_set1_pd(s);
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

TULLE_INLINE quad qset(T s)
{
	return _mm_set1_ps(s);
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

TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	const quad a = _mm_hadd_ps(v[0], v[1]);
	const quad b = n > 2 ? _mm_hadd_ps(v[2], n > 3 ? v[3] : qzero()) : qzero();

	return _mm_hadd_ps(a, b);
}

#endif
#endif
