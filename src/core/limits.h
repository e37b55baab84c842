/* limits.h -- from where on 32 bits do not suffice.
 *
 * Formats number rows, columns and entries with 32 bits where the matrix permits. Whoever decides that
 * compares with TULLE__I32_MAX, and whoever then stores such a number casts it by TULLE__I32().
 *
 * The preset `narrow` defines TULLE__NARROW: 32-bit numbers then end at 2^15 - 1, and what is larger is
 * cut off to 16 bits as otherwise to 32. So a small matrix takes every branch that else wants 2^31 of
 * something, and what such a branch forgets shows in the result. Only tests are built so. */
#ifndef TULLE_CORE_LIMITS_H
#define TULLE_CORE_LIMITS_H

#include <stdint.h>

#ifdef TULLE__NARROW
#define TULLE__I32_MAX INT16_MAX
#define TULLE__U32_MAX UINT16_MAX
#define TULLE__I32(n) ((int32_t)(int16_t)(n))
#define TULLE__U32(n) ((uint32_t)(uint16_t)(n))
#else
#define TULLE__I32_MAX INT32_MAX
#define TULLE__U32_MAX UINT32_MAX
#define TULLE__I32(n) ((int32_t)(n))
#define TULLE__U32(n) ((uint32_t)(n))
#endif

#endif
