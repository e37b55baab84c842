/* inline.h -- functions that must vanish into their callers: a constant argument then chooses the code.
 */
#ifndef TULLE_CORE_INLINE_H
#define TULLE_CORE_INLINE_H

#define TULLE_INLINE static inline __attribute__((always_inline))

#endif
