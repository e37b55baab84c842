/* coo_kernels.c -- y = alpha A x + beta b, A as entries sorted by rows: segmented sums.
 *
 * scratch: two sums per part, head and tail, for rows that are cut. */
#include "core/kernel.h"
#include "formats/coo/coo.h"
#include "loops/carries.h"
#include "loops/coo_rows.h"

static void segments(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const coo_data *d = call->data;
	const coo_rows a = { d->row, d->col, d->val, call->x, d->cut, call->scratch, 1 };
	const target to = target_of(call);

	coo_part(&a, &to, part);
}

static void add_carries(const void *arg, int64_t part)
{
	const tulle__call *call = arg;
	const coo_data *d = call->data;
	const target to = target_of(call);

	(void)part;
	add_split_rows(&to, call->scratch, d->split, d->splits);
}

TULLE_KERNELS(coo) = { { "segments", { segments, add_carries } } };
