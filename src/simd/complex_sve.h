/* complex_sve.h -- the vector words (simd/generic.h) for complex T on Arm's Scalable Vector Extension, for one length of
 * vectors, as vec_sve.h: real and imaginary parts are interleaved, as in memory. Masks and sets are predicates with
 * both parts of each lane. */
#ifndef TULLE_SIMD_COMPLEX_SVE_H
#define TULLE_SIMD_COMPLEX_SVE_H

#include <arm_sve.h>

#define FIXED __attribute__((arm_sve_vector_bits(TULLE_VECTOR_BYTES * 8)))

typedef svbool_t vlanes FIXED;
typedef vlanes vmask;

/* V(add, _x) is the intrinsic on the parts, W(and, _x) the one on unsigned words as wide as a part. */
#if TULLE_IS(TULLE_T, c128)
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
#if TULLE_IS(TULLE_T, c128)
	return svdupq_n_f64(__real__ s, __imag__ s);
#else
	return svdupq_n_f32(__real__ s, __imag__ s, __real__ s, __imag__ s);
#endif
}

static inline vec vload(const T *p)
{
	return V(ld1, )(ALL, (const R *)p);
}

static inline void vstore(T *p, vec v)
{
	V(st1, )(ALL, (R *)p, v);
}

static inline vec vadd(vec a, vec b)
{
	return V(add, _x)(ALL, a, b);
}

/* ---- products: FCMLA adds those with the imaginary part of a, then those with its real part (simd/one.h) ---- */

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return V(cmla, _m)(m, V(cmla, _m)(m, c, a, b, 90), a, b, 0);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return V(cmla, _x)(ALL, V(cmla, _x)(ALL, c, a, b, 90), a, b, 0);
}

/* To add -0 changes nothing, not even the sign of a zero. */
static inline vec vmul(vec a, vec b)
{
	return vfma(a, b, V(dup, )((R)-0.0));
}

static inline vec vmul_real(R s, vec v)
{
	return V(mul, _x)(ALL, V(dup, )(s), v);
}

static inline vec vfma_real(R s, vec v, vec c)
{
	return V(mla, _x)(ALL, c, V(dup, )(s), v);
}

static inline vec vmul_parts(vec a, vec b)
{
	return V(mul, _x)(ALL, a, b);
}

/* ---- masks and sets: predicates ---- */

static inline vmask vfirst(int64_t n)
{
#if TULLE_IS(TULLE_T, c128)
	return svwhilelt_b64_s64(0, 2 * n);
#else
	return svwhilelt_b32_s64(0, 2 * n);
#endif
}

#define vcount vcount
static inline int vcount(vlanes s)
{
#if TULLE_IS(TULLE_T, c128)
	return (int)svcntp_b64(ALL, s) / 2;
#else
	return (int)svcntp_b32(ALL, s) / 2;
#endif
}

static inline int64_t vlength(vmask m)
{
	return vcount(m);
}

static inline vec vload_first(const T *p, vmask m)
{
	return V(ld1, )(m, (const R *)p);
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	V(st1, )(m, (R *)p, v);
}

static inline vec vadd_first(vec a, vec b, vmask m)
{
	return V(add, _m)(m, a, b);
}

/* In both parts of each lane, its number. */
static inline words lane_numbers(void)
{
	return W(lsr, _x)(ALL, W(index, )(0, 1), W(dup, )(1));
}

static inline vlanes vlanes_of(unsigned bits)
{
	const words of_lane = W(lsr, _x)(ALL, W(dup, )(bits), lane_numbers());

	return W(cmpne, )(ALL, W(and, _x)(ALL, of_lane, W(dup, )(1)), W(dup, )(0));
}

