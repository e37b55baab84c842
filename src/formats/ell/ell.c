/* ell.c -- the format ell: rows side by side, all as long as the longest (README.md draws it).
 *
 *   invariant 1   entry j of row i is in slot j * lead + i; lead is a multiple of 16, at least rows
 *   invariant 2   padding has column -1 and value 0, and stands after the entries of its row
 *   invariant 3   width is the length of the longest row
 */
#include "formats/ell/ell.h"
#include "formats/ell/ell_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/status.h"
#include "csr/ell_arrays.h"

TULLE__KERNEL_TABLE(kernels, ell, );

/* The kernels' view, and what only this file needs. */
typedef struct {
	ell_data shared;
	tulle__ell e;
} padded;

static void release(void *data, tulle__env *env)
{
	padded *p = data;

	if (!p)
		return;
	tulle__ell_release(env, &p->e);
	tulle__free(env, p);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	padded *p;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *p, &p);

	(void)request;
	*data = NULL;
	if (s != TULLE_OK)
		return s;
	s = tulle__ell_make(env, "ell", a, tulle__ell_longest(env, a), &p->e);
	if (s != TULLE_OK) {
		release(p, env);
		return s;
	}
	p->shared = (ell_data){ .rows = p->e.rows,
		                    .lead = p->e.lead,
		                    .width = p->e.width,
		                    .parts = tulle__ell_parts(&p->e),
		                    .col = p->e.col,
		                    .val = p->e.val };
	*data = p;
	return TULLE_OK;
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	const padded *p = data;

	tulle__ell_values(env, &p->e, a);
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const padded *p = data;

	*out = (tulle__layout){
		.bytes = tulle__ell_bytes(&p->e),
		.own_bytes = sizeof *p + tulle__ell_bytes(&p->e),
		.parts = { p->shared.parts },
	};
	tulle__ell_note(&p->e, out->note, sizeof out->note);
}

static tulle_status check(const void *data, tulle__env *env)
{
	const padded *p = data;
	int64_t longest = 0;

	(void)env;
	for (int64_t i = 0; i < p->e.rows; i++)
		if (tulle__ell_length(&p->e, i) > longest)
			longest = tulle__ell_length(&p->e, i);
	if (longest != p->e.width)
		return tulle__fail(TULLE_E_INTERNAL, "ell: the width is not that of the longest row");
	return tulle__ell_check("ell", &p->e);
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const padded *p = data;

	return tulle__ell_to_csr(env, &p->e, out);
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

const tulle__format tulle__format_ell = {
	.name = "ell",
	.summary = "rows padded to equal length, column by column (ELLPACK)",
	.tunables = "",
	.version = 1,
	.flags = TULLE__ORDERED,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__ell_gpu,
};
