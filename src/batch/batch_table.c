/* batch_table.c -- the compiled kernels of batches, and the number of lanes that they have. */
#include "batch/batch_store.h"
#include "core/kernel_table.h"

TULLE__KERNEL_TABLE_COMPLEX(kernels, batch, _i32_i32);

const tulle__kernel *tulle__batch_kernels(tulle__isa isa, tulle_value_type type)
{
	return kernels[isa][type];
}

tulle__isa tulle__batch_set(tulle__isa isa, tulle_value_type type)
{
	while (!kernels[isa][type] && tulle__isa_lower(isa) != TULLE__NONE)
		isa = tulle__isa_lower(isa);
	return isa;
}

int tulle__batch_lanes(tulle__isa isa, tulle_value_type type)
{
	const size_t size = tulle__element_size(type);
	const int lanes = tulle__kernel_lanes(tulle__batch_set(isa, type), size);

	/* As in loops/interleaved.h: also c128 on 128 bits is interleaved. */
	return lanes > 1 ? lanes : TULLE__PLAIN_BYTES / (int)size;
}
