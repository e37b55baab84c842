/* narrow_avx2.h -- loads and stores of the first 16 bytes of a vector. */
#ifndef TULLE_SIMD_NARROW_AVX2_H
#define TULLE_SIMD_NARROW_AVX2_H

/* N(maskload) is the intrinsic on 16 bytes of T. */
#if TULLE_IS(TULLE_T, f64)
#define N(op) _mm_##op##_pd
#define N_FIRST(m) _mm256_castsi256_si128(first_of_4(m))
#define N_WIDEN _mm256_zextpd128_pd256
#define N_LOW _mm256_castpd256_pd128
#else
#define N(op) _mm_##op##_ps
#define N_FIRST(m) _mm256_castsi256_si128(first_of_8(m))
#define N_WIDEN _mm256_zextps128_ps256
#define N_LOW _mm256_castps256_ps128
#endif

static inline vec vload_narrow(const T *p, vmask m, int bytes)
{
	return bytes == 16 ? N_WIDEN(N(maskload)(p, N_FIRST(m))) : vload_first(p, m);
}

static inline void vstore_narrow(T *p, vec v, vmask m, int bytes)
{
	if (bytes == 16)
		N(maskstore)(p, N_FIRST(m), N_LOW(v));
	else
		vstore_first(p, v, m);
}

#undef N
#undef N_FIRST
#undef N_WIDEN
#undef N_LOW

#endif
