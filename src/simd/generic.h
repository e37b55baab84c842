/* generic.h -- the vector words: what they mean, and a plain form of those that a set need not write.
 *
 * Kernels are written in these words. The header of an instruction set (simd/isa.def names it) defines
 * the core words. The others have a form below, built on core words, that is right for every VLEN that is
 * a power of two. A set with something faster writes such a word itself and says so: #define word word.
 * The types vbits, vindex, vtable and quad come with the words named beside them.
 *
 * Core
 *   vec                  VLEN lanes of T
 *   vzero(), vset(s)     all lanes 0, all lanes s
 *   vload(p), vstore(p, v)
 *   vadd, vmul, vfma(a, b, c)  a*b + c
 *   vsum(v)              the sum of all lanes
 *   vmask, vfirst(n)     the first n lanes, 0 <= n <= VLEN
 *   vlength(m)           n of the mask
 *   vload_first, vstore_first(.., m)  touch memory of the lanes in m only; other lanes are 0
 *   vadd_first(a, b, m)  a + b in the lanes of m, a in the others
 *   vfma_first(a, b, c, m)  a*b + c in the lanes of m, c in the others
 *   vlanes, vlanes_of(bits)  any set of lanes: those whose bits are set; bits from VLEN on do not matter
 *   vlane_bits(s)        its bits; those from VLEN on are 0
 *   vchoose(s, a, b)     a in the lanes of s, b in the others
 *
 * Masks and sets
 *   vslice(n, s)         those of lanes s*VLEN, s*VLEN+1, ... that are below n; n <= 64
 *   vlonger(p, n)        the lanes whose p[lane] is above n
 *   vall(), vboth(s, t)  all lanes; the lanes in both sets
 *   vcount(s)            number of lanes in the set
 *   vadd_lanes(a, b, s)  a + b in the lanes of s, a in the others
 *   vfma_lanes(a, b, c, s)  a*b + c in the lanes of s, c in the others
 *   vsqueeze(v, s)       the lanes that are not in s pushed together, then 0
 *
 * Gathers: a lane that is left out is 0, and x is not touched for it
 *   vgather(x, col)      x[col[0]], x[col[1]], ...; _first, _lanes: in the lanes of a mask, of a set
 *   vgather_near(x, offset)  the same with 16-bit offsets; _first may read all VLEN offsets
 *   vindex, vindex_near(p, n), vindex_far(p, n)  n*p[0], n*p[1], ... of 16 and of 32 bits
 *   vgather_at(x, at)    x[lane 0 of at], x[lane 1 of at], ...; _lanes: in the lanes of a set
 *   vscatter_first(y, row, v, m)  y[row[0]] = lane 0, y[row[1]] = lane 1, ... in the lanes of m
 *   vpick(p, at)         p[at[0]], p[at[1]], ... by single loads: these can read what was stored a
 *                        moment ago, for which a gather would wait
 *   vtable, vtable_of(p) a table of 16 values; vlookup(t, code): t[code[0]], t[code[1]], ...
 *   vwiden(p)            floats p[0], p[1], ... as T; _first: as vload_first
 *   vwiden_bf16(p), vwiden_f16(p)  the same of numbers of 16 bits (core/halves.h)
 *
 * Several vectors
 *   vweave(v, n, out)    lane 0 of v[0], v[1], .. v[n-1], then lane 1 of each, and so on, fills out[0],
 *                        out[1], ..; n = 2, 3, 4 or 6 is a constant
 *   vtranspose(v)             transposes v[0] .. v[VLEN-1]: lane l of v[r] becomes lane r of v[l]
 *   vsum_each(v)         lane r is the sum of all lanes of v[r], r = 0 .. VLEN-1
 *
 * Rows
 *   vlongest(ptr)        the longest of the VLEN rows that begin at ptr[0], ptr[1], ...
 *   vsum_runs(p, ptr, n) lane r is the sum of row r's products, the first of which is p[0]: VLEN rows
 *                        of at most VRUNS products in all and n in one; VRUNS is 0 where this has
 *                        no gain over loading each row
 *
 * Bits of CSR5
 *   vbits, vbits_load(p) 16 bits in each lane
 *   vclear(w)            the lanes where the lowest bit of w is clear
 *   vshift(w)            w with each bit moved one down
 *   vslide(v)            lane i is lane i+1 of v; the last is 0
 *   vsum_reach(v, w, s)  lane i is v[i] + ... + v[i+n], n = (w[i] >> s) % VLEN, and no other lane
 *                        enters; n falls by one from lane to lane inside a run
 *   vplaces(to, w, n, i) writes i + VLEN*p for each set bit p of w, in order; only bits below n are
 *                        set, n <= 32; may write 16 numbers more
 *
 * Factors
 *   vscale(s, v), vscale_add(s, v, c)  s*v, s*v + c. A complex s without an imaginary part is a real number,
 *                        whose 0 multiplies nothing: 1 * v is v, also where a part of v is Inf
 *
 * Mirror images: products with a value whose parts have other signs
 *   vimage, vimage_of(b, s)  b as a factor of values with the signs s (simd/one.h)
 *   vfma_image(a, i, c)  a with the signs, times b, plus c
 *
 * Complex T: a lane is a number, VLEN of them a register of interleaved parts. Core are also
 *   vmul_real(r, v), vfma_real(r, v, c)  both parts times a real number
 *   vmul_parts(a, b)     each part times the same part of b
 *
 * simd/one.h has the words on one T.
 * simd/quad.h has words on a number in a register, and on four lanes. */
