/* ellr_kernels.c -- y = alpha A x + beta b, A in ELLPACK-R: VLEN neighbouring rows at a time, as far
 * as the longest of them reaches. */
#include "core/kernel.h"
#include "formats/ellr/ellr.h"
#include "loops/ell_rows.h"

static void rows(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const ellr_data *d = call->data;
	const ell_rows a = { d->lead, d->width, d->col, d->val, d->length, call->x };
	const target to = target_of(call);

	ell_part(&a, &to, d->rows, d->parts, part);
}

TULLE_KERNELS(ellr) = { { "rows", { rows } } };
