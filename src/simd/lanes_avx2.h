/* lanes_avx2.h -- sets of lanes and bits of CSR5 on 256 bits, for real and complex T: what vec_avx2.h and
 * complex_avx2.h share. A lane is one unit of 4 bytes (f32) or of 8 (f64, c64), or two units of 8 (c128). */
#ifndef TULLE_SIMD_LANES_AVX2_H
#define TULLE_SIMD_LANES_AVX2_H

/* ---- sets of lanes ---- */

#define vall vall
static inline vlanes vall(void)
{
	return _mm256_set1_epi32(-1);
}

#define vboth vboth
static inline vlanes vboth(vlanes s, vlanes t)
{
	return _mm256_and_si256(s, t);
}

#define vadd_lanes vadd_lanes
static inline vec vadd_lanes(vec a, vec b, vlanes s)
{
	return vadd(a, V(and)(b, V(castsi256)(s)));
}

static inline vec vchoose(vlanes s, vec a, vec b)
{
	return V(blendv)(b, a, V(castsi256)(s));
}

/* The numbers 0 .. 7 of the set bits, pushed together. */
static inline __m256i bit_numbers(uint64_t bits)
{
	const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101u) * 0xff;

	return _mm256_cvtepu8_epi32(
	    _mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100u, bytes)));
}

#define vsqueeze vsqueeze
static inline vec vsqueeze(vec v, vlanes s)
{
#if TULLE_IS(TULLE_T, f32)
	const uint64_t bits = (uint64_t)_mm256_movemask_ps(_mm256_castsi256_ps(s)) ^ 0xff;
	const __m256i from = bit_numbers(bits);
	const int n = __builtin_popcountll(bits);
#else
	const uint64_t bits = (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(s)) ^ 0xf;
	const __m256i from = bit_numbers(_pdep_u64(bits, 0x55) * 3);
	const int n = __builtin_popcountll(bits) * VLEN / 4;
#endif
	const vec packed = (vec)_mm256_permutevar8x32_ps((__m256)v, from);

	return V(and)(packed, V(castsi256)(V_FIRST(n)));
}

/* ---- words of bits: as wide as a unit, for compares that give masks of lanes ---- */

#define vbits vbits
typedef __m256i vbits;
#if TULLE_IS(TULLE_T, f32)
#define L(op) _mm256_##op##_epi32
#define L_SET(n) _mm256_set1_epi32((int)(n))
#else
#define L(op) _mm256_##op##_epi64
#define L_SET(n) _mm256_set1_epi64x(n)
#endif

static inline vbits vbits_load(const uint16_t *p)
{
#if TULLE_IS(TULLE_T, f32)
	return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
#elif TULLE_IS(TULLE_T, c128)
	return _mm256_setr_epi64x(p[0], p[0], p[1], p[1]);
#else
	return _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)p));
#endif
}

static inline vlanes vclear(vbits w)
{
	return L(cmpeq)(_mm256_and_si256(w, L_SET(1)), _mm256_setzero_si256());
}

static inline vbits vshift(vbits w)
{
	return L(srli)(w, 1);
}

/* Lane i is lane (i + n) % VLEN. */
static inline vec turn(vec v, int n)
{
#if TULLE_IS(TULLE_T, f32)
	const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

	return _mm256_permutevar8x32_ps(v, _mm256_add_epi32(lane, _mm256_set1_epi32(n)));
#else
	const __m256d units = (__m256d)v;

	return (vec)(4 * n == VLEN ? _mm256_permute4x64_pd(units, 0x39)
	                           : _mm256_permute4x64_pd(units, 0x4e));
#endif
}

#define vslide vslide
static inline vec vslide(vec v)
{
	return V(and)(turn(v, 1), V(castsi256)(V_FIRST(VLEN - 1)));
}

static inline vec vsum_reach(vec v, vbits w, int s)
{
	const __m256i reach = _mm256_and_si256(L(srl)(w, _mm_cvtsi32_si128(s)), L_SET(VLEN - 1));

	for (int n = 1; n < VLEN; n *= 2)
		v = vadd(v, V(and)(turn(v, n), V(castsi256)(L(cmpgt)(reach, L_SET(n - 1)))));
	return v;
}

#define vplaces vplaces
static inline void vplaces(int32_t *to, uint32_t w, int n, int32_t i)
{
	for (int p = 0; p < n; p += 8) {
		const uint64_t bits = w >> p & 0xff;
		const __m256i place = _mm256_mullo_epi32(bit_numbers(bits), _mm256_set1_epi32(VLEN));

		_mm256_storeu_si256((__m256i *)to,
		                    _mm256_add_epi32(_mm256_set1_epi32(i + VLEN * p), place));
		to += __builtin_popcountll(bits);
	}
}

#undef L
#undef L_SET

#endif
