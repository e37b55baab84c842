/* generic_gather.h -- plain forms of the vector words that read and write where indices say: a part of
 * generic.h. */
#ifndef TULLE_SIMD_GENERIC_GATHER_H
#define TULLE_SIMD_GENERIC_GATHER_H

#ifndef vgather
static inline vec vgather(const T *x, const C *col)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = x[col[l]];
	return vload(each);
}
#endif

#ifndef vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = l < vlength(m) ? x[col[l]] : 0;
	return vload(each);
}
#endif

#ifndef vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	const unsigned bits = vlane_bits(s);
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = bits >> l & 1 ? x[col[l]] : 0;
	return vload(each);
}
#endif

#ifndef vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = x[offset[l]];
	return vload(each);
}
#endif

#ifndef vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = l < vlength(m) ? x[offset[l]] : 0;
	return vload(each);
}
#endif

#ifndef vpick
static inline vec vpick(const T *p, const int32_t *at)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = p[at[l]];
	return vload(each);
}
#endif

#ifndef vindex
typedef struct {
	int32_t lane[VLEN];
} vindex;

static inline vindex vindex_near(const uint16_t *p, int32_t n)
{
	vindex at;

	for (int l = 0; l < VLEN; l++)
		at.lane[l] = n * p[l];
	return at;
}

static inline vindex vindex_far(const int32_t *p, int32_t n)
{
	vindex at;

	for (int l = 0; l < VLEN; l++)
		at.lane[l] = n * p[l];
	return at;
}

static inline vec vgather_at(const T *x, vindex at)
{
	return vpick(x, at.lane);
}

static inline vec vgather_at_lanes(const T *x, vindex at, vlanes s)
{
	return vgather_lanes(x, at.lane, s);
}
#endif

#ifndef vscatter_first
static inline void vscatter_first(T *y, const int32_t *row, vec v, vmask m)
{
	T each[VLEN];

	vstore(each, v);
	for (int64_t l = 0; l < vlength(m); l++)
		y[row[l]] = each[l];
}
#endif

#ifndef vtable
typedef const T *vtable;

static inline vtable vtable_of(const T *p)
{
	return p;
}
#endif

#ifndef vlookup
static inline vec vlookup(vtable t, const uint8_t *code)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = t[code[l]];
	return vload(each);
}
#endif

#ifndef vwiden
static inline vec vwiden(const float *p)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = p[l];
	return vload(each);
}
#endif

#ifndef vwiden_first
static inline vec vwiden_first(const float *p, vmask m)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = l < vlength(m) ? p[l] : 0;
	return vload(each);
}
#endif

#ifndef vwiden_bf16
static inline vec vwiden_bf16(const uint16_t *p)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = tulle__from_bf16(p[l]);
	return vload(each);
}

static inline vec vwiden_f16(const uint16_t *p)
{
	T each[VLEN];

	for (int l = 0; l < VLEN; l++)
		each[l] = tulle__from_f16(p[l]);
	return vload(each);
}
#endif

#endif
