/* gather.c -- gather instruction or loads: as requested, by processor model, or by timing. */
#include "core/gather.h"

#include "core/status.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

static atomic_int timed; /* a tulle__gather; TULLE__GATHER_UNKNOWN before */

#if defined __x86_64__ || defined __i386__

/* Family 6. Since August 2023, microcode makes gathers slow on some models (Gather Data Sampling), and a
 * virtual machine cannot see the microcode version. Models before Skylake have slow gathers by design. */
static tulle__gather of_intel(unsigned model)
{
	static const unsigned char slow_by_microcode[] = { 0x4e, 0x5e, 0x55, 0x66, 0x6a,
		                                               0x6c, 0x7d, 0x7e, 0x8c, 0x8d,
		                                               0x8e, 0x9e, 0xa5, 0xa6, 0xa7 };
	static const unsigned char fast[] = { 0x8f, 0xcf, 0xad, 0xae, 0x97, 0x9a, 0xb7, 0xba, 0xbf };

	if (memchr(slow_by_microcode, (int)model, sizeof slow_by_microcode))
		return TULLE__GATHER_UNKNOWN;
	return memchr(fast, (int)model, sizeof fast) ? TULLE__GATHER_INSTRUCTION : TULLE__GATHER_LOADS;
}

static tulle__gather ask_model(void)
{
	unsigned eax, ebx, ecx, edx, family;
	char vendor[13] = "";

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return TULLE__GATHER_LOADS;
	memcpy(vendor, &ebx, 4);
	memcpy(vendor + 4, &edx, 4);
	memcpy(vendor + 8, &ecx, 4);
	if (strcmp(vendor, "GenuineIntel") != 0 || !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return TULLE__GATHER_LOADS; /* AMD's gathers are slow by design */
	family = (eax >> 8 & 15) + (eax >> 20 & 255);
	if (family != 6)
		return TULLE__GATHER_UNKNOWN;
	return of_intel((eax >> 4 & 15) | (eax >> 12 & 0xf0));
}

#else

static tulle__gather ask_model(void)
{
	return TULLE__GATHER_LOADS;
}

#endif

/* Read once: CPUID takes microseconds on a virtual machine, and batches need the result for each
 * problem. */
tulle__gather tulle__gather_of_model(void)
{
	enum { NOT_ASKED = -1 };
	static atomic_int known = NOT_ASKED;
	int how = atomic_load_explicit(&known, memory_order_relaxed);

	if (how == NOT_ASKED) {
		how = (int)ask_model();
		atomic_store_explicit(&known, how, memory_order_relaxed);
	}
	return (tulle__gather)how;
}

tulle_status tulle__gather_wanted(tulle__gather *out)
{
	const char *wanted = getenv("TULLE_GATHER");

	*out = TULLE__GATHER_UNKNOWN;
	if (!wanted || !*wanted)
		return TULLE_OK;
	if (strcmp(wanted, "loads") != 0 && strcmp(wanted, "instruction") != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "environment variable TULLE_GATHER = \"%s\": not loads or instruction",
		                   tulle__show_name(wanted, strlen(wanted)).text);
	*out = *wanted == 'l' ? TULLE__GATHER_LOADS : TULLE__GATHER_INSTRUCTION;
	return TULLE_OK;
}

void tulle__gather_settle(tulle__gather found)
{
	atomic_store_explicit(&timed, (int)found, memory_order_relaxed);
}

tulle__gather tulle__gather_now(const tulle__env *env)
{
	tulle__gather how = env->gather;

	if (how == TULLE__GATHER_UNKNOWN)
		how = tulle__gather_of_model();
	if (how == TULLE__GATHER_UNKNOWN)
		how = (tulle__gather)atomic_load_explicit(&timed, memory_order_relaxed);
	return how == TULLE__GATHER_UNKNOWN ? TULLE__GATHER_LOADS : how;
}

tulle__isa tulle__kernel_isa(const tulle__env *env)
{
	return tulle__gather_now(env) == TULLE__GATHER_LOADS ? tulle__isa_loads(env->isa) : env->isa;
}
