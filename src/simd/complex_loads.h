/* complex_loads.h -- complex numbers gathered by ordinary loads, which complex_x86.h and complex_neon.h share.
 *
 * GATHERED(x, at) is the vector x[at[0]], x[at[1]], ..., for indices of any type; keep_first(v, m) clears the lanes
 * that are not in m. */
#ifndef TULLE_SIMD_COMPLEX_LOADS_H
#define TULLE_SIMD_COMPLEX_LOADS_H

#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
	return GATHERED(x, col);
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	return GATHERED(x, offset);
}

/* Lanes that are left out read an element that another lane reads, and are then cleared. */
#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	const int64_t n = vlength(m);
	C at[VLEN];

	if (n == 0)
		return vzero();
	for (int l = 0; l < VLEN; l++)
		at[l] = col[l < n ? l : 0];
	return keep_first(GATHERED(x, at), m);
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	const int64_t n = vlength(m);
	uint16_t at[VLEN];

	if (n == 0)
		return vzero();
	for (int l = 0; l < VLEN; l++)
		at[l] = offset[l < n ? l : 0];
	return keep_first(GATHERED(x, at), m);
}

#define vpick vpick
static inline vec vpick(const T *p, const int32_t *at)
{
	return GATHERED(p, at);
}

/* The lanes of a set that is neither empty nor full. Not inlined: loops over blocks, which are unrolled, would have many
 * copies. */
__attribute__((noinline, unused)) static vec gather_some(const T *x, const int32_t *col, vlanes s)
{
	const unsigned bits = vlane_bits(s);
	int32_t at[VLEN];

	for (int l = 0; l < VLEN; l++)
		at[l] = col[bits >> l & 1 ? l : __builtin_ctz(bits)];
	return vchoose(s, GATHERED(x, at), vzero());
}

/* Nearly always all lanes are wanted. */
#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	const unsigned bits = vlane_bits(s);

	return bits == (1u << VLEN) - 1 ? GATHERED(x, col)
	       : bits == 0              ? vzero()
	                                : gather_some(x, col, s);
}

#undef GATHERED

#endif
