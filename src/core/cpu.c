/* cpu.c -- which instruction sets this machine can run. */
#include "core/cpu.h"

#include "core/isa_probe.h"
#include "core/status.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* clang-format makes initialisers in macros unreadable. */
/* clang-format off */
#define ROW(name, NAME, bytes, fused, LOWER, PRICES) \
	[TULLE__##NAME] = { #name, bytes, fused, TULLE__##LOWER, TULLE__##PRICES },
static const struct {
	const char *name;
	int bytes, fused;
	tulle__isa lower, prices;
} sets[TULLE__ISAS] = { TULLE__EVERY_ISA(ROW) };
#undef ROW
/* clang-format on */

const char *tulle__isa_name(tulle__isa isa)
{
	return sets[isa].name;
}

tulle__isa tulle__isa_lower(tulle__isa isa)
{
	return sets[isa].lower;
}

tulle__isa tulle__isa_priced_as(tulle__isa isa)
{
	return sets[isa].prices;
}

int tulle__isa_fused(tulle__isa isa)
{
	return sets[isa].fused;
}

int tulle__kernel_lanes(tulle__isa isa, size_t size)
{
	return sets[isa].bytes > 0 ? sets[isa].bytes / (int)size : 1;
}

int tulle__vector_lanes(tulle__isa isa, size_t size)
{
	return (sets[isa].bytes > 0 ? sets[isa].bytes : TULLE__PLAIN_BYTES) / (int)size;
}

#define PROBE(name, NAME, probe, a, b) \
	case TULLE__##NAME: return probe;

int tulle__isa_available(tulle__isa isa)
{
	switch (isa) {
		TULLE__BUILT_ISAS(PROBE, , )
	default: return 0;
	}
}

/* Does it differ from its lower set only in how it gathers? */
static int is_variant(tulle__isa isa)
{
	return sets[isa].lower != TULLE__NONE && sets[sets[isa].lower].bytes == sets[isa].bytes;
}

tulle__isa tulle__isa_loads(tulle__isa isa)
{
	for (tulle__isa other = 0; other < TULLE__ISAS; other++)
		if (is_variant(other) && sets[other].lower == isa && tulle__isa_available(other))
			return other;
	return isa;
}

tulle__isa tulle__isa_best(void)
{
	tulle__isa isa = TULLE__ISAS - 1;

	while (isa > 0 && (!tulle__isa_available(isa) ||
	                   (is_variant(isa) && tulle__isa_available(sets[isa].lower))))
		isa--;
	return isa;
}

/* "scalar, avx2 or avx512" */
static void list_names(char *out, size_t size)
{
	size_t used = 0;

	for (int isa = 0; isa < TULLE__ISAS && used < size; isa++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
		                         isa == 0                 ? ""
		                         : isa == TULLE__ISAS - 1 ? " or "
		                                                  : ", ",
		                         sets[isa].name);
}

tulle_status tulle__isa_find(const char *name, tulle__isa *out)
{
	char names[256];

	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++) {
		if (strcmp(name, sets[isa].name) != 0)
			continue;
		if (!tulle__isa_available(isa))
			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "instruction set %s: not on this machine or not in this build",
			                   name);
		*out = isa;
		return TULLE_OK;
	}
	list_names(names, sizeof names);
	return tulle__fail(TULLE_E_ARGUMENT, "instruction set \"%s\": not %s",
	                   tulle__show_name(name, strlen(name)).text, names);
}
