/* isa_probe.h -- the words in which simd/isa.def says whether a machine has an instruction set.
 *
 * CMake compiles them as well, into the program that finds the sets of TULLE_ISAS=native. */
#ifndef TULLE_CORE_ISA_PROBE_H
#define TULLE_CORE_ISA_PROBE_H

#ifdef __aarch64__
#include <sys/auxv.h>
#include <sys/prctl.h>

/* Bytes of an SVE vector in this process; 0 without SVE. Unused if the build has no kernels for SVE. */
__attribute__((unused)) static int sve_bytes(void)
{
	const int length = getauxval(AT_HWCAP) & HWCAP_SVE ? prctl(PR_SVE_GET_VL) : -1;

	return length < 0 ? 0 : length & PR_SVE_VL_LEN_MASK;
}
#define SVE_BYTES sve_bytes()
#endif

/* The builtin also checks that the operating system saves the wide registers. */
#define CPU(feature) __builtin_cpu_supports(#feature)

#endif
