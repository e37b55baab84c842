/* cpu.h -- the instruction sets of simd/isa.def, and which of them can be used. */
#ifndef TULLE_CORE_CPU_H
#define TULLE_CORE_CPU_H

#include "isas.h" /* written by CMake */
#include "tulle.h"

/* TULLE__SCALAR, TULLE__AVX2, ...: every set of the list, in its order, also those that this build has
 * no kernels for. */
#define TULLE__ENUMERATOR(name, NAME, bytes, fused, LOWER, PRICES) TULLE__##NAME,
typedef enum {
	TULLE__EVERY_ISA(TULLE__ENUMERATOR) TULLE__ISAS,
	TULLE__NONE = TULLE__ISAS
} tulle__isa;

const char *tulle__isa_name(tulle__isa isa);

/* The next lower set, whose kernels serve where this one has none; TULLE__NONE at the end. */
tulle__isa tulle__isa_lower(tulle__isa isa);

/* The set whose prices serve where this one has none; TULLE__NONE at the end. */
tulle__isa tulle__isa_priced_as(tulle__isa isa);

/* Does a multiply-add round once? */
int tulle__isa_fused(tulle__isa isa);

/* Elements of `size` bytes in a vector of the kernels, their VLEN; 1 without vectors. */
int tulle__kernel_lanes(tulle__isa isa, size_t size);

/* Elements of `size` bytes that are interleaved in a layout: the lanes of a vector. Kernels without
 * vectors use a layout for TULLE__PLAIN_BYTES. */
enum { TULLE__PLAIN_BYTES = 32 };
int tulle__vector_lanes(tulle__isa isa, size_t size);

/* Does this machine have the set, and this build kernels for it? */
int tulle__isa_available(tulle__isa isa);

/* The set of the same width that gathers by loads, if this build has one, else `isa` itself. */
tulle__isa tulle__isa_loads(tulle__isa isa);

/* The last set of the list that this machine supports and this build has kernels for. Of sets that
 * differ only in how they gather, the first. */
tulle__isa tulle__isa_best(void);

/* By name; TULLE_E_ARGUMENT for an unknown one, TULLE_E_UNSUPPORTED for one that is not
 * available. */
tulle_status tulle__isa_find(const char *name, tulle__isa *out);

#endif
