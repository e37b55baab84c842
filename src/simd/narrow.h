/* narrow.h -- the first lanes of a vector from and to memory, touching few bytes.
 *
 *   vload_narrow, vstore_narrow(.., m, bytes)  as vload_first and vstore_first. The lanes of m are in the first
 *       `bytes` bytes, a constant: 16, 32 or all. The access is no wider than that where the set has such
 *       words, so it stays in one cache line if these bytes do; a masked one of a whole vector does not.
 *
 * For loops over several vectors, the only ones that need it: kernel.h does not include it. A set that has such words
 * names their header: TULLE_NARROW_WORDS. */
#ifndef TULLE_SIMD_NARROW_H
#define TULLE_SIMD_NARROW_H

#include "core/kernel.h"

#ifdef TULLE_NARROW_WORDS
#include TULLE_NARROW_WORDS
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
