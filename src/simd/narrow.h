/* narrow.h -- the first lanes of a vector from and to memory, touching few bytes.
 *
 *   vload_narrow, vstore_narrow(.., m, bytes)  as vload_first and vstore_first. The lanes of m are in the first
 *       `bytes` bytes, a constant: 16, 32 or all. The access is no wider than that where the set has such
 *       words, so it stays in one cache line if these bytes do; a masked one of a whole vector does not.
 *
 * For loops over several vectors, the only ones that need it: kernel.h does not include it. */
#ifndef TULLE_SIMD_NARROW_H
#define TULLE_SIMD_NARROW_H

#include "core/kernel.h"

#if defined(TULLE_SIMD_VEC_AVX512_H)
#include "simd/narrow_avx512.h"
#elif defined(TULLE_SIMD_VEC_AVX2_H)
#include "simd/narrow_avx2.h"
#else

static inline vec vload_narrow(const T *p, vmask m, int bytes)
{
	(void)bytes;
	return vload_first(p, m);
}

static inline void vstore_narrow(T *p, vec v, vmask m, int bytes)
{
	(void)bytes;
	vstore_first(p, v, m);
}

#endif
#endif
