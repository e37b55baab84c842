/* quad.h -- one number and four lanes of T, whatever the instruction set: sparse rows with sums that are
 * scattered, and the rows of small dense blocks.
 *
 *   num, nload(p), nstore(p, v)  a number in a register
 *   nzero(), nadd(a, b), nmul(a, b), nfma(a, b, c)  as smul and sfma of simd/one.h
 *   nimage, nimage_of(b, s), nfma_image(a, i, c)  as simage_of and sfma_image
 *
 *   qzero()             all lanes 0
 *   qload(p, n)         the first n lanes from memory, 0 in the others; n is a constant, 2 .. 4
 *   qstore(p, v, n)     the first n lanes to memory, and nothing else
 *   qfma(a, b, c)       a*b + c, as vfma does it
 *   qimage, qimage_of(b, s), qfma_image(a, i, c)  as vimage_of and vfma_image, one b for all lanes
 *   qsum_each(v, n)     lane r is the sum of the lanes of v[r], r < n
 *
 * Included after the words of a set, which may bring its own: #define num num, #define quad quad. */
#ifndef TULLE_SIMD_QUAD_H
#define TULLE_SIMD_QUAD_H

#ifndef num

typedef T num;
typedef simage nimage;

TULLE_INLINE num nzero(void)
{
	return 0;
}

TULLE_INLINE num nload(const T *p)
{
	return *p;
}

TULLE_INLINE void nstore(T *p, num v)
{
	*p = v;
}

TULLE_INLINE num nadd(num a, num b)
{
	return a + b;
}

TULLE_INLINE num nmul(num a, num b)
{
	return smul(a, b);
}

TULLE_INLINE num nfma(num a, num b, num c)
{
	return sfma(a, b, c);
}

TULLE_INLINE nimage nimage_of(num b, signs s)
{
	return simage_of(b, s);
}

TULLE_INLINE num nfma_image(num a, nimage i, num c)
{
	return sfma_image(a, i, c);
}

#endif

#ifndef quad

typedef struct {
	T lane[4];
} quad;

TULLE_INLINE quad qzero(void)
{
	return (quad){ { 0, 0, 0, 0 } };
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

typedef simage qimage;

TULLE_INLINE qimage qimage_of(T b, signs s)
{
	return simage_of(b, s);
}

TULLE_INLINE quad qfma_image(quad a, qimage i, quad c)
{
	for (int l = 0; l < 4; l++)
		c.lane[l] = sfma_image(a.lane[l], i, c.lane[l]);
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
