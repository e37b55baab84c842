/* limits.h -- the limit of 32-bit indices.
 *
 * Formats index rows, columns and entries with 32 bits if the matrix permits. Code that decides this
 * compares with TULLE__I32_MAX, and code that stores such an index casts it by TULLE__I32().
 *
 * The preset `narrow` defines TULLE__NARROW: 32-bit indices then end at 2^15 - 1, and larger ones are
 * truncated to 16 bits. So a small matrix takes every branch that otherwise needs 2^31 rows, columns or
 * entries, and an error in such a branch shows in the result. Used for tests only. */
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
