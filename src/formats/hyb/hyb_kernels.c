/* hyb_kernels.c -- y = alpha A x + beta b, A in two layouts: ELLPACK for the first entries of each
 * row, COO for the rest.
 *
 * The first phase writes all of y, the others add to it. scratch: two sums per part of the second
 * phase, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/hyb/hyb.h"
#include "loops/carries.h"
#include "loops/coo_rows.h"
#include "loops/ell_rows.h"

static void short_rows(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const hyb_data *d = call->data;
	const ell_rows a = { d->lead, d->width, d->ell_col, d->ell_val, NULL, call->x };
	const target to = target_of(call);

	ell_part(&a, &to, d->rows, d->ell_parts, part);
}

/* y += alpha * sum */
TULLE_INLINE target adding_to(const tulle__call *call)
{
	return (target){ call->y, call->y, factor(call->alpha), 1 };
}

static void beyond(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const hyb_data *d = call->data;
	const coo_rows a = { d->row, d->col, d->val, call->x, d->cut, call->scratch, 0 };
	const target to = adding_to(call);

	coo_part(&a, &to, part);
}

static void add_carries(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const hyb_data *d = call->data;
	const target to = adding_to(call);

	(void)part;
	add_split_rows(&to, call->scratch, d->split, d->splits);
}

TULLE_KERNELS(hyb) = { { "ell + coo", { short_rows, beyond, add_carries } } };