#ifndef TULLE_SIMD_GENERIC_H
#define TULLE_SIMD_GENERIC_H

/* ---- factors ---- */

#if !TULLE_COMPLEX
static inline vec vmul_parts(vec a, vec b)
{
	return vmul(a, b);
}
#endif

static inline vec vscale(T s, vec v)
{
#if TULLE_COMPLEX
	return __imag__ s == 0 ? vmul_real(__real__ s, v) : vmul(vset(s), v);
#else
	return vmul(vset(s), v);
#endif
}

static inline vec vscale_add(T s, vec v, vec c)
{
#if TULLE_COMPLEX
	return __imag__ s == 0 ? vfma_real(__real__ s, v, c) : vfma(vset(s), v, c);
#else
	return vfma(vset(s), v, c);
#endif
}

/* ---- mirror images ---- */

#ifndef vimage
#if TULLE_COMPLEX
typedef struct {
	simage lane[VLEN];
} vimage;

static inline vimage vimage_of(vec b, signs s)
{
	T each[VLEN];
	vimage i;

	vstore(each, b);
	for (int l = 0; l < VLEN; l++)
		i.lane[l] = simage_of(each[l], s);
	return i;
}

static inline vec vfma_image(vec a, vimage i, vec c)
{
	T value[VLEN], sum[VLEN];

	vstore(value, a);
	vstore(sum, c);
	for (int l = 0; l < VLEN; l++)
		sum[l] = sfma_image(value[l], i.lane[l], sum[l]);
	return vload(sum);
}
#else
typedef vec vimage;

static inline vimage vimage_of(vec b, signs s)
{
	return vmul(vset(s.re), b);
}

static inline vec vfma_image(vec a, vimage i, vec c)
{
	return vfma(a, i, c);
}
#endif
#endif

/* ---- masks and sets ---- */

#ifndef vslice
static inline vmask vslice(int64_t n, int s)
{
	const int64_t rest = n - s * VLEN;

	return vfirst(rest < 0 ? 0 : rest < VLEN ? rest : VLEN);
}
#endif

#ifndef vlonger
static inline vlanes vlonger(const int32_t *p, int32_t n)
{
	unsigned bits = 0;

	for (int l = 0; l < VLEN; l++)
		bits |= (unsigned)(p[l] > n) << l;
	return vlanes_of(bits);
}
#endif

#ifndef vall
static inline vlanes vall(void)
{
	return vlanes_of(~0u);
}
#endif

#ifndef vboth
static inline vlanes vboth(vlanes s, vlanes t)
{
	return vlanes_of(vlane_bits(s) & vlane_bits(t));
}
#endif

