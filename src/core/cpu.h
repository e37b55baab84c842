/* cpu.h -- instruction sets, from the one every machine has to the widest. */
#ifndef TULLE_CORE_CPU_H
#define TULLE_CORE_CPU_H

#include "tulle.h"

typedef enum { TULLE__SCALAR, TULLE__AVX2, TULLE__AVX512, TULLE__ISAS } tulle__isa;

const char *tulle__isa_name(tulle__isa isa);

/* Elements of `size` bytes in a vector. Scalar kernels take what is laid out for AVX2. */
static inline int tulle__vector_lanes(tulle__isa isa, size_t size)
{
	return (isa == TULLE__AVX512 ? 64 : 32) / (int)size;
}

/* The widest set that this machine has and this build has kernels for. */
tulle__isa tulle__isa_best(void);

/* By name; TULLE_E_ARGUMENT for an unknown one, TULLE_E_UNSUPPORTED for one that is not here. */
tulle_status tulle__isa_find(const char *name, tulle__isa *out);

#endif
