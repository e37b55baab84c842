/* quad.h -- four lanes of T, whatever the instruction set: the rows of small dense blocks.
 *
 *   qzero(), qset(s)    all lanes 0, all lanes s
 *   qload(p, n)         the first n lanes from memory, 0 in the others; n is a constant, 2 .. 4
 *   qstore(p, v, n)     the first n lanes to memory, and nothing else
 *   qfma(a, b, c)       a*b + c, as vfma does it
 *   qsum_each(v, n)     lane r is the sum of the lanes of v[r], r < n
 *
 * Included after the words of a set, which may bring its own: #define quad quad. */
#ifndef TULLE_SIMD_QUAD_H
#define TULLE_SIMD_QUAD_H

#ifndef quad

typedef struct {
	T lane[4];
} quad;

TULLE_INLINE quad qzero(void)
{
	return (quad){ { 0, 0, 0, 0 } };
}

TULLE_INLINE quad qset(T s)
{
	return (quad){ { s, s, s, s } };
}

TULLE_INLINE quad qload(const T *p, int n)
{
	quad v = qzero();

	for (int l = 0; l < n; l++)
		v.lane[l] = p[l];
	return v;
}

TULLE_INLINE void qstore(T *p, quad v, int n)
{
	for (int l = 0; l < n; l++)
		p[l] = v.lane[l];
}

TULLE_INLINE quad qfma(quad a, quad b, quad c)
{
	for (int l = 0; l < 4; l++)
		c.lane[l] = sfma(a.lane[l], b.lane[l], c.lane[l]);
	return c;
}

TULLE_INLINE quad qsum_each(const quad *v, int n)
{
	quad sum = qzero();

	for (int r = 0; r < n; r++)
		sum.lane[r] = (v[r].lane[0] + v[r].lane[1]) + (v[r].lane[2] + v[r].lane[3]);
	return sum;
}

#endif
#endif
