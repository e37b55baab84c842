/* wide.h -- a number of 113 bits and 15 bits of exponent: the product of two doubles is exact and cannot overflow. */
#ifndef KIT_WIDE_H
#define KIT_WIDE_H

#include <float.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 kit_wide;
#else
typedef long double kit_wide;
_Static_assert(LDBL_MANT_DIG >= 113, "the oracle needs a type of 113 bits");
#endif

#endif
