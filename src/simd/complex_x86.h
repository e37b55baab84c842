/* complex_x86.h -- gathers and products of complex numbers: what complex_avx2.h and complex_avx512.h share.
 *
 * 16 bytes at a time, which are one c128 or two c64: as few loads as a gather instruction would make. */
#ifndef TULLE_SIMD_COMPLEX_X86_H
#define TULLE_SIMD_COMPLEX_X86_H

/* UNIT(x, at, u): 16 bytes number u of the vector x[at[0]], x[at[1]], ... */
#if TULLE_IS(TULLE_T, c128)
#define UNIT(x, at, u) _mm_loadu_pd((const double *)((x) + (at)[u]))
#else
#define UNIT(x, at, u)                                               \
	_mm_loadh_pd(_mm_load_sd((const double *)((x) + (at)[2 * (u)])), \
	             (const double *)((x) + (at)[2 * (u) + 1]))
#endif

#include "simd/complex_loads.h"
#undef UNIT

/* ---- products with a real number ---- */

static inline vec vmul_real(R s, vec v)
{
	return V(mul)(V(set1)(s), v);
}

static inline vec vfma_real(R s, vec v, vec c)
{
	return V(fmadd)(V(set1)(s), v, c);
}

static inline vec vmul_parts(vec a, vec b)
{
	return V(mul)(a, b);
}

/* ---- products: two multiplications each, with parts swapped and signs that alternate (simd/one.h) ---- */

static inline vec vmul(vec a, vec b)
{
	return V(fmaddsub)(both_re(a), b, V(mul)(both_im(a), swap_parts(b)));
}

static inline vec vfma(vec a, vec b, vec c)
{
	return V(fmaddsub)(both_re(a), b, V(fmaddsub)(both_im(a), swap_parts(b), c));
}

/* The same with swapped parts that are there already, with signs. */
#define vimage vimage
typedef struct {
	vec of_re, of_im;
} vimage;

static inline vimage vimage_of(vec b, signs s)
{
	return (vimage){ vmul_real(s.re, b), vmul_real(s.im, swap_parts(b)) };
}

static inline vec vfma_image(vec a, vimage i, vec c)
{
	return V(fmaddsub)(both_re(a), i.of_re, V(fmaddsub)(both_im(a), i.of_im, c));
}

#endif