#ifndef vcount
static inline int vcount(vlanes s)
{
	return __builtin_popcount(vlane_bits(s));
}
#endif

#ifndef vadd_lanes
static inline vec vadd_lanes(vec a, vec b, vlanes s)
{
	return vchoose(s, vadd(a, b), a);
}
#endif

#ifndef vfma_lanes
static inline vec vfma_lanes(vec a, vec b, vec c, vlanes s)
{
	return vchoose(s, vfma(a, b, c), c);
}
#endif

#ifndef vsqueeze
static inline vec vsqueeze(vec v, vlanes s)
{
	const unsigned bits = vlane_bits(s);
	T each[VLEN], packed[VLEN] = { 0 };
	int n = 0;

	vstore(each, v);
	for (int l = 0; l < VLEN; l++)
		if (!(bits >> l & 1))
			packed[n++] = each[l];
	return vload(packed);
}
#endif

#include "simd/generic_gather.h"

/* ---- several vectors ---- */

#ifndef vweave
static inline void vweave(const vec *v, int n, vec *out)
{
	T interleaved[6 * VLEN], each[VLEN];

	for (int r = 0; r < n; r++) {
		vstore(each, v[r]);
		for (int l = 0; l < VLEN; l++)
			interleaved[l * n + r] = each[l];
	}
	for (int r = 0; r < n; r++)
		out[r] = vload(interleaved + r * VLEN);
}
#endif

#ifndef vtranspose
static inline void vtranspose(vec *v)
{
	T from[VLEN][VLEN], to[VLEN];

	for (int r = 0; r < VLEN; r++)
		vstore(from[r], v[r]);
	for (int l = 0; l < VLEN; l++) {
		for (int r = 0; r < VLEN; r++)
			to[r] = from[r][l];
		v[l] = vload(to);
	}
}
#endif

#ifndef vsum_each
static inline vec vsum_each(const vec *v)
{
	T sum[VLEN];

	for (int r = 0; r < VLEN; r++)
		sum[r] = vsum(v[r]);
	return vload(sum);
}
#endif

/* ---- rows ---- */

#ifndef vlongest
static inline O vlongest(const O *ptr)
{
	O longest = 0;

	for (int r = 0; r < VLEN; r++)
		longest = ptr[r + 1] - ptr[r] > longest ? ptr[r + 1] - ptr[r] : longest;
	return longest;
}
#endif

#ifndef vsum_runs
enum { VRUNS = 0 };

static inline vec vsum_runs(const T *product, const O *ptr, O longest)
{
	(void)product;
	(void)ptr;
	(void)longest;
	return vzero();
}
#endif

/* ---- bits of CSR5 ---- */

#ifndef vbits
typedef struct {
	unsigned lane[VLEN];
} vbits;

static inline vbits vbits_load(const uint16_t *p)
{
	vbits w;

	for (int l = 0; l < VLEN; l++)
		w.lane[l] = p[l];
	return w;
}

static inline vlanes vclear(vbits w)
{
	unsigned bits = 0;

	for (int l = 0; l < VLEN; l++)
		bits |= (~w.lane[l] & 1) << l;
	return vlanes_of(bits);
}

static inline vbits vshift(vbits w)
{
	for (int l = 0; l < VLEN; l++)
		w.lane[l] >>= 1;
	return w;
}

/* From the last lane down: the lane to the right has already summed up what it reaches. */
static inline vec vsum_reach(vec v, vbits w, int s)
{
	T each[VLEN];

	vstore(each, v);
	for (int l = VLEN - 2; l >= 0; l--)
		if ((w.lane[l] >> s) % VLEN > 0)
			each[l] += each[l + 1];
	return vload(each);
}
#endif

#ifndef vslide
static inline vec vslide(vec v)
{
	T each[VLEN + 1];

	vstore(each, v);
	each[VLEN] = 0;
	return vload(each + 1);
}
#endif

#ifndef vplaces
static inline void vplaces(int32_t *to, uint32_t w, int n, int32_t i)
{
	for (int p = 0; p < n; p++) {
		*to = i + VLEN * p;
		to += w >> p & 1;
	}
}
#endif

#endif
