/* vec_neon.h -- the vector words (simd/generic.h) on 128 bits of Arm's Advanced SIMD. A mask is the number of its lanes.
 * There are neither gathers nor masked loads: lanes are loaded one by one. */
#ifndef TULLE_SIMD_VEC_NEON_H
#define TULLE_SIMD_VEC_NEON_H

#include <arm_neon.h>
#include <string.h>

typedef int64_t vmask;

/* V(addq) is the intrinsic on T, W(andq) the one on unsigned words as wide as T. */
#if TULLE_IS(TULLE_T, f64)
typedef float64x2_t vec;
typedef uint64x2_t vlanes; /* all ones in the lanes of the set */
typedef uint64_t word;
#define V(op) v##op##_f64
#define W(op) v##op##_u64
#else
typedef float32x4_t vec;
typedef uint32x4_t vlanes;
typedef uint32_t word;
#define V(op) v##op##_f32
#define W(op) v##op##_u32
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

static inline vec vset(T s)
{
	return V(dupq_n)(s);
}

static inline vec vload(const T *p)
{
	return V(ld1q)(p);
}

static inline void vstore(T *p, vec v)
{
	V(st1q)(p, v);
}

static inline vec vadd(vec a, vec b)
{
	return V(addq)(a, b);
}

static inline vec vmul(vec a, vec b)
{
	return V(mulq)(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return V(fmaq)(c, a, b);
}

/* ---- sets of lanes ---- */

static inline vlanes first_lanes(vmask m)
{
	static const word slide[2 * VLEN] = {
#if TULLE_IS(TULLE_T, f64)
		~(word)0,
		~(word)0
#else
		~(word)0,
		~(word)0,
		~(word)0,
		~(word)0
#endif
	};

	return W(ld1q)(slide + VLEN - m);
}

static inline vlanes lane_weights(void)
{
	static const word weight[] = { 1, 2, 4, 8 };

	return W(ld1q)(weight);
}

static inline vlanes vlanes_of(unsigned bits)
{
	return W(tstq)(W(dupq_n)(bits), lane_weights());
}

static inline unsigned vlane_bits(vlanes s)
{
	return (unsigned)W(addvq)(W(andq)(s, lane_weights()));
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return V(bslq)(s, a, b);
}

static inline vec vadd_first(vec a, vec b, vmask m)
{
	return vchoose(first_lanes(m), vadd(a, b), a);
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return vchoose(first_lanes(m), vfma(a, b, c), c);
}

#define vlonger vlonger
static inline vlanes vlonger(const int32_t *p, int32_t n)
{
#if TULLE_IS(TULLE_T, f64)
	return vreinterpretq_u64_s64(
	    vmovl_s32(vreinterpret_s32_u32(vcgt_s32(vld1_s32(p), vdup_n_s32(n)))));
#else
	return vcgtq_s32(vld1q_s32(p), vdupq_n_s32(n));
#endif
}

#define vall vall
static inline vlanes vall(void)
{
	return W(dupq_n)(~(word)0);
}

#define vboth vboth
static inline vlanes vboth(vlanes s, vlanes t)
{
	return W(andq)(s, t);
}

/* ---- lanes from memory ---- */

/* Lane l is x[at[l]] where `in` has bit l, else 0. */
#if TULLE_IS(TULLE_T, f64)
#define EACH_LANE(DO) DO(0) DO(1)
#else
#define EACH_LANE(DO) DO(0) DO(1) DO(2) DO(3)
#endif
#define LANE_FROM(l) \
	if (in >> (l)&1) \
		v = V(ld1q_lane)(x + at[l], v, l);

/* A word that loads lanes by indices of type I, in all lanes and in some of them. */
#define GATHERS(I, all, some)                                    \
	static inline vec some(const T *x, const I *at, unsigned in) \
	{                                                            \
		vec v = vzero();                                         \
                                                                 \
		EACH_LANE(LANE_FROM)                                     \
		return v;                                                \
	}                                                            \
	static inline vec all(const T *x, const I *at)               \
	{                                                            \
		return some(x, at, (1u << VLEN) - 1);                    \
	}

static inline unsigned first_bits(vmask m)
{
	return (1u << m) - 1;
}

#define vgather vgather
GATHERS(C, vgather, gather_bits)

#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	return gather_bits(x, col, first_bits(m));
}

#define vpick vpick
GATHERS(int32_t, vpick, pick_bits)

#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	return pick_bits(x, col, vlane_bits(s));
}

#define vgather_near vgather_near
GATHERS(uint16_t, vgather_near, gather_near_bits)

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	return gather_near_bits(x, offset, first_bits(m));
}

