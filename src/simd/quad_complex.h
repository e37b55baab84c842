/* quad_complex.h -- the words of simd/quad.h for complex T on 128 and 256 bits; they serve AVX-512, too. */
#ifndef TULLE_SIMD_QUAD_COMPLEX_H
#define TULLE_SIMD_QUAD_COMPLEX_H

#define num num
#define quad quad

/* N(add) and H(add) are the intrinsics on the parts, on 128 and 256 bits. A half is 256 bits: two c128, and all of a
 * quad of c64. */
#if TULLE_IS(TULLE_T, c128)
typedef __m128d num;
typedef __m256d half;
enum { HALVES = 2 };
#define N(op) _mm_##op##_pd
#define H(op) _mm256_##op##_pd
#define N_RE(v) _mm_movedup_pd(v)
#define N_IM(v) _mm_unpackhi_pd(v, v)
#define N_SWAP(v) _mm_permute_pd(v, 0x1)
#define H_RE(v) _mm256_movedup_pd(v)
#define H_IM(v) _mm256_permute_pd(v, 0xf)
#define H_SWAP(v) _mm256_permute_pd(v, 0x5)
#else
typedef __m128 num;
typedef __m256 half;
enum { HALVES = 1 };
#define N(op) _mm_##op##_ps
#define H(op) _mm256_##op##_ps
#define N_RE(v) _mm_moveldup_ps(v)
#define N_IM(v) _mm_movehdup_ps(v)
#define N_SWAP(v) _mm_permute_ps(v, 0xb1)
#define H_RE(v) _mm256_moveldup_ps(v)
#define H_IM(v) _mm256_movehdup_ps(v)
#define H_SWAP(v) _mm256_permute_ps(v, 0xb1)
#endif

typedef struct {
	half half[HALVES];
} quad;

/* ---- one number ---- */

TULLE_INLINE num nzero(void)
{
	return N(setzero)();
}

TULLE_INLINE num nload(const T *p)
{
#if TULLE_IS(TULLE_T, c128)
	return _mm_loadu_pd((const R *)p);
#else
	return _mm_castpd_ps(_mm_load_sd((const double *)p));
#endif
}

TULLE_INLINE void nstore(T *p, num v)
{
#if TULLE_IS(TULLE_T, c128)
	_mm_storeu_pd((R *)p, v);
#else
	_mm_storel_pi((__m64 *)p, v);
#endif
}

TULLE_INLINE num nadd(num a, num b)
{
	return N(add)(a, b);
}

TULLE_INLINE num nmul(num a, num b)
{
	return N(fmaddsub)(N_RE(a), b, N(mul)(N_IM(a), N_SWAP(b)));
}

TULLE_INLINE num nfma(num a, num b, num c)
{
	return N(fmaddsub)(N_RE(a), b, N(fmaddsub)(N_IM(a), N_SWAP(b), c));
}

typedef struct {
	num of_re, of_im;
} nimage;

TULLE_INLINE nimage nimage_of(num b, signs s)
{
	return (nimage){ N(mul)(N(set1)(s.re), b), N(mul)(N(set1)(s.im), N_SWAP(b)) };
}

TULLE_INLINE num nfma_image(num a, nimage i, num c)
{
	return N(fmaddsub)(N_RE(a), i.of_re, N(fmaddsub)(N_IM(a), i.of_im, c));
}

/* ---- four lanes ---- */

TULLE_INLINE quad qzero(void)
{
	quad v;

	for (int h = 0; h < HALVES; h++)
		v.half[h] = H(setzero)();
	return v;
}

