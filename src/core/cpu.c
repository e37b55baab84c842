/* cpu.c -- what this machine can run. */
#include "core/cpu.h"

#include "core/status.h"
#include "core/text.h"

#include <string.h>

static const char *const names[TULLE__ISAS] = { "scalar", "avx2", "avx512" };

const char *tulle__isa_name(tulle__isa isa)
{
	return names[isa];
}

#if defined TULLE__HAVE_AVX2 || defined TULLE__HAVE_AVX512
/* The builtin also asks the operating system whether it saves the wide registers. */
static int has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	       __builtin_cpu_supports("bmi2");
}
#endif

static int available(tulle__isa isa)
{
	switch (isa) {
#ifdef TULLE__HAVE_AVX2
	case TULLE__AVX2: return has_avx2();
#endif
#ifdef TULLE__HAVE_AVX512
	case TULLE__AVX512:
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
		       has_avx2(); /* its kernels use those instructions, too */
#endif
	default: return isa == TULLE__SCALAR;
	}
}

tulle__isa tulle__isa_best(void)
{
	tulle__isa isa = TULLE__ISAS - 1;

	while (!available(isa))
		isa--;
	return isa;
}

tulle_status tulle__isa_find(const char *name, tulle__isa *out)
{
	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++) {
		if (strcmp(name, names[isa]) != 0)
			continue;
		if (!available(isa))
			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "instruction set %s: not on this machine or not in this build",
			                   name);
		*out = isa;
		return TULLE_OK;
	}
	return tulle__fail(TULLE_E_ARGUMENT, "instruction set \"%s\": not scalar, avx2 or avx512",
	                   tulle__show_name(name, strlen(name)).text);
}
