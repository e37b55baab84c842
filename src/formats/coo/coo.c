/* coo.c -- the format coo: every entry with its row and column, sorted by rows (README.md draws it).
 *
 *   invariant 1   rows never decrease; rows and columns are inside the matrix
 *   invariant 2   cuts begin at (0, 0), never go back, and end at (rows, nnz)
 *   invariant 3   cut (row, k) lies in row `row`, or at rows without entries before that of entry k
 *   invariant 4   the split rows are those with entries on both sides of a cut, each listed once
 */
#include "formats/coo/coo.h"
#include "formats/coo/coo_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "csr/coo_arrays.h"

TULLE__KERNEL_TABLE(kernels, coo, );

/* The view for kernels, and members for this file only. */
typedef struct {
	coo_data shared;
	tulle__coo c;
	tulle__coo_parts p;
} triplets;

static void release(void *data, tulle__env *env)
{
	triplets *t = data;

	if (!t)
		return;
	tulle__coo_parts_release(env, &t->p);
	tulle__coo_release(env, &t->c);
	tulle__free(env, t);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	triplets *t;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *t, &t);

	(void)request;
	*data = NULL;
	if (s != TULLE_OK)
		return s;
	s = tulle__coo_make(env, "coo", a, 0, &t->c);
	if (s == TULLE_OK)
		s = tulle__coo_cut(env, &t->c, 1, &t->p);
	if (s != TULLE_OK) {
		release(t, env);
		return s;
	}
	t->shared = (coo_data){ t->c.row, t->c.col, t->c.val, t->p.cut, t->p.splits, t->p.split };
	*data = t;
	return TULLE_OK;
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	const triplets *t = data;

	tulle__coo_values(env, &t->c, a);
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const triplets *t = data;
	const size_t bytes = tulle__coo_bytes(&t->c);

	*out = (tulle__layout){
		.bytes = bytes,
		.own_bytes = sizeof *t + bytes + tulle__coo_parts_bytes(&t->p),
		.parts = { t->p.parts, t->p.splits > 0 },
	};
	if (t->p.splits > 0)
		out->scratch = 2 * (size_t)t->p.parts * tulle__element_size(t->c.value_type);
}

static tulle_status check(const void *data, tulle__env *env)
{
	const triplets *t = data;
	const tulle_status s = tulle__coo_check("coo", &t->c);

	(void)env;
	return s == TULLE_OK ? tulle__coo_check_cuts("coo", &t->c, &t->p) : s;
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const triplets *t = data;
	const tulle__coo *c = &t->c;
	int64_t *row_ptr;
	int32_t *col;
	void *val;
	const tulle_status s =
	    tulle__csr_new(env, c->rows, c->cols, c->nnz, c->value_type, out, &row_ptr, &col, &val);

	if (s != TULLE_OK)
		return s;
	for (int64_t i = 0, k = 0; i <= c->rows; i++) {
		while (k < c->nnz && c->row[k] < i)
			k++;
		row_ptr[i] = k;
	}
	tulle__coo_rows(c, row_ptr, col, val);
	return TULLE_OK;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

const tulle__format tulle__format_coo = {
	.name = "coo",
	.summary = "row, column and value per nonzero",
	.tunables = "",
	.version = 1,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__coo_gpu,
};
