/* vec_sve.h -- the vector words (simd/generic.h) on Arm's Scalable Vector Extension, for one length of vectors: objects
 * are compiled for it (-msve-vector-bits) and run only where the machine has it. */
#ifndef TULLE_SIMD_VEC_SVE_H
#define TULLE_SIMD_VEC_SVE_H

#include <arm_sve.h>

#define FIXED __attribute__((arm_sve_vector_bits(TULLE_VECTOR_BYTES * 8)))

typedef svbool_t vlanes FIXED;
typedef vlanes vmask;

/* V(add) is the intrinsic on T, W(and, _x) the one on unsigned words as wide as T. */
#if TULLE_IS(TULLE_T, f64)
typedef svfloat64_t vec FIXED;
typedef svuint64_t words FIXED;
#define ALL svptrue_b64()
#define V(op, form) sv##op##_f64##form
#define W(op, form) sv##op##_u64##form
#else
typedef svfloat32_t vec FIXED;
typedef svuint32_t words FIXED;
#define ALL svptrue_b32()
#define V(op, form) sv##op##_f32##form
#define W(op, form) sv##op##_u32##form
#endif

static inline vec vzero(void)
{
	return V(dup, )(0);
}

static inline vec vset(T s)
{
	return V(dup, )(s);
}

static inline vec vload(const T *p)
{
	return V(ld1, )(ALL, p);
}

static inline void vstore(T *p, vec v)
{
	V(st1, )(ALL, p, v);
}

static inline vec vadd(vec a, vec b)
{
	return V(add, _x)(ALL, a, b);
}

static inline vec vmul(vec a, vec b)
{
	return V(mul, _x)(ALL, a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return V(mla, _x)(ALL, c, a, b);
}

/* ---- masks and sets: predicates ---- */

static inline vmask vfirst(int64_t n)
{
#if TULLE_IS(TULLE_T, f64)
	return svwhilelt_b64_s64(0, n);
#else
	return svwhilelt_b32_s64(0, n);
#endif
}

#define vcount vcount
static inline int vcount(vlanes s)
{
#if TULLE_IS(TULLE_T, f64)
	return (int)svcntp_b64(ALL, s);
#else
	return (int)svcntp_b32(ALL, s);
#endif
}

static inline int64_t vlength(vmask m)
{
	return vcount(m);
}

static inline vec vload_first(const T *p, vmask m)
{
	return V(ld1, )(m, p);
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	V(st1, )(m, p, v);
}

static inline vec vadd_first(vec a, vec b, vmask m)
{
	return V(add, _m)(m, a, b);
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return V(mla, _m)(m, c, a, b);
}

static inline vlanes vlanes_of(unsigned bits)
{
	const words of_lane = W(lsr, _x)(ALL, W(dup, )(bits), W(index, )(0, 1));

	return W(cmpne, )(ALL, W(and, _x)(ALL, of_lane, W(dup, )(1)), W(dup, )(0));
}

static inline unsigned vlane_bits(vlanes s)
{
	return (unsigned)W(orv, )(s, W(lsl, _x)(ALL, W(dup, )(1), W(index, )(0, 1)));
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return V(sel, )(s, a, b);
}

#define vadd_lanes vadd_lanes
static inline vec vadd_lanes(vec a, vec b, vlanes s)
{
	return V(add, _m)(s, a, b);
}

#define vfma_lanes vfma_lanes
static inline vec vfma_lanes(vec a, vec b, vec c, vlanes s)
{
	return V(mla, _m)(s, c, a, b);
}

#define vall vall
static inline vlanes vall(void)
{
	return ALL;
}

#define vboth vboth
static inline vlanes vboth(vlanes s, vlanes t)
{
	return svand_b_z(ALL, s, t);
}

#define vsqueeze vsqueeze
static inline vec vsqueeze(vec v, vlanes s)
{
	return V(compact, )(svnot_b_z(ALL, s), v);
}

#define vlonger vlonger
static inline vlanes vlonger(const int32_t *p, int32_t n)
{
#if TULLE_IS(TULLE_T, f64)
	return svcmpgt_n_s64(ALL, svld1sw_s64(ALL, p), n);
#else
	return svcmpgt_n_s32(ALL, svld1_s32(ALL, p), n);
#endif
}

/* ---- gathers ---- */

#define vindex vindex
#if TULLE_IS(TULLE_T, f64)
typedef svint64_t vindex FIXED;
#define AT_16(m, p) svld1uh_s64(m, p)
#define AT_32(m, p) svld1sw_s64(m, p)
#define GATHER(m, x, at) svld1_gather_s64index_f64(m, x, at)
#define SCATTER(m, y, at, v) svst1_scatter_s64index_f64(m, y, at, v)
#define TIMES(at, n) svmul_n_s64_x(ALL, at, n)
#else
typedef svint32_t vindex FIXED;
#define AT_16(m, p) svld1uh_s32(m, p)
#define AT_32(m, p) svld1_s32(m, p)
#define GATHER(m, x, at) svld1_gather_s32index_f32(m, x, at)
#define SCATTER(m, y, at, v) svst1_scatter_s32index_f32(m, y, at, v)
#define TIMES(at, n) svmul_n_s32_x(ALL, at, n)
#endif

static inline vindex vindex_near(const uint16_t *p, int32_t n)
{
	return TIMES(AT_16(ALL, p), n);
}

static inline vindex vindex_far(const int32_t *p, int32_t n)
{
	return TIMES(AT_32(ALL, p), n);
}

static inline vec vgather_at(const T *x, vindex at)
{
	return GATHER(ALL, x, at);
}

static inline vec vgather_at_lanes(const T *x, vindex at, vlanes s)
{
	return GATHER(s, x, at);
}

/* No instruction gathers 32-bit values by 64-bit indices into one vector; generic_gather.h loads them one by one. */
#if TULLE_IS(TULLE_T, f64) || TULLE_IS(TULLE_C, i32)
#if TULLE_IS(TULLE_C, i64)
#define AT_COLUMNS(m, p) svld1_s64(m, p)
#else
#define AT_COLUMNS(m, p) AT_32(m, p)
#endif

#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
	return GATHER(ALL, x, AT_COLUMNS(ALL, col));
}

