/* narrow_avx2.h -- loads and stores of the first 16 bytes of a vector. */
#ifndef TULLE_SIMD_NARROW_AVX2_H
#define TULLE_SIMD_NARROW_AVX2_H

#if TULLE_IS(TULLE_T, f64)

static inline vec vload_narrow(const T *p, vmask m, int bytes)
{
	return bytes == 16
	           ? _mm256_zextpd128_pd256(_mm_maskload_pd(p, _mm256_castsi256_si128(first_of_4(m))))
	           : vload_first(p, m);
}

static inline void vstore_narrow(T *p, vec v, vmask m, int bytes)
{
	if (bytes == 16)
		_mm_maskstore_pd(p, _mm256_castsi256_si128(first_of_4(m)), _mm256_castpd256_pd128(v));
	else
		vstore_first(p, v, m);
}

#else

static inline vec vload_narrow(const T *p, vmask m, int bytes)
{
	return bytes == 16
	           ? _mm256_zextps128_ps256(_mm_maskload_ps(p, _mm256_castsi256_si128(first_of_8(m))))
	           : vload_first(p, m);
}

static inline void vstore_narrow(T *p, vec v, vmask m, int bytes)
{
	if (bytes == 16)
		_mm_maskstore_ps(p, _mm256_castsi256_si128(first_of_8(m)), _mm256_castps256_ps128(v));
	else
		vstore_first(p, v, m);
}

#endif
#endif