#define vlookup vlookup
GATHERS(uint8_t, vlookup, lookup_bits)

static inline vec vload_first(const T *p, vmask m)
{
	static const uint8_t lane[] = { 0, 1, 2, 3 };

	return lookup_bits(p, lane, first_bits(m));
}

#define STORE_LANE(l) \
	if ((l) < m)      \
		V(st1q_lane)(p + (l), v, l);

static inline void vstore_first(T *p, vec v, vmask m)
{
	EACH_LANE(STORE_LANE)
}

#define STORE_ROW(l) \
	if ((l) < m)     \
		V(st1q_lane)(y + row[l], v, l);

#define vscatter_first vscatter_first
static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
	EACH_LANE(STORE_ROW)
}

#define vwiden vwiden
static inline vec vwiden(const float *p)
{
#if TULLE_IS(TULLE_T, f64)
	return vcvt_f64_f32(vld1_f32(p));
#else
	return vld1q_f32(p);
#endif
}

/* The first VLEN numbers of 16 bits; no more may be read. */
static inline uint16x4_t load_halves(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f64)
	uint32_t two;

	memcpy(&two, p, sizeof two);
	return vreinterpret_u16_u32(vdup_n_u32(two));
#else
	return vld1_u16(p);
#endif
}

/* The first VLEN of four floats as T. */
static inline vec from_floats(float32x4_t v)
{
#if TULLE_IS(TULLE_T, f64)
	return vcvt_f64_f32(vget_low_f32(v));
#else
	return v;
#endif
}

#define vwiden_bf16 vwiden_bf16
static inline vec vwiden_bf16(const uint16_t *p)
{
	return from_floats(vreinterpretq_f32_u32(vshll_n_u16(load_halves(p), 16)));
}

static inline vec vwiden_f16(const uint16_t *p)
{
	return from_floats(vcvt_f32_f16(vreinterpret_f16_u16(load_halves(p))));
}

/* ---- sums and several vectors ---- */

/* In the order of vsum_each: neighbours first. */
static inline T vsum(vec v)
{
	return V(addvq)(v);
}

#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
	const vec a = V(paddq)(v[0], v[1]);

	return VLEN == 2 ? a : V(paddq)(a, V(paddq)(v[VLEN - 2], v[VLEN - 1]));
}

#define vtranspose vtranspose
static inline void vtranspose(vec *v)
{
#if TULLE_IS(TULLE_T, f64)
	const vec a = v[0];

	v[0] = vzip1q_f64(a, v[1]);
	v[1] = vzip2q_f64(a, v[1]);
#else
	const vec a = vzip1q_f32(v[0], v[2]), b = vzip2q_f32(v[0], v[2]);
	const vec c = vzip1q_f32(v[1], v[3]), d = vzip2q_f32(v[1], v[3]);

	v[0] = vzip1q_f32(a, c);
	v[1] = vzip2q_f32(a, c);
	v[2] = vzip1q_f32(b, d);
	v[3] = vzip2q_f32(b, d);
#endif
}

/* ---- words of bits: as wide as T ---- */

#define vbits vbits
typedef vlanes vbits;

static inline vbits vbits_load(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f64)
	return vcombine_u64(vcreate_u64(p[0]), vcreate_u64(p[1]));
#else
	return vmovl_u16(vld1_u16(p));
#endif
}

static inline vlanes vclear(vbits w)
{
	return W(ceqq)(W(andq)(w, W(dupq_n)(1)), W(dupq_n)(0));
}

static inline vbits vshift(vbits w)
{
	return W(shrq_n)(w, 1);
}

#define vslide vslide
static inline vec vslide(vec v)
{
	return V(extq)(v, vzero(), 1);
}

/* v plus lane i+n in the lanes that reach as far. */
#define ADD_REACHED(n) v = vchoose(W(cgtq)(reach, W(dupq_n)((n)-1)), vadd(v, V(extq)(v, v, n)), v)

static inline vec vsum_reach(vec v, vbits w, int s)
{
#if TULLE_IS(TULLE_T, f64)
	const vlanes reach = W(andq)(vshlq_u64(w, vdupq_n_s64(-s)), W(dupq_n)(VLEN - 1));

	ADD_REACHED(1);
#else
	const vlanes reach = W(andq)(vshlq_u32(w, vdupq_n_s32(-s)), W(dupq_n)(VLEN - 1));

	ADD_REACHED(1);
	ADD_REACHED(2);
#endif
	return v;
}

#undef V
#undef W
#undef EACH_LANE
#undef LANE_FROM
#undef STORE_LANE
#undef STORE_ROW
#undef GATHERS
#undef ADD_REACHED

#endif
