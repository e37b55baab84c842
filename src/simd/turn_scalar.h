/* turn_scalar.h -- one more vector word (see vec_scalar.h), on one lane.
 *
 *   vturn(v)             v[0] .. v[VLEN-1] change places with their lanes: lane l of v[r] becomes lane r
 *                        of v[l] */
#ifndef TULLE_SIMD_TURN_SCALAR_H
#define TULLE_SIMD_TURN_SCALAR_H

static inline void vturn(vec *v)
{
	(void)v;
}

#endif