/* Three c64 are two and one, as their stores are: a load then finds all that it wants in one store, or none. */
TULLE_INLINE quad qload(const T *p, int n)
{
#if TULLE_IS(TULLE_T, c128)
	const half high = n == 4   ? _mm256_loadu_pd((const R *)(p + 2))
	                  : n == 3 ? _mm256_zextpd128_pd256(nload(p + 2))
	                           : _mm256_setzero_pd();

	return (quad){ { _mm256_loadu_pd((const R *)p), high } };
#else
	if (n == 4)
		return (quad){ { _mm256_loadu_ps((const R *)p) } };
	return (quad){ { _mm256_insertf128_ps(_mm256_zextps128_ps256(_mm_loadu_ps((const R *)p)),
		                                  n == 3 ? nload(p + 2) : _mm_setzero_ps(), 1) } };
#endif
}

TULLE_INLINE void qstore(T *p, quad v, int n)
{
#if TULLE_IS(TULLE_T, c128)
	_mm256_storeu_pd((R *)p, v.half[0]);
	if (n == 4)
		_mm256_storeu_pd((R *)(p + 2), v.half[1]);
	if (n == 3)
		nstore(p + 2, _mm256_castpd256_pd128(v.half[1]));
#else
	if (n == 4) {
		_mm256_storeu_ps((R *)p, v.half[0]);
		return;
	}
	_mm_storeu_ps((R *)p, _mm256_castps256_ps128(v.half[0]));
	if (n == 3)
		nstore(p + 2, _mm256_extractf128_ps(v.half[0], 1));
#endif
}

TULLE_INLINE quad qfma(quad a, quad b, quad c)
{
#pragma GCC unroll 2
	for (int h = 0; h < HALVES; h++)
		c.half[h] = H(fmaddsub)(H_RE(a.half[h]), b.half[h],
		                        H(fmaddsub)(H_IM(a.half[h]), H_SWAP(b.half[h]), c.half[h]));
	return c;
}

/* The same for both halves. */
typedef struct {
	half of_re, of_im;
} qimage;

TULLE_INLINE qimage qimage_of(T b, signs s)
{
#if TULLE_IS(TULLE_T, c128)
	const half all = _mm256_broadcast_pd((const __m128d *)&b);
#else
	const half all = _mm256_castpd_ps(_mm256_broadcast_sd((const double *)&b));
#endif

	return (qimage){ H(mul)(H(set1)(s.re), all), H(mul)(H(set1)(s.im), H_SWAP(all)) };
}

TULLE_INLINE quad qfma_image(quad a, qimage i, quad c)
{
#pragma GCC unroll 2
	for (int h = 0; h < HALVES; h++)
		c.half[h] =
		    H(fmaddsub)(H_RE(a.half[h]), i.of_re, H(fmaddsub)(H_IM(a.half[h]), i.of_im, c.half[h]));
	return c;
}

#if TULLE_IS(TULLE_T, c128)
TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	quad sum = qzero();

#pragma GCC unroll 2
	for (int h = 0; 2 * h < n; h++) {
		const half a = _mm256_add_pd(v[2 * h].half[0], v[2 * h].half[1]);
		const half b = 2 * h + 1 < n ? _mm256_add_pd(v[2 * h + 1].half[0], v[2 * h + 1].half[1])
		                             : _mm256_setzero_pd();

		sum.half[h] =
		    _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
	}
	return sum;
}
#else
/* In each 16 bytes, sums of row a and of row b. */
TULLE_INLINE half sum_numbers(half a, half b)
{
	const __m256d c = _mm256_castps_pd(a), d = _mm256_castps_pd(b);

	return _mm256_add_ps(_mm256_castpd_ps(_mm256_unpacklo_pd(c, d)),
	                     _mm256_castpd_ps(_mm256_unpackhi_pd(c, d)));
}

TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	const half none = _mm256_setzero_ps(), a = sum_numbers(v[0].half[0], v[1].half[0]);
	const half b = n > 2 ? sum_numbers(v[2].half[0], n > 3 ? v[3].half[0] : none) : none;

	return (quad){ { _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20),
		                           _mm256_permute2f128_ps(a, b, 0x31)) } };
}
#endif

#undef N
#undef H
#undef N_RE
#undef N_IM
#undef N_SWAP
#undef H_RE
#undef H_IM
#undef H_SWAP

#endif
