/* vec_scalar.h -- the core words (simd/generic.h) on one lane, in plain C. No fma: without the
 * instruction it would be a call into libm. */
#ifndef TULLE_SIMD_VEC_SCALAR_H
#define TULLE_SIMD_VEC_SCALAR_H

typedef T vec;
typedef int vmask, vlanes;

static inline vec vzero(void)
{
	return 0;
}

static inline vec vset(T s)
{
	return s;
}

static inline vec vload(const T *p)
{
	return *p;
}

static inline void vstore(T *p, vec v)
{
	*p = v;
}

static inline vec vadd(vec a, vec b)
{
	return a + b;
}

static inline vec vmul(vec a, vec b)
{
	return smul(a, b);
}

static inline vec vfma(vec a, vec b, vec c)
{
	return sfma(a, b, c);
}

#if TULLE_COMPLEX
static inline vec vmul_real(R s, vec v)
{
	return smul_real(s, v);
}

static inline vec vfma_real(R s, vec v, vec c)
{
	return sfma_real(s, v, c);
}

static inline vec vmul_parts(vec a, vec b)
{
	return (T)__builtin_complex(__real__ a * __real__ b, __imag__ a * __imag__ b);
}
#endif

static inline T vsum(vec v)
{
	return v;
}

/* ---- masks ---- */

static inline vmask vfirst(int64_t n)
{
	return n > 0;
}

static inline int64_t vlength(vmask m)
{
	return m;
}

static inline vec vload_first(const T *p, vmask m)
{
	return m ? *p : 0;
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	if (m)
		*p = v;
}

static inline vec vadd_first(vec a, vec b, vmask m)
{
	return m ? a + b : a;
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return m ? sfma(a, b, c) : c;
}

/* ---- sets ---- */

static inline vlanes vlanes_of(unsigned bits)
{
	return (int)(bits & 1);
}

static inline unsigned vlane_bits(vlanes s)
{
	return (unsigned)s;
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return s ? a : b;
}

/* ---- not core: gcc 12 compiles the generic forms to different code ---- */

#define vfma_lanes vfma_lanes
static inline vec vfma_lanes(vec a, vec b, vec c, vlanes s)
{
	return s ? sfma(a, b, c) : c;
}

#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
	return x[*col];
}

#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	return m ? x[*col] : 0;
}

#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	return s ? x[*col] : 0;
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	return x[*offset];
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	return m ? x[*offset] : 0;
}

#define vscatter_first vscatter_first
static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
	if (m)
		y[*row] = v;
}

#define vlonger vlonger
static inline vlanes vlonger(const int32_t *p, int32_t n)
{
	return *p > n;
}

#define vindex vindex
typedef int32_t vindex;

static inline vindex vindex_near(const uint16_t *p, int32_t n)
{
	return n * *p;
}

static inline vindex vindex_far(const int32_t *p, int32_t n)
{
	return n * *p;
}

static inline vec vgather_at(const T *x, vindex at)
{
	return x[at];
}

static inline vec vgather_at_lanes(const T *x, vindex at, vlanes s)
{
	return s ? x[at] : 0;
}

#define vweave vweave
static inline void vweave(const vec *v, int n, vec *out)
{
	for (int r = 0; r < n; r++)
		out[r] = v[r];
}

#define vtranspose vtranspose
static inline void vtranspose(vec *v)
{
	(void)v;
}

#define vslice vslice
static inline vmask vslice(int64_t n, int s)
{
	return s < n;
}

#define vlongest vlongest
static inline O vlongest(const O *ptr)
{
	return ptr[1] - ptr[0];
}

#endif
