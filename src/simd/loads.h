/* loads.h -- gathers by ordinary loads: what loads_avx2.h and loads_avx512.h share.
 *
 * Sets that are compiled with TULLE_LOADS take these in place of gather instructions, which are slow on
 * many processors (docs/machines.md). Only the way of x into the lanes differs: the bits are the same. */
#ifndef TULLE_SIMD_LOADS_H
#define TULLE_SIMD_LOADS_H

#include <string.h>

/* Four elements of x. One at a time goes through the shuffle unit (vmovhpd, vinsertps), or is loaded
 * into all lanes and blended, which more units can do. */
#if TULLE_IS(TULLE_T, f64)
typedef __m256d four;

TULLE_INLINE four load_four(const T *x, int64_t a, int64_t b, int64_t c, int64_t d)
{
	return _mm256_set_m128d(_mm_loadh_pd(_mm_load_sd(x + c), x + d),
	                        _mm_loadh_pd(_mm_load_sd(x + a), x + b));
}
#else
typedef __m128 four;

TULLE_INLINE four load_four(const T *x, int64_t a, int64_t b, int64_t c, int64_t d)
{
	const __m128 low = _mm_blend_ps(_mm_load_ss(x + a), _mm_broadcast_ss(x + b), 2);
	const __m128 high = _mm_blend_ps(_mm_broadcast_ss(x + c), _mm_broadcast_ss(x + d), 8);

	return _mm_blend_ps(low, high, 12);
}
#endif

/* A load of 64 bits brings several indices. Loads are what limits a gather by loads, so shifting them
 * apart is cheaper than loading each. */
TULLE_INLINE four load_four_i32(const T *x, const int32_t *p)
{
	int64_t at[2];

	memcpy(at, p, sizeof at);
	return load_four(x, (int32_t)at[0], at[0] >> 32, (int32_t)at[1], at[1] >> 32);
}

TULLE_INLINE four load_four_i64(const T *x, const int64_t *p)
{
	return load_four(x, p[0], p[1], p[2], p[3]);
}

TULLE_INLINE four load_four_u16(const T *x, const uint16_t *p)
{
	uint64_t at;

	memcpy(&at, p, sizeof at);
	return load_four(x, (uint16_t)at, (uint16_t)(at >> 16), (uint16_t)(at >> 32),
	                 (int64_t)(at >> 48));
}

/* A whole vector, by one of the functions above. */
#if TULLE_VECTOR_BYTES == 32 && TULLE_IS(TULLE_T, f64)
#define LOADS(four_of, x, p) four_of(x, p)
#elif TULLE_VECTOR_BYTES == 32
#define LOADS(four_of, x, p) _mm256_set_m128(four_of(x, (p) + 4), four_of(x, p))
#elif TULLE_IS(TULLE_T, f64)
#define LOADS(four_of, x, p) \
	_mm512_insertf64x4(_mm512_castpd256_pd512(four_of(x, p)), four_of(x, (p) + 4), 1)
#else
#define LOADS(four_of, x, p)                                                         \
	_mm512_insertf32x8(                                                              \
	    _mm512_castps256_ps512(_mm256_set_m128(four_of(x, (p) + 4), four_of(x, p))), \
	    _mm256_set_m128(four_of(x, (p) + 12), four_of(x, (p) + 8)), 1)
#endif
#if TULLE_IS(TULLE_C, i32)
#define load_four_C load_four_i32
#else
#define load_four_C load_four_i64
#endif

#define vgather vgather
static inline vec vgather(const T *x, const C *col)
{
	return LOADS(load_four_C, x, col);
}

#define vgather_near vgather_near
static inline vec vgather_near(const T *x, const uint16_t *offset)
{
	return LOADS(load_four_u16, x, offset);
}

/* Lanes that are left out read an element that another lane reads, and are then cleared: a loop over the
 * lanes would end in a mispredicted branch. loads_*.h has the indices. */
#define vgather_first vgather_first
static inline vec vgather_first(const T *x, const C *col, vmask m)
{
	C at[VLEN];

	if (vlength(m) == 0)
		return vzero();
	fill_first(at, col, m);
	return keep_first(LOADS(load_four_C, x, at), m);
}

#define vgather_near_first vgather_near_first
static inline vec vgather_near_first(const T *x, const uint16_t *offset, vmask m)
{
	int32_t at[VLEN];

	if (vlength(m) == 0)
		return vzero();
	fill_first_near(at, offset, m);
	return keep_first(LOADS(load_four_i32, x, at), m);
}

static inline vec vgather_at(const T *x, vindex at)
{
	int32_t lane[VLEN];

	store_index(lane, at);
	return LOADS(load_four_i32, x, lane);
}

static inline vec vgather_at_lanes(const T *x, vindex at, vlanes s)
{
	int32_t lane[VLEN];

	if (vlane_bits(s) == 0)
		return vzero();
	fill_lanes(lane, at, s);
	return vchoose(s, LOADS(load_four_i32, x, lane), vzero());
}

/* Nearly always all lanes are wanted. */
#define vgather_lanes vgather_lanes
static inline vec vgather_lanes(const T *x, const int32_t *col, vlanes s)
{
	if (vlane_bits(s) == vlane_bits(vall()))
		return LOADS(load_four_i32, x, col);
	return vgather_at_lanes(x, vindex_far(col, 1), s);
}

#undef LOADS
#undef load_four_C
#endif
