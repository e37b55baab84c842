/* ellr.c -- the format ellr: rows side by side with their lengths (README.md draws it).
 *
 *   invariant 1   entry j of row i is in slot j * lead + i; lead is a multiple of 16, at least rows
 *   invariant 2   padding has column -1 and value 0, and stands after the entries of its row
 *   invariant 3   length[i] is the number of entries of row i, 0 from rows to lead; width the largest
 */
#include "formats/ellr/ellr.h"
#include "formats/ellr/ellr_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/status.h"
#include "csr/ell_arrays.h"

#include <inttypes.h>

TULLE__KERNEL_TABLE(kernels, ellr, );

/* The kernels' view, and what only this file needs. */
typedef struct {
	ellr_data shared;
	tulle__ell e;
	int32_t *length;
} padded;

static void release(void *data, tulle__env *env)
{
	padded *p = data;

	if (!p)
		return;
	tulle__ell_release(env, &p->e);
	tulle__free(env, p->length);
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
	s = tulle__ell_make(env, "ellr", a, tulle__ell_longest(env, a), &p->e);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, p->e.lead, sizeof *p->length, &p->length);
	if (s != TULLE_OK) {
		release(p, env);
		return s;
	}
	for (int64_t i = 0; i < a->rows; i++)
		p->length[i] = TULLE__I32(tulle__csr_length(a, i));
	p->shared = (ellr_data){ .rows = p->e.rows,
		                     .lead = p->e.lead,
		                     .width = p->e.width,
		                     .parts = tulle__ell_parts(&p->e),
		                     .col = p->e.col,
		                     .length = p->length,
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
	const size_t bytes = tulle__ell_bytes(&p->e) + (size_t)p->e.lead * sizeof *p->length;

	*out = (tulle__layout){
		.bytes = bytes,
		.own_bytes = sizeof *p + bytes,
		.parts = { p->shared.parts },
	};
	tulle__ell_note(&p->e, out->note, sizeof out->note);
}

static tulle_status check(const void *data, tulle__env *env)
{
	const padded *p = data;
	int32_t longest = 0;

	(void)env;
	for (int64_t i = 0; i < p->e.lead; i++) {
		const int64_t length = i < p->e.rows ? tulle__ell_length(&p->e, i) : 0;

		if (p->length[i] != length)
			return tulle__fail(TULLE_E_INTERNAL, "ellr: length[%" PRId64 "] = %d, not %" PRId64, i,
			                   p->length[i], length);
		longest = p->length[i] > longest ? p->length[i] : longest;
	}
	if (longest != p->e.width)
		return tulle__fail(TULLE_E_INTERNAL, "ellr: the width is not that of the longest row");
	return tulle__ell_check("ellr", &p->e);
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

const tulle__format tulle__format_ellr = {
	.name = "ellr",
	.summary = "ELLPACK with row lengths (ELLPACK-R paper)",
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
	.gpu = &tulle__ellr_gpu,
};
