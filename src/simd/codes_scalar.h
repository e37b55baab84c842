/* codes_scalar.h -- values from what stands for them, on one lane.
 *
 *   vtable, vtable_of(p)  a table of 16 values
 *   vlookup(t, code)      values number code[0], code[1], ... of the table
 *   vwiden(p)             p[0], p[1], ... as T
 */
#ifndef TULLE_SIMD_CODES_SCALAR_H
#define TULLE_SIMD_CODES_SCALAR_H

typedef const T *vtable;

static inline vtable vtable_of(const T *p)
{
	return p;
}

static inline vec vlookup(vtable t, const uint8_t *code)
{
	return t[*code];
}

static inline vec vwiden(const float *p)
{
	return *p;
}

#endif