static inline unsigned vlane_bits(vlanes s)
{
	return (unsigned)W(orv, )(s, W(lsl, _x)(ALL, W(dup, )(1), lane_numbers()));
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return V(sel, )(s, a, b);
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

#define vadd_lanes vadd_lanes
static inline vec vadd_lanes(vec a, vec b, vlanes s)
{
	return vadd_first(a, b, s);
}

#define vfma_lanes vfma_lanes
static inline vec vfma_lanes(vec a, vec b, vec c, vlanes s)
{
	return vfma_first(a, b, c, s);
}

/* ---- gathers: of words of 64 bits, one per c64 and two per c128 ---- */

typedef svint64_t places FIXED;

/* The words of the lanes of m, for indices p[0], p[1], ... that LOAD reads. */
#if TULLE_IS(TULLE_T, c128)
#define PLACES(LOAD, m, p) two_words_each(LOAD(svuzp1_b64(m, svpfalse_b()), p))
#define GATHER(m, x, at) svld1_gather_s64index_f64(m, (const double *)(x), at)
#define SCATTER(m, y, at, v) svst1_scatter_s64index_f64(m, (double *)(y), at, v)

static inline places two_words_each(places at)
{
	const places first = svlsl_n_s64_x(ALL, svzip1_s64(at, at), 1);

	return svadd_s64_x(ALL, first, svreinterpret_s64_u64(svand_n_u64_x(ALL, svindex_u64(0, 1), 1)));
}
#else
#define PLACES(LOAD, m, p) LOAD(m, p)
#define GATHER(m, x, at) \
	svreinterpret_f32_f64(svld1_gather_s64index_f64(m, (const double *)(x), at))
#define SCATTER(m, y, at, v) \
	svst1_scatter_s64index_f64(m, (double *)(y), at, svreinterpret_f64_f32(v))
#endif

#if TULLE_IS(TULLE_C, i64)
#define LOAD_COLUMNS svld1_s64
#else
#define LOAD_COLUMNS svld1sw_s64
#endif

/* A vector of one number is loaded. */
#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
	if (VLEN == 1)
		return vload(x + col[0]);
	return GATHER(ALL, x, PLACES(LOAD_COLUMNS, ALL, col));
}

#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	return GATHER(m, x, PLACES(LOAD_COLUMNS, m, col));
}

#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	return GATHER(s, x, PLACES(svld1sw_s64, ALL, col));
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	if (VLEN == 1)
		return vload(x + offset[0]);
	return GATHER(ALL, x, PLACES(svld1uh_s64, ALL, offset));
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	return GATHER(m, x, PLACES(svld1uh_s64, m, offset));
}

#define vscatter_first vscatter_first
static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
	SCATTER(m, y, PLACES(svld1sw_s64, m, row), v);
}

/* ---- sums ---- */

/* Lane i is lane (i + n) % VLEN; n is a constant. */
#define TURNED(v, n) V(ext, )(v, v, 2 * ((n) % VLEN))

/* Halves first. */
static inline T vsum(vec v)
{
	if (VLEN > 4)
		v = vadd(v, TURNED(v, 4));
	if (VLEN > 2)
		v = vadd(v, TURNED(v, 2));
	if (VLEN > 1)
		v = vadd(v, TURNED(v, 1));
	return __builtin_complex(v[0], v[1]);
}

/* The lanes whose number lacks the bit n have u + u turned by n, the others w + w turned by n. */
#define FOLD(u, w, n)                                       \
	vadd(vchoose(without_bit(n), u, TURNED(w, VLEN - (n))), \
	     vchoose(without_bit(n), TURNED(u, n), w))

static inline vlanes without_bit(unsigned n)
{
	return W(cmpeq, )(ALL, W(and, _x)(ALL, lane_numbers(), W(dup, )(n)), W(dup, )(0));
}

/* Each step halves the vectors and doubles the rows in each; sums have the order of vsum. */
#define vsum_each vsum_each
static inline vec vsum_each(const vec *v)
{
	vec sum[VLEN];

	for (int r = 0; r < VLEN; r++)
		sum[r] = v[r];
	if (VLEN > 4)
		for (int r = 0; r < 4; r++)
			sum[r] = FOLD(sum[r], sum[(r + 4) % VLEN], 4);
	if (VLEN > 2)
		for (int r = 0; r < 2; r++)
			sum[r] = FOLD(sum[r], sum[(r + 2) % VLEN], 2);
	if (VLEN > 1)
		sum[0] = FOLD(sum[0], sum[1 % VLEN], 1);
	return sum[0];
}

#undef FIXED
#undef ALL
#undef V
#undef W
#undef PLACES
#undef GATHER
#undef SCATTER
#undef LOAD_COLUMNS
#undef TURNED
#undef FOLD

#endif