#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	return GATHER(m, x, AT_COLUMNS(m, col));
}

#undef AT_COLUMNS
#endif

#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	return GATHER(s, x, AT_32(ALL, col));
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	return GATHER(ALL, x, AT_16(ALL, offset));
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	return GATHER(m, x, AT_16(m, offset));
}

#define vscatter_first vscatter_first
static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
	SCATTER(m, y, AT_32(m, row), v);
}

#define vlookup vlookup
static inline vec vlookup(const T *t, const uint8_t *code)
{
#if TULLE_IS(TULLE_T, f64)
	return GATHER(ALL, t, svld1ub_s64(ALL, code));
#else
	return GATHER(ALL, t, svld1ub_s32(ALL, code));
#endif
}

#define vwiden vwiden
static inline vec vwiden(const float *p)
{
#if TULLE_IS(TULLE_T, f64)
	return svcvt_f64_f32_x(ALL, svreinterpret_f32_u64(svld1uw_u64(ALL, (const uint32_t *)p)));
#else
	return svld1_f32(ALL, p);
#endif
}

#define vwiden_first vwiden_first
static inline vec vwiden_first(const float *p, vmask m)
{
#if TULLE_IS(TULLE_T, f64)
	return svcvt_f64_f32_x(ALL, svreinterpret_f32_u64(svld1uw_u64(m, (const uint32_t *)p)));
#else
	return svld1_f32(m, p);
#endif
}

#define vwiden_bf16 vwiden_bf16
static inline vec vwiden_bf16(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f64)
	return svcvt_f64_f32_x(ALL, svreinterpret_f32_u64(svlsl_n_u64_x(ALL, svld1uh_u64(ALL, p), 16)));
#else
	return svreinterpret_f32_u32(svlsl_n_u32_x(ALL, svld1uh_u32(ALL, p), 16));
#endif
}

static inline vec vwiden_f16(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f64)
	return svcvt_f64_f16_x(ALL, svreinterpret_f16_u64(svld1uh_u64(ALL, p)));
#else
	return svcvt_f32_f16_x(ALL, svreinterpret_f16_u32(svld1uh_u32(ALL, p)));
#endif
}

/* ---- sums ---- */

/* FADDV adds neighbours, then their sums: an order that the architecture fixes. */
static inline T vsum(vec v)
{
	return V(addv, )(ALL, v);
}

/* ---- words of bits: as wide as T ---- */

#define vbits vbits
typedef words vbits;

static inline vbits vbits_load(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f64)
	return svld1uh_u64(ALL, p);
#else
	return svld1uh_u32(ALL, p);
#endif
}

static inline vlanes vclear(vbits w)
{
	return W(cmpeq, )(ALL, W(and, _x)(ALL, w, W(dup, )(1)), W(dup, )(0));
}

static inline vbits vshift(vbits w)
{
	return W(lsr, _x)(ALL, w, W(dup, )(1));
}

#define vslide vslide
static inline vec vslide(vec v)
{
	return V(ext, )(v, vzero(), 1);
}

static inline vec vsum_reach(vec v, vbits w, int s)
{
	const words reach =
	    W(and, _x)(ALL, W(lsr, _x)(ALL, w, W(dup, )((unsigned)s)), W(dup, )(VLEN - 1));

/* The lanes that reach lane i+n add it; n must be a constant. */
#define ADD_REACHED(n) \
	if ((n) < VLEN)    \
	v = V(add, _m)(W(cmpge, )(ALL, reach, W(dup, )(n)), v, V(ext, )(v, v, n))
	ADD_REACHED(1);
	ADD_REACHED(2);
	ADD_REACHED(4);
	ADD_REACHED(8);
#undef ADD_REACHED
	return v;
}

#undef ALL
#undef V
#undef W
#undef AT_16
#undef AT_32
#undef GATHER
#undef SCATTER
#undef TIMES
#undef FIXED

#endif
