/* kernel.h -- everything that a kernel file may use.
 *
 * A kernel file is plain C, with one body for all variants. The build compiles it once for each
 * instruction set and value type (the CSR kernels also for each index pair) with
 *
 *     TULLE_ISA         name of the instruction set (simd/isa.def)
 *     TULLE_WORDS, TULLE_VECTOR_BYTES, TULLE_FUSED   its header, width and rounding
 *     TULLE_T           f32 | f64 | c64 | ... (the type that is computed in)
 *     TULLE_S           the type that values are stored in, where that is another one
 *     TULLE_O, TULLE_C  i32 | i64       (offset and column type; CSR only)
 *
 * and this header turns them into the types T, S, O, C and the vector words of simd/. The file defines
 * static functions and exports one array of kernels with TULLE_KERNELS(format), or, if its speed does
 * not depend on how a set gathers, with TULLE_KERNELS_WITHOUT_GATHERS(format): sets that differ only in
 * that share one object. No libm, no allocation, no errors, and no inline functions that are not static:
 * otherwise the linker could keep the AVX-512 copy for all instruction sets. */
#ifndef TULLE_CORE_KERNEL_H
#define TULLE_CORE_KERNEL_H

#include "core/format.h"
#include "core/halves.h"
#include "core/inline.h"

#define TULLE_CODE_f32 4
#define TULLE_CODE_f64 5
#define TULLE_CODE_i32 6
#define TULLE_CODE_i64 7
#define TULLE_CODE_c64 8
#define TULLE_CODE_c128 9
#define TULLE_CODE2(word) TULLE_CODE_##word
#define TULLE_CODE(word) TULLE_CODE2(word)
#define TULLE_IS(a, b) (TULLE_CODE(a) == TULLE_CODE_##b)
#define TULLE_COMPLEX (TULLE_IS(TULLE_T, c64) || TULLE_IS(TULLE_T, c128))

#ifdef TULLE_S
#define TULLE_WIDENS
#else
#define TULLE_S TULLE_T
#endif
#define TULLE_PASTE2(a, b) a##b
#define TULLE_PASTE(a, b) TULLE_PASTE2(a, b)
typedef TULLE_PASTE(tulle__, TULLE_T) T;
typedef TULLE_PASTE(tulle__, TULLE_S) S;

/* A stored value in the compute type. */
TULLE_INLINE T widen(S stored)
{
	return TULLE_PASTE(tulle__widen_, TULLE_S)(stored);
}

/* alpha or beta. */
TULLE_INLINE T factor(tulle__scalar s)
{
	return TULLE_PASTE(tulle__factor_, TULLE_S)(s);
}

#ifdef TULLE_O
#define TULLE_PAIRED
#else
#define TULLE_O i64
#define TULLE_C i32
#endif
#if TULLE_IS(TULLE_O, i64)
typedef int64_t O;
#else
typedef int32_t O;
#endif
#if TULLE_IS(TULLE_C, i64)
typedef int64_t C;
#else
typedef int32_t C;
#endif

enum { VLEN = TULLE_VECTOR_BYTES > 0 ? TULLE_VECTOR_BYTES / (int)sizeof(T) : 1 };

/* The masks of bsell and the chunks of sell do not support wider vectors. */
_Static_assert((VLEN & (VLEN - 1)) == 0 && TULLE_VECTOR_BYTES <= 64,
               "VLEN is a power of two, a vector has at most 64 bytes");

#include "simd/one.h"
#include TULLE_WORDS
#include "simd/generic.h"
#include "simd/quad.h"

#ifdef TULLE_PAIRED
#define TULLE_KERNELS4(format, isa, t, o, c) tulle__##format##_kernels_##isa##_##t##_##o##_##c
#define TULLE_KERNELS3(format, isa, t, o, c) TULLE_KERNELS4(format, isa, t, o, c)
#define TULLE_KERNELS2(format) TULLE_KERNELS3(format, TULLE_ISA, TULLE_S, TULLE_O, TULLE_C)
#else
#define TULLE_KERNELS4(format, isa, t) tulle__##format##_kernels_##isa##_##t
#define TULLE_KERNELS3(format, isa, t) TULLE_KERNELS4(format, isa, t)
#define TULLE_KERNELS2(format) TULLE_KERNELS3(format, TULLE_ISA, TULLE_S)
#endif
#define TULLE_KERNELS(format)                            \
	extern const tulle__kernel TULLE_KERNELS2(format)[]; \
	const tulle__kernel TULLE_KERNELS2(format)[]
#define TULLE_KERNELS_WITHOUT_GATHERS(format) TULLE_KERNELS(format)

#endif
