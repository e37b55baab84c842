/* complex_neon.h -- the vector words (simd/generic.h) for complex T on 128 bits of Arm's Advanced SIMD: real and
 * imaginary parts are interleaved, as in memory. A vector has two numbers c64 or one c128. A mask is the number of its
 * lanes, as in vec_neon.h.
 *
 * The instructions for complex products (FCMLA) are not in every processor with NEON, and are not used. */
#ifndef TULLE_SIMD_COMPLEX_NEON_H
#define TULLE_SIMD_COMPLEX_NEON_H

#include <arm_neon.h>

typedef int64_t vmask;
typedef uint64x2_t vlanes; /* all ones in both parts of the lanes of the set */

/* V(addq) is the intrinsic on the parts. */
#if TULLE_IS(TULLE_T, c128)
typedef float64x2_t vec;
#define V(op) v##op##_f64
#define TO_BITS vreinterpretq_u64_f64
#define FROM_BITS vreinterpretq_f64_u64
#else
typedef float32x4_t vec;
#define V(op) v##op##_f32
#define TO_BITS vreinterpretq_u64_f32
#define FROM_BITS vreinterpretq_f32_u64
#endif

static inline vmask vfirst(int64_t n)
{
	return n;
}

static inline int64_t vlength(vmask m)
{
	return m;
}

static inline vec vzero(void)
{
	return V(dupq_n)(0);
}

static inline vec vload(const T *p)
{
	return V(ld1q)((const R *)p);
}

static inline vec vset(T s)
{
	const T all[] = { s, s };

	return vload(all);
}

static inline void vstore(T *p, vec v)
{
	V(st1q)((R *)p, v);
}

static inline vec vadd(vec a, vec b)
{
	return V(addq)(a, b);
}

/* ---- sets of lanes ---- */

static inline vlanes first_lanes(vmask m)
{
	static const uint64_t slide[4] = { ~(uint64_t)0, ~(uint64_t)0 };

	return vld1q_u64(slide + 2 - m * (int64_t)sizeof(T) / 8);
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return FROM_BITS(vbslq_u64(s, TO_BITS(a), TO_BITS(b)));
}

static inline vec keep_first(vec v, vmask m)
{
	return FROM_BITS(vandq_u64(TO_BITS(v), first_lanes(m)));
}

static inline vec vadd_first(vec a, vec b, vmask m)
{
	return vchoose(first_lanes(m), vadd(a, b), a);
}

static inline vlanes vlanes_of(unsigned bits)
{
	static const uint64_t weight[] = { 1, VLEN };

	return vtstq_u64(vdupq_n_u64(bits), vld1q_u64(weight));
}

static inline unsigned vlane_bits(vlanes s)
{
	return (unsigned)(vgetq_lane_u64(s, 0) & 1) |
	       (VLEN > 1 ? (unsigned)(vgetq_lane_u64(s, 1) & 2) : 0);
}

/* ---- parts ---- */

static inline vec swap_parts(vec v)
{
#if TULLE_IS(TULLE_T, c128)
	return vextq_f64(v, v, 1);
#else
	return vrev64q_f32(v);
#endif
}

static inline vec times_i(vec v)
{
	const T minus_zero = __builtin_complex((R)-0.0, (R)0);

	return FROM_BITS(veorq_u64(TO_BITS(swap_parts(v)), TO_BITS(vset(minus_zero))));
}

/* ---- products: of parts, with those of b turned by i (simd/one.h) ---- */

static inline vec vmul_real(R s, vec v)
{
	return V(mulq)(V(dupq_n)(s), v);
}

static inline vec vfma_real(R s, vec v, vec c)
{
	return V(fmaq)(c, V(dupq_n)(s), v);
}

static inline vec vmul_parts(vec a, vec b)
{
	return V(mulq)(a, b);
}

#if TULLE_IS(TULLE_T, c128)
#define BOTH_RE(v) vdupq_laneq_f64(v, 0)
#define BOTH_IM(v) vdupq_laneq_f64(v, 1)
#else
#define BOTH_RE(v) vtrn1q_f32(v, v)
#define BOTH_IM(v) vtrn2q_f32(v, v)
#endif

static inline vec vmul(vec a, vec b)
{
	return V(fmaq)(V(mulq)(BOTH_IM(a), times_i(b)), BOTH_RE(a), b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return V(fmaq)(V(fmaq)(c, BOTH_IM(a), times_i(b)), BOTH_RE(a), b);
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return vchoose(first_lanes(m), vfma(a, b, c), c);
}

/* ---- lanes from and to memory ---- */

#if TULLE_IS(TULLE_T, c128)
#define GATHERED(x, at) vld1q_f64((const double *)((x) + (at)[0]))
#else
#define GATHERED(x, at) \
	vcombine_f32(vld1_f32((const float *)((x) + (at)[0])), vld1_f32((const float *)((x) + (at)[1])))
#endif
#include "simd/complex_loads.h"

static inline vec vload_first(const T *p, vmask m)
{
	if (m == 0)
		return vzero();
#if TULLE_IS(TULLE_T, c64)
	if (m == 1)
		return vcombine_f32(vld1_f32((const float *)p), vdup_n_f32(0));
#endif
	return vload(p);
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	if (m == VLEN)
		vstore(p, v);
#if TULLE_IS(TULLE_T, c64)
	else if (m == 1)
		vst1_f32((float *)p, vget_low_f32(v));
#endif
}

/* ---- sums ---- */

static inline T vsum(vec v)
{
#if TULLE_IS(TULLE_T, c128)
	return __builtin_complex(vgetq_lane_f64(v, 0), vgetq_lane_f64(v, 1));
#else
	const float32x2_t s = vadd_f32(vget_low_f32(v), vget_high_f32(v));

	return __builtin_complex(vget_lane_f32(s, 0), vget_lane_f32(s, 1));
#endif
}

#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
#if TULLE_IS(TULLE_T, c128)
	return v[0];
#else
	return vaddq_f32(FROM_BITS(vzip1q_u64(TO_BITS(v[0]), TO_BITS(v[1]))),
	                 FROM_BITS(vzip2q_u64(TO_BITS(v[0]), TO_BITS(v[1]))));
#endif
}

#undef V
#undef TO_BITS
#undef FROM_BITS
#undef BOTH_RE
#undef BOTH_IM

#endif
