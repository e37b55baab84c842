/* csc.c -- the format csc: columns instead of rows (README.md draws it).
 *
 *   invariant 1   col_ptr[0] = 0, offsets never decrease, col_ptr[cols] = nnz; rows are inside
 *   invariant 2   the entries of a column are in the order of the rows, and within a row in its order
 *   invariant 3   cuts begin at column 0, never go back, and end at cols
 */
#include "formats/csc/csc.h"
#include "formats/csc/csc_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/csr_matrix.h"

#include <inttypes.h>

TULLE__KERNEL_TABLE(kernels, csc, );

/* The view for kernels, and members for this file only. */
typedef struct {
	csc_data shared;
	tulle__csr t; /* A^T by rows: the columns of A */
	tulle__csr_order order;
	void *val;        /* t.val */
	int64_t *col_ptr; /* t.row_ptr in 64 bits */
	int64_t *cut;
} by_columns;

static void release(void *data, tulle__env *env)
{
	by_columns *c = data;

	if (!c)
		return;
	tulle__csr_release(env, &c->t);
	tulle__free(env, c->order.source);
	tulle__free(env, c->col_ptr);
	tulle__free(env, c->cut);
	tulle__free(env, c);
}

/* Divide the columns into parts with nearly equal numbers of entries. */
static void make_cuts(by_columns *c, int64_t parts)
{
	int64_t j = 0;

	c->cut[0] = 0;
	for (int64_t p = 1; p < parts; p++) {
		const int64_t target = tulle__cut(c->t.nnz, parts, p);

		while (j < c->t.rows && c->col_ptr[j] < target)
			j++;
		c->cut[p] = j;
	}
	c->cut[parts] = c->t.rows;
}

/* Values are always stored, even if all are one: an update may change them. */
static tulle_status build(by_columns *c, const tulle__csr *a, tulle__env *env)
{
	const int64_t parts = tulle__private_parts(a->nnz + a->cols, a->nnz, a->rows);
	tulle__csr pattern = *a;
	tulle_status s;

	pattern.val = NULL;
	s = tulle__csr_transpose(env, &pattern, &c->t, &c->order);
	if (s == TULLE_OK)
		s = tulle__alloc(env, a->nnz, tulle__value_size(a->value_type), &c->val);
	c->t.val = c->val;
	if (s == TULLE_OK)
		s = tulle__alloc(env, a->cols + 1, sizeof *c->col_ptr, &c->col_ptr);
	if (s == TULLE_OK)
		s = tulle__alloc(env, parts + 1, sizeof *c->cut, &c->cut);
	if (s != TULLE_OK)
		return s;
	tulle__csr_values(env, &c->order, a->nnz, a->value_type, a->val, c->val);
	for (int64_t j = 0; j <= a->cols; j++)
		c->col_ptr[j] = tulle__csr_offset(&c->t, j);
	make_cuts(c, parts);
	c->shared = (csc_data){ .rows = a->rows,
		                    .col_ptr = c->col_ptr,
		                    .row = c->t.col,
		                    .val = c->t.val,
		                    .parts = parts,
		                    .cut = c->cut,
		                    .row_parts = tulle__parts(a->rows) };
	return TULLE_OK;
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	by_columns *c;
	tulle_status s;

	(void)request;
	*data = NULL;
	s = tulle__check_32_bits("csc", a, 0);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *c, &c);
	if (s != TULLE_OK)
		return s;
	s = build(c, a, env);
	if (s != TULLE_OK) {
		release(c, env);
		return s;
	}
	*data = c;
	return TULLE_OK;
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	const by_columns *c = data;

	tulle__csr_values(env, &c->order, a->nnz, a->value_type, a->val, c->val);
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const by_columns *c = data;
	const size_t value = tulle__value_size(c->t.value_type), nnz = (size_t)c->t.nnz;
	const size_t pointers = (size_t)(c->t.rows + 1) * sizeof *c->col_ptr;

	*out = (tulle__layout){
		.bytes = pointers + nnz * (sizeof *c->shared.row + value),
		.own_bytes = sizeof *c + pointers + tulle__csr_bytes(&c->t) +
		             nnz * tulle__index_size(c->order.type) +
		             (size_t)(c->shared.parts + 1) * sizeof *c->cut,
		.scratch = tulle__bytes(tulle__times(c->shared.parts, c->shared.rows),
		                        tulle__element_size(c->t.value_type)),
		.parts = { c->shared.parts, c->shared.row_parts },
	};
}

static tulle_status check(const void *data, tulle__env *env)
{
	static const tulle__csr_words words = { "csc: col_ptr", "csc: row", "column" };
	const by_columns *c = data;
	const tulle__csr *t = &c->t;
	tulle_status s = tulle__csr_check_offsets(env, t->rows, TULLE_I64, c->col_ptr, 0, &words);

	if (s == TULLE_OK)
		s = tulle__csr_check_indices(env, t->rows, t->cols, TULLE_I64, c->col_ptr, TULLE_I32,
		                             t->col, 0, &words);
	for (int64_t j = 0; s == TULLE_OK && j < t->rows; j++)
		for (int64_t k = c->col_ptr[j] + 1; k < c->col_ptr[j + 1]; k++)
			if (c->shared.row[k] < c->shared.row[k - 1])
				return tulle__fail(TULLE_E_INTERNAL, "csc: rows of column %" PRId64 " fall", j);
	if (s == TULLE_OK && c->col_ptr[t->rows] != t->nnz)
		s = tulle__fail(TULLE_E_INTERNAL, "csc: the offsets do not span the matrix");
	return s == TULLE_OK ? tulle__check_cuts("csc", c->cut, c->shared.parts, t->rows) : s;
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const by_columns *c = data;

	return tulle__csr_transpose(env, &c->t, out, NULL);
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

const tulle__format tulle__format_csc = {
	.name = "csc",
	.summary = "compressed sparse columns",
	.tunables = "",
	.version = 1,
	.flags = TULLE__SCATTERS,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__csc_gpu,
};
