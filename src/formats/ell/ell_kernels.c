/* ell_kernels.c -- y = alpha A x + beta b, A in ELLPACK: VLEN neighbouring rows at a time, padding
 * known by its column. */
#include "core/kernel.h"
#include "formats/ell/ell.h"
#include "loops/ell_rows.h"

static void rows(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const ell_data *d = call->data;
	const ell_rows a = { d->lead, d->width, d->col, d->val, NULL, call->x };
	const target to = target_of(call);

	ell_part(&a, &to, d->rows, d->parts, part);
}

TULLE_KERNELS(ell) = { { "rows", { rows } } };
