/* narrow_avx512.h -- loads and stores of the first 16 or 32 bytes of a vector; AVX-512 has masks at
 * every width. */
#ifndef TULLE_SIMD_NARROW_AVX512_H
#define TULLE_SIMD_NARROW_AVX512_H

#if TULLE_IS(TULLE_T, f64)

static inline vec vload_narrow(const T *p, vmask m, int bytes)
{
	return bytes == 16   ? _mm512_zextpd128_pd512(_mm_maskz_loadu_pd(m, p))
	       : bytes == 32 ? _mm512_zextpd256_pd512(_mm256_maskz_loadu_pd(m, p))
	                     : vload_first(p, m);
}

static inline void vstore_narrow(T *p, vec v, vmask m, int bytes)
{
	if (bytes == 16)
		_mm_mask_storeu_pd(p, m, _mm512_castpd512_pd128(v));
	else if (bytes == 32)
		_mm256_mask_storeu_pd(p, m, _mm512_castpd512_pd256(v));
	else
		vstore_first(p, v, m);
}

#else

static inline vec vload_narrow(const T *p, vmask m, int bytes)
{
	return bytes == 16   ? _mm512_zextps128_ps512(_mm_maskz_loadu_ps((__mmask8)m, p))
	       : bytes == 32 ? _mm512_zextps256_ps512(_mm256_maskz_loadu_ps((__mmask8)m, p))
	                     : vload_first(p, m);
}

static inline void vstore_narrow(T *p, vec v, vmask m, int bytes)
{
	if (bytes == 16)
		_mm_mask_storeu_ps(p, (__mmask8)m, _mm512_castps512_ps128(v));
	else if (bytes == 32)
		_mm256_mask_storeu_ps(p, (__mmask8)m, _mm512_castps512_ps256(v));
	else
		vstore_first(p, v, m);
}

#endif
#endif
