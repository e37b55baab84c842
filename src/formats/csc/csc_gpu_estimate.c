/* csc_gpu_estimate.c -- estimated work of csc on a GPU. */
#include "formats/csc/csc_gpu.h"

#include <math.h>

static const tulle__gpu_use use = { "csc_columns", { 32, 32 }, { 0, 0 } };

/* The lengths of columns are unknown and assumed to be equal. */
tulle_status tulle__csc_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { SETUP = 40, TURN = 25 };
	const double cols = (double)s->a->cols, width = s->device->width;
	const double turns = cols * ceil(s->nnz / fmax(1, cols * width));
	tulle__gpu_estimate *const e = tulle__gpu_add(out, &use);

	e->held = e->array_bytes = s->nnz * (s->value + sizeof(int32_t)) + (cols + 1) * s->index;
	e->requested = e->array_bytes + TULLE__GPU_SECTOR * (2 * turns + 2 * cols);
	e->x_requested = TULLE__GPU_SECTOR * cols;
	e->y_requested = TULLE__GPU_SECTOR * 2 * s->nnz; /* an atomic reads and writes */
	e->warps = cols;
	e->instructions = cols * SETUP + turns * TURN;
	e->arithmetic = 2 * turns;
	e->waits = 2 * cols + tulle__gpu_waits(turns, cols);
	e->chain = 2 + (double)s->longest; /* atomics on one y are serialized */
	e->launches = 2;                   /* y = beta y comes first */
	e->atomics = 1;
	return TULLE_OK;
}
