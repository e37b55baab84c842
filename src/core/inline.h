/* inline.h -- functions that must be inlined, so that constant arguments select the code. */
#ifndef TULLE_CORE_INLINE_H
#define TULLE_CORE_INLINE_H

#define TULLE_INLINE static inline __attribute__((always_inline))

#endif
