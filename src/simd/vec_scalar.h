/* vec_scalar.h -- the vector words on one lane, in plain C. No fma: without the instruction it
 * would be a call into libm.
 *
 *   vec, VLEN            a vector of T and its number of lanes
 *   vmask, vfirst(n)     the first n lanes, 0 <= n <= VLEN
 *   vslice(n, s)         those of lanes s*VLEN, s*VLEN+1, ... that are below n; n <= 64
 *   ..._first(.., m)     touches memory of the lanes in m only; other lanes are 0
 *   vadd_first(a, b, m)  a + b in the lanes of m, a in the others
 *   sfma(a, b, c)        what vfma does, on one T: the same bits as a lane
 *   vfma_first(a, b, c, m)  a*b + c in the lanes of m, c in the others
 *   vgather(x, col)      x[col[0]], x[col[1]], ...
 *   vgather_near(x, offset)  the same with 16-bit offsets; .._first reads all VLEN offsets, touches x
 *                        in the lanes of m only
 *   vscatter_first(y, row, v, m)  y[row[0]] = lane 0, y[row[1]] = lane 1, ... in the lanes of m
 *   vlanes, vlonger(p,n) any set of lanes; here those whose p[lane] is above n
 *   vany(s), vall()      is there a lane in the set? the set of all lanes
 *   vboth(s, t)          the lanes in both sets
 *   vadd_lanes(a, b, s)  a + b in the lanes of s, a in the others
 *   vchoose(s, a, b)     a in the lanes of s, b in the others
 *   vcount(s)            how many lanes are in the set
 *   vsqueeze(v, s)       the lanes that are not in s pushed together, 0 behind them
 *   vgather_lanes(x, col, s)  as vgather in the lanes of s; 0 in the others, where x is not touched
 *   vlanes_of(bits)      the lanes whose bits are set; bits above VLEN do not matter
 *   vfma_lanes(a, b, c, s)  a*b + c in the lanes of s, c in the others
 *   vindex, vindex_near(p, n), vindex_far(p, n)  n*p[0], n*p[1], ... of 16 and of 32 bits
 *   vgather_at(x, at)    x[lane 0 of at], x[lane 1 of at], ...
 *   vgather_at_lanes(x, at, s)  the same in the lanes of s; 0 in the others, where x is not touched
 *   vweave(v, n, out)    lane 0 of v[0], v[1], .. v[n-1], then lane 1 of each, and so on, fills out[0],
 *                        out[1], ..; n = 2, 3, 4 or 6 is a constant
 *   vsum(v)              sum of all lanes
 *   vlongest(ptr)        the longest of the VLEN rows that begin at ptr[0], ptr[1], ...
 *   vsum_runs(p, ptr, n) lane r is the sum of row r's products, the first of which is p[0]: VLEN rows
 *                        of at most VRUNS products in all and n in one; VRUNS is 0 where this has
 *                        no gain over loading each row
 *   vsum_each(v)         lane r is the sum of all lanes of v[r], r = 0 .. VLEN-1
 *   vpick(p, at)         p[at[0]], p[at[1]], ... by single loads: these can read what was stored a
 *                        moment ago, for which a gather would wait
 *   vbits, vbits_load(p) 16 bits in each lane
 *   vclear(w)            the lanes where the lowest bit of w is clear
 *   vshift(w)            w with each bit moved one down
 *   vslide(v)            lane i is lane i+1 of v; the last is 0
 *   vsum_reach(v, w, s)  lane i is v[i] + ... + v[i+n], n = (w[i] >> s) % VLEN, and no other lane
 *                        enters; n falls by one from lane to lane inside a run
 *   vplaces(to, w, n, i) writes i + VLEN*p for each set bit p of w, in order; only bits below n are
 *                        set, n <= 32; may write 16 numbers more
 */
#ifndef TULLE_SIMD_VEC_SCALAR_H
#define TULLE_SIMD_VEC_SCALAR_H

enum { VLEN = 1 };
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
	return a * b;
}

static inline vec vfma(vec a, vec b, vec c)
{
	return a * b + c;
}

static inline T sfma(T a, T b, T c)
{
	return a * b + c;
}

static inline vec vfma_first(vec a, vec b, vec c, vmask m)
{
	return m ? a * b + c : c;
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

static inline void vstore_first(T *p, vec v, vmask m)
{
	if (m)
		*p = v;
}

static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	return x[*offset];
}

static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	return m ? x[*offset] : 0;
}

static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
	if (m)
		y[*row] = v;
}

static inline vlanes vlonger(const int32_t *p, int32_t n)
{
	return *p > n;
}

static inline int vany(vlanes s)
{
	return s;
}

static inline vlanes vall(void)
{
	return 1;
}

static inline vlanes vboth(vlanes s, vlanes t)
{
	return s & t;
}

static inline vec vadd_lanes(vec a, vec b, vlanes s)
{
	return s ? a + b : a;
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return s ? a : b;
}

static inline int vcount(vlanes s)
{
	return s;
}

static inline vec vsqueeze(vec v, vlanes s)
{
	return s ? 0 : v;
}

static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	return s ? x[*col] : 0;
}

static inline vlanes vlanes_of(unsigned bits)
{
	return bits & 1;
}

static inline vec vfma_lanes(vec a, vec b, vec c, vlanes s)
{
	return s ? a * b + c : c;
}

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

static inline void vweave(const vec *v, int n, vec *out)
{
	for (int r = 0; r < n; r++)
		out[r] = v[r];
}

static inline vmask vslice(int64_t n, int s)
{
	return s < n;
}

static inline vec vadd_first(vec sum, vec v, vmask m)
{
	return m ? sum + v : sum;
}

static inline T vsum(vec v)
{
	return v;
}

static inline vec vsum_each(const vec *v)
{
	return *v;
}

static inline O vlongest(const O *ptr)
{
	return ptr[1] - ptr[0];
}

static inline vec vpick(const T *p, const int32_t *at)
{
	return p[*at];
}

typedef unsigned vbits;

static inline vbits vbits_load(const uint16_t *p)
{
	return *p;
}

static inline vlanes vclear(vbits w)
{
	return !(w & 1);
}

static inline vbits vshift(vbits w)
{
	return w >> 1;
}

static inline vec vslide(vec v)
{
	(void)v;
	return 0;
}

static inline vec vsum_reach(vec v, vbits w, int s)
{
	(void)w;
	(void)s;
	return v;
}

static inline void vplaces(int32_t *to, uint32_t w, int n, int32_t i)
{
	for (int32_t p = 0; p < n; p++) {
		*to = i + p;
		to += w >> p & 1;
	}
}

enum { VRUNS = 0 };

static inline vec vsum_runs(const T *product, const O *ptr, O longest)
{
	(void)product;
	(void)ptr;
	(void)longest;
	return vzero();
}

#endif
