/* hyb.c -- the format hyb: ELLPACK as far as most rows reach, COO beyond (README.md draws it).
 *
 *   invariant 1   the first `width` entries of each row are in ELLPACK, as in the format ell
 *   invariant 2   the others are in COO, as in the format coo, in rows that fill their width
 *   invariant 3   the cuts of the COO entries lie at equal numbers of them, but for short rows
 */
#include "formats/hyb/hyb.h"
#include "formats/hyb/hyb_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/status.h"
#include "csr/coo_arrays.h"
#include "csr/ell_arrays.h"
#include "formats/hyb/hyb_convert.h"

#include <inttypes.h>
#include <stdio.h>

TULLE__KERNEL_TABLE(kernels, hyb, );

enum { PARAM_SHARE };
enum { WHOLE_SHARE = 12 }; /* the share of the rows is given in twelfths: 8 is exactly 2/3 */

/* The view for kernels, and members for this file only. */
typedef struct {
	hyb_data shared;
	tulle__ell e;
	tulle__coo c;
	tulle__coo_parts p;
} hybrid;

/* ---- width ---- */

/* Lengths from MANY on are counted together; if the result is among them, it is found by
 * bisection. */
int64_t tulle__hyb_width(tulle__env *env, const tulle__csr *a, int64_t share)
{
	enum { MANY = 1024 };
	int64_t rows_of[MANY] = { 0 };
	const int64_t wanted = (a->rows * share + WHOLE_SHARE - 1) / WHOLE_SHARE;
	int64_t rows = 0, low = MANY, high;

	if (wanted == 0)
		return 0;
	for (int64_t i = 0; i < a->rows; i++)
		if (tulle__csr_length(a, i) < MANY)
			rows_of[tulle__csr_length(a, i)]++;
	for (int64_t n = 0; n < MANY; n++) {
		rows += rows_of[n];
		if (rows >= wanted)
			return n;
	}
	high = tulle__ell_longest(env, a);
	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		rows = 0;
		for (int64_t i = 0; i < a->rows; i++)
			rows += tulle__csr_length(a, i) <= middle;
		if (rows >= wanted)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- build ---- */

static void release(void *data, tulle__env *env)
{
	hybrid *h = data;

	if (!h)
		return;
	tulle__coo_parts_release(env, &h->p);
	tulle__coo_release(env, &h->c);
	tulle__ell_release(env, &h->e);
	tulle__free(env, h);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	const int64_t width = tulle__hyb_width(env, a, request->params.value[PARAM_SHARE]);
	hybrid *h;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *h, &h);

	*data = NULL;
	if (s != TULLE_OK)
		return s;
	s = tulle__ell_make(env, "hyb", a, width, &h->e);
	if (s == TULLE_OK)
		s = tulle__coo_make(env, "hyb", a, width, &h->c);
	if (s == TULLE_OK)
		s = tulle__coo_cut(env, &h->c, 0, &h->p);
	if (s != TULLE_OK) {
		release(h, env);
		return s;
	}
	h->shared = (hyb_data){ .rows = h->e.rows,
		                    .lead = h->e.lead,
		                    .width = h->e.width,
		                    .ell_parts = tulle__ell_parts(&h->e),
		                    .ell_col = h->e.col,
		                    .ell_val = h->e.val,
		                    .row = h->c.row,
		                    .col = h->c.col,
		                    .val = h->c.val,
		                    .cut = h->p.cut,
		                    .splits = h->p.splits,
		                    .split = h->p.split };
	*data = h;
	return TULLE_OK;
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	const hybrid *h = data;

	tulle__ell_values(env, &h->e, a);
	tulle__coo_values(env, &h->c, a);
	return TULLE_OK;
}

/* "%ELL(HYB)" of the ELLPACK-R paper, Table I. */
static double percent_in_ell(const hybrid *h)
{
	const int64_t nnz = h->e.nnz + h->c.nnz;

	return nnz > 0 ? 100 * (double)h->e.nnz / (double)nnz : 100;
}

static void describe(const void *data, tulle__layout *out)
{
	const hybrid *h = data;
	const size_t bytes = tulle__ell_bytes(&h->e) + tulle__coo_bytes(&h->c);
	char padding[32];

	*out = (tulle__layout){
		.bytes = bytes,
		.own_bytes = sizeof *h + bytes + tulle__coo_parts_bytes(&h->p),
		.parts = { h->shared.ell_parts, h->p.parts, h->p.splits > 0 },
		.main_phase = tulle__coo_bytes(&h->c) > tulle__ell_bytes(&h->e),
	};
	if (h->p.splits > 0)
		out->scratch = 2 * (size_t)h->p.parts * tulle__element_size(h->c.value_type);
	tulle__ell_note(&h->e, padding, sizeof padding);
	snprintf(out->note, sizeof out->note, "%.1f %% of the nonzeros in ELL, width %" PRId64 ", %s",
	         percent_in_ell(h), h->e.width, padding);
}

/* ---- prove ---- */

static tulle_status check(const void *data, tulle__env *env)
{
	const hybrid *h = data;
	tulle_status s = tulle__ell_check("hyb", &h->e);

	(void)env;
	if (s == TULLE_OK)
		s = tulle__coo_check("hyb", &h->c);
	if (s == TULLE_OK)
		s = tulle__coo_check_cuts("hyb", &h->c, &h->p);
	for (int64_t k = 0; s == TULLE_OK && k < h->c.nnz; k++)
		if (tulle__ell_length(&h->e, h->c.row[k]) != h->e.width)
			s = tulle__fail(TULLE_E_INTERNAL, "hyb: row %d has entries beyond a width not filled",
			                h->c.row[k]);
	return s;
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const hybrid *h = data;
	int64_t *row_ptr, k = 0;
	int32_t *col;
	void *val;
	const tulle_status s = tulle__csr_new(env, h->e.rows, h->e.cols, h->e.nnz + h->c.nnz,
	                                      h->e.value_type, out, &row_ptr, &col, &val);

	if (s != TULLE_OK)
		return s;
	row_ptr[0] = 0;
	for (int64_t i = 0; i < h->e.rows; i++) {
		const int64_t first = k;

		while (k < h->c.nnz && h->c.row[k] == i)
			k++;
		row_ptr[i + 1] = row_ptr[i] + tulle__ell_length(&h->e, i) + (k - first);
	}
	tulle__ell_rows(env, &h->e, row_ptr, col, val);
	tulle__coo_rows(&h->c, row_ptr, col, val);
	return TULLE_OK;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

const tulle__format tulle__format_hyb = {
	.name = "hyb",
	.summary = "ELLPACK for the regular part of the rows, COO for the rest",
	.tunables = "share=0..12:8",
	.version = 1,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__hyb_gpu,
};
