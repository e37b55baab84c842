/* ell.c -- the formats ell and ellr: rows padded to the length of the longest, stored by columns
 * (README.md draws it); ellr also stores the row lengths (ellr.md).
 *
 *   invariant 1   entry j of row i is in slot j * lead + i; lead is a multiple of 16, at least rows
 *   invariant 2   padding has column -1 and value 0, and follows the entries of its row
 *   invariant 3   width is the length of the longest row
 *   invariant 4   ellr: length[i] is the number of entries of row i, 0 from rows to lead
 */
#include "formats/ell/ell.h"
#include "formats/ell/ell_gpu.h"
#include "formats/ell/ellr_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/ell_arrays.h"

#include <inttypes.h>

TULLE__KERNEL_TABLE(kernels, ell, );

typedef struct {
	ell_data shared; /* the view of the kernels */
	tulle__ell e;
	int32_t *length; /* ell: NULL */
	int kernel;      /* ELL_BY_COLUMN: ell. ELL_BY_LENGTH: ellr */
} padded;

static const char *const names[] = { [ELL_BY_COLUMN] = "ell", [ELL_BY_LENGTH] = "ellr" };

static void release(void *data, tulle__env *env)
{
	padded *p = data;

	if (!p)
		return;
	tulle__ell_release(env, &p->e);
	tulle__free(env, p->length);
	tulle__free(env, p);
}

static tulle_status set_lengths(padded *p, const tulle__csr *a, tulle__env *env)
{
	const tulle_status s = tulle__alloc_zero(env, p->e.lead, sizeof *p->length, &p->length);

	for (int64_t i = 0; s == TULLE_OK && i < a->rows; i++)
		p->length[i] = TULLE__I32(tulle__csr_length(a, i));
	return s;
}

static tulle_status build(const tulle__csr *a, int kernel, tulle__env *env, void **data)
{
	padded *p;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *p, &p);

	*data = NULL;
	if (s != TULLE_OK)
		return s;
	p->kernel = kernel;
	s = tulle__ell_make(env, names[kernel], a, tulle__ell_longest(env, a), &p->e);
	if (s == TULLE_OK && kernel == ELL_BY_LENGTH)
		s = set_lengths(p, a, env);
	if (s != TULLE_OK) {
		release(p, env);
		return s;
	}
	p->shared = (ell_data){ .rows = p->e.rows,
		                    .lead = p->e.lead,
		                    .width = p->e.width,
		                    .parts = tulle__ell_parts(&p->e),
		                    .col = p->e.col,
		                    .length = p->length,
		                    .val = p->e.val };
	*data = p;
	return TULLE_OK;
}

static tulle_status convert_ell(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                                void **data)
{
	(void)request;
	return build(a, ELL_BY_COLUMN, env, data);
}

static tulle_status convert_ellr(const tulle__csr *a, const tulle__request *request,
                                 tulle__env *env, void **data)
{
	(void)request;
	return build(a, ELL_BY_LENGTH, env, data);
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
	const size_t lengths = p->length ? (size_t)p->e.lead * sizeof *p->length : 0;
	const size_t bytes = tulle__ell_bytes(&p->e) + lengths;

	*out = (tulle__layout){
		.bytes = bytes,
		.own_bytes = sizeof *p + bytes,
		.parts = { p->shared.parts },
	};
	tulle__ell_note(&p->e, out->note, sizeof out->note);
}

static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const ell_data *d = &((const padded *)data)->shared;
	const int64_t tiles = (d->rows + TULLE__LANES - 1) / TULLE__LANES;
	const int64_t last = TULLE__LANES * tulle__cut(tiles, d->parts, part + 1);

	*begin = TULLE__LANES * tulle__cut(tiles, d->parts, part);
	*end = last < d->rows ? last : d->rows;
}

static tulle_status check(const void *data, tulle__env *env)
{
	const padded *p = data;
	int64_t longest = 0;

	(void)env;
	for (int64_t i = 0; i < p->e.lead; i++) {
		const int64_t length = i < p->e.rows ? tulle__ell_length(&p->e, i) : 0;

		if (p->length && p->length[i] != length)
			return tulle__fail(TULLE_E_INTERNAL, "ellr: length[%" PRId64 "] = %d, not %" PRId64, i,
			                   p->length[i], length);
		longest = length > longest ? length : longest;
	}
	if (longest != p->e.width)
		return tulle__fail(TULLE_E_INTERNAL, "%s: the width is not that of the longest row",
		                   names[p->kernel]);
	return tulle__ell_check(names[p->kernel], &p->e);
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const padded *p = data;

	return tulle__ell_to_csr(env, &p->e, out);
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	const padded *p = data;

	return kernels[isa][type] ? &kernels[isa][type][p->kernel] : NULL;
}

const tulle__format tulle__format_ell = {
	.name = "ell",
	.summary = "rows padded to equal length, column by column (ELLPACK)",
	.tunables = "",
	.version = 1,
	.flags = TULLE__ORDERED,
	.convert = convert_ell,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__ell_gpu,
};

const tulle__format tulle__format_ellr = {
	.name = "ellr",
	.summary = "ELLPACK with row lengths (ELLPACK-R paper)",
	.tunables = "",
	.version = 1,
	.flags = TULLE__ORDERED,
	.convert = convert_ellr,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__ellr_gpu,
};
