/* ell_kernels.c -- y = alpha A x + beta b, A in ELLPACK: VLEN neighbouring rows at a time. Padding is
 * detected by its column, or, in ELLPACK-R, by the row length: a vector of rows ends with the longest of
 * them. */
#include "core/kernel.h"
#include "formats/ell/ell.h"
#include "loops/ell_rows.h"

TULLE_INLINE void rows(const tulle__call *call, const int32_t *length, int64_t part)
{
	const ell_data *d = call->data;
	const ell_rows a = { d->lead, d->width, d->col, d->val, length, call->x };
	const target to = target_of(call);

	ell_part(&a, &to, d->rows, d->parts, part);
}

static void by_column(const void *arg, int64_t part)
{
	rows(arg, NULL, part);
}

static void by_length(const void *arg, int64_t part)
{
	const tulle__call *call = arg;

	rows(call, ((const ell_data *)call->data)->length, part);
}

TULLE_KERNELS(ell) = {
	[ELL_BY_COLUMN] = { "rows", { by_column } },
	[ELL_BY_LENGTH] = { "rows", { by_length } },
};
