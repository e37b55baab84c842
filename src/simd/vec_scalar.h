/* vec_scalar.h -- the vector words on one lane, in plain C. No fma: without the instruction it
 * would be a call into libm.
 *
 *   vec, VLEN            a vector of T and its number of lanes
 *   vmask, vfirst(n)     the first n lanes, 0 <= n <= VLEN
 *   ..._first(.., m)     touches memory of the lanes in m only; other lanes are 0
 *   vgather(x, col)      x[col[0]], x[col[1]], ...
 *   vsum(v)              sum of all lanes
 *   vsum_each(v)         lane r is the sum of all lanes of v[r], r = 0 .. VLEN-1
 */
#ifndef TULLE_SIMD_VEC_SCALAR_H
#define TULLE_SIMD_VEC_SCALAR_H

enum { VLEN = 1 };
typedef T vec;
typedef int vmask;

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
	return a * b;
}

static inline vec vfma(vec a, vec b, vec c)
{
	return a * b + c;
}

static inline vec vgather(const T *x, const C *col)
{
	return x[*col];
}

static inline vmask vfirst(int64_t n)
{
	return n > 0;
}

static inline vec vload_first(const T *p, vmask m)
{
	return m ? *p : 0;
}

static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	return m ? x[*col] : 0;
}

static inline T vsum(vec v)
{
	return v;
}

static inline vec vsum_each(const vec *v)
{
	return *v;
}

#endif
