/* vec_array.h -- the core vector words (simd/generic.h) on an array of VLEN lanes, and no others: an
 * instruction set that a test adds. */
#ifndef TULLE_TESTS_VEC_ARRAY_H
#define TULLE_TESTS_VEC_ARRAY_H

typedef struct {
	T lane[VLEN];
} vec;

typedef int64_t vmask; /* the number of its lanes */
typedef unsigned vlanes;

static inline vec vset(T s)
{
	vec v;

	for (int l = 0; l < VLEN; l++)
		v.lane[l] = s;
	return v;
}

static inline vec vzero(void)
{
	return vset(0);
}

static inline vec vload(const T *p)
{
	vec v;

	for (int l = 0; l < VLEN; l++)
		v.lane[l] = p[l];
	return v;
}

static inline void vstore(T *p, vec v)
{
	for (int l = 0; l < VLEN; l++)
		p[l] = v.lane[l];
}

static inline vec vadd(vec a, vec b)
{
	for (int l = 0; l < VLEN; l++)
		a.lane[l] += b.lane[l];
	return a;
}

static inline vec vmul(vec a, vec b)
{
	for (int l = 0; l < VLEN; l++)
		a.lane[l] *= b.lane[l];
	return a;
}

static inline vec vfma(vec a, vec b, vec c)
{
	return vadd(vmul(a, b), c);
}

static inline T vsum(vec v)
{
	T sum = 0;

	for (int l = 0; l < VLEN; l++)
		sum += v.lane[l];
	return sum;
}

/* ---- sets ---- */

static inline vlanes vlanes_of(unsigned bits)
{
	return bits & ((1u << VLEN) - 1);
}

static inline unsigned vlane_bits(vlanes s)
{
	return s;
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	for (int l = 0; l < VLEN; l++)
		a.lane[l] = s >> l & 1 ? a.lane[l] : b.lane[l];
	return a;
}

/* ---- masks ---- */

static inline vmask vfirst(int64_t n)
{
	return n;
}

static inline int64_t vlength(vmask m)
{
	return m;
}

static inline vec vload_first(const T *p, vmask m)
{
	vec v = vzero();

	for (int64_t l = 0; l < m; l++)
		v.lane[l] = p[l];
	return v;
}

static inline void vstore_first(T *p, vec v, vmask m)
{
	for (int64_t l = 0; l < m; l++)
		p[l] = v.lane[l];
}

static inline vec vadd_first(vec a, vec b, vmask m)
{
	return vchoose(vlanes_of((1u << m) - 1), vadd(a, b), a);
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return vchoose(vlanes_of((1u << m) - 1), vfma(a, b, c), c);
}

#endif
