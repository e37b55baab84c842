/* one.h -- products of one T, which have the bits of a lane of the vector words (simd/generic.h):
 *
 *   smul(a, b)           what vmul does
 *   sfma(a, b, c)        what vfma does
 *   sscale(s, v), sscale_add(s, v, c)  what vscale and vscale_add do
 *   simage_of(b, s), sfma_image(a, i, c)  what vimage_of and vfma_image do
 *
 * Complex products are the textbook's, (ar br - ai bi) + (ar bi + ai br) i, on every set: no rule for
 * infinities as in Annex G of C, whose product calls a function. A fused set rounds ai bi and ai br, then
 * each part as one; in sfma first cr - ai bi and ai br + ci. So the order of the factors matters to the
 * last bit: the value of the matrix comes first. */
#ifndef TULLE_SIMD_ONE_H
#define TULLE_SIMD_ONE_H

/* A part of T; T itself if it is real. */
#if TULLE_IS(TULLE_T, c128) || TULLE_IS(TULLE_T, f64)
typedef double R;
#define RFMA __builtin_fma
#else
typedef float R;
#define RFMA __builtin_fmaf
#endif

static inline R rfma(R a, R b, R c)
{
#if TULLE_FUSED
	return RFMA(a, b, c);
#else
	return a * b + c;
#endif
}
#undef RFMA

/* What the mirror image of a value is: its parts times these signs, 1 or -1. Of a real value, re times it. */
typedef struct {
	R re, im;
} signs;

/* Every part is r: as a factor of parts, a real number. */
static inline T all_parts(R r)
{
#if TULLE_COMPLEX
	return (T)__builtin_complex(r, r);
#else
	return r;
#endif
}

#if TULLE_COMPLEX

/* c - a b, rounded once if the set is fused. Instructions of x86 give a b - c, which the next one subtracts; those of Arm
 * give the difference itself. The two differ in the sign of a zero. */
static inline R rfms(R a, R b, R c)
{
#ifdef __aarch64__
	return rfma(-a, b, c);
#else
	return -rfma(a, b, -c);
#endif
}

static inline T smul(T a, T b)
{
	const R ar = __real__ a, ai = __imag__ a, br = __real__ b, bi = __imag__ b;

	return (T)__builtin_complex(rfma(ar, br, -(ai * bi)), rfma(ar, bi, ai * br));
}

static inline T sfma(T a, T b, T c)
{
#if TULLE_FUSED
	const R ar = __real__ a, ai = __imag__ a, br = __real__ b, bi = __imag__ b;

	return (T)__builtin_complex(rfma(ar, br, rfms(ai, bi, __real__ c)),
	                            rfma(ar, bi, rfma(ai, br, __imag__ c)));
#else
	return smul(a, b) + c;
#endif
}

static inline T smul_real(R s, T v)
{
	return (T)__builtin_complex(s * __real__ v, s * __imag__ v);
}

static inline T sfma_real(R s, T v, T c)
{
	return (T)__builtin_complex(rfma(s, __real__ v, __real__ c), rfma(s, __imag__ v, __imag__ c));
}

static inline T sscale(T s, T v)
{
	return __imag__ s == 0 ? smul_real(__real__ s, v) : smul(s, v);
}

static inline T sscale_add(T s, T v, T c)
{
	return __imag__ s == 0 ? sfma_real(__real__ s, v, c) : sfma(s, v, c);
}

/* The factors of the real and of the imaginary part of a value: b, and b with its parts swapped. Signs of the value
 * are in them instead, so that an image costs no more than the value itself. */
typedef struct {
	T of_re, of_im;
} simage;

static inline simage simage_of(T b, signs s)
{
	return (simage){ (T)__builtin_complex(s.re * __real__ b, s.re * __imag__ b),
		             (T)__builtin_complex(s.im * __imag__ b, s.im * __real__ b) };
}

static inline T sfma_image(T a, simage i, T c)
{
	const R ar = __real__ a, ai = __imag__ a;

#if TULLE_FUSED
	return (T)__builtin_complex(
	    rfma(ar, __real__ i.of_re, -rfma(ai, __real__ i.of_im, -__real__ c)),
	    rfma(ar, __imag__ i.of_re, rfma(ai, __imag__ i.of_im, __imag__ c)));
#else
	return (T)__builtin_complex(ar * __real__ i.of_re - ai * __real__ i.of_im,
	                            ar * __imag__ i.of_re + ai * __imag__ i.of_im) +
	       c;
#endif
}

#else

typedef T simage;

static inline simage simage_of(T b, signs s)
{
	return s.re * b;
}

static inline T smul(T a, T b)
{
	return a * b;
}

static inline T sfma(T a, T b, T c)
{
	return rfma(a, b, c);
}

static inline T sfma_image(T a, simage i, T c)
{
	return sfma(a, i, c);
}

static inline T sscale(T s, T v)
{
	return s * v;
}

static inline T sscale_add(T s, T v, T c)
{
	return sfma(s, v, c);
}

#endif
#endif
