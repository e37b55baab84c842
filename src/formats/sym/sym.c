/* sym.c -- the format sym: the lower half of a symmetric, skew or Hermitian matrix, in blocks where they are
 * full (README.md draws it).
 *
 *   invariant 1   parts begin at row 0, in multiples of 12 rows, never go back, and end at the last row;
 *                 halos are contiguous, and each holds all columns before the rows of its part
 *   invariant 2   ends never decrease inside a part, and the last one is the part's number of entries
 *   invariant 3   columns of a row ascend, and the last is at most the diagonal
 */
#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "formats/sym/sym_convert.h"

#include <inttypes.h>
#include <stdio.h>

TULLE__KERNEL_TABLE_COMPLEX(kernels, sym, );
TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(many_kernels, sym_many, );

enum { PARAM_BLOCK };

/* The words of block=, and the kernel of each. */
static const int block_sizes[] = { 0, 1, 2, 3, 4, 6 };

/* The view for kernels, and members for this file only. */
typedef struct {
	sym_data shared;
	tulle_value_type value_type;
	int64_t nnz; /* of the whole matrix */
	tulle_op op; /* not NORMAL: A^T or A^H must be A */
} triangle;

/* ---- build ---- */

static void release(void *data, tulle__env *env)
{
	triangle *t = data;

	if (!t)
		return;
	for (int n = 0; n < 2; n++) {
		const sym_rows *r = n ? &t->shared.entries : &t->shared.blocks;

		tulle__free(env, r->end);
		tulle__free(env, r->col);
		tulle__free(env, r->val);
	}
	tulle__free(env, t);
}

/* Are the halves of A mirror images, as the plan requires? `d` then gets the signs of mirror images. */
static tulle_status compare(const triangle *t, const sym_half *h, tulle__env *env, sym_data *d)
{
	const unsigned conjugates = TULLE__CONJUGATE | TULLE__CONJUGATE_ZERO;
	const int adjoint = t->op == TULLE_CONJUGATE || t->op == TULLE_BOTH_CONJUGATE;
	unsigned relations;
	const tulle_status s = tulle__sym_compare(env, h, &t->shared, &relations);

	if (s != TULLE_OK)
		return s;
	if (adjoint && !((relations & conjugates) && tulle__sym_real_diagonal(h)))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "sym: the matrix is not Hermitian, so A^H is not A");
	if (t->op != TULLE_NORMAL && !adjoint && !(relations & TULLE__EQUAL))
		return tulle__fail(TULLE_E_UNSUPPORTED, "sym: the matrix is %s, so A^T is not A",
		                   relations & TULLE__OPPOSITE ? "skew" : "Hermitian");
	if (adjoint)
		relations &= conjugates;
	d->minus_re = !(relations & TULLE__EQUAL) && (relations & TULLE__OPPOSITE);
	d->minus_im = !(relations & TULLE__EQUAL);
	d->keeps_zero = d->minus_im && !d->minus_re && !(relations & TULLE__CONJUGATE);
	return TULLE_OK;
}

static tulle_status build(triangle *t, const sym_half *h, int block, tulle__env *env)
{
	sym_data *d = &t->shared;
	tulle_status s, far;

	d->rows = h->a.rows;
	d->row_parts = tulle__parts(h->a.rows);
	t->value_type = h->a.value_type;
	t->nnz = h->a.nnz;
	far = tulle__sym_cut(h, d);
	/* Also if entries are too far from the diagonal: a missing symmetry is the more useful reason. */
	s = compare(t, h, env, d);
	if (s != TULLE_OK || far != TULLE_OK)
		return s != TULLE_OK ? s : far;
	d->b = block ? block : tulle__sym_best_block(h);
	return tulle__sym_lay_out(env, h, d);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	triangle *t = NULL;
	sym_half h;
	tulle_status s = tulle__sym_open(env, a, &h);

	*data = NULL;
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *t, &t);
	if (s == TULLE_OK) {
		t->op = request->op;
		s = build(t, &h, block_sizes[request->params.value[PARAM_BLOCK]], env);
	}
	tulle__sym_close(env, &h);
	if (s != TULLE_OK) {
		release(t, env);
		return s;
	}
	*data = t;
	return TULLE_OK;
}

/* Nothing is written before the symmetry of the new values is verified. */
static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	triangle *t = data;
	sym_half h;
	tulle_status s = tulle__sym_open(env, a, &h);

	if (s == TULLE_OK)
		s = compare(t, &h, env, &t->shared);
	if (s == TULLE_OK)
		tulle__sym_fill(env, &h, &t->shared);
	tulle__sym_close(env, &h);
	return s;
}

/* ---- describe ---- */

static size_t column_size(const sym_rows *r)
{
	return r->near ? sizeof(uint16_t) : sizeof(int32_t);
}

static const char *kind_of(const sym_data *d)
{
	return d->minus_re ? "skew" : d->minus_im ? "Hermitian" : "symmetric";
}

static void describe(const void *data, tulle__layout *out)
{
	const triangle *t = data;
	const sym_data *d = &t->shared;
	const sym_part *last = &d->part[d->parts];
	const size_t value = tulle__value_size(t->value_type);
	const size_t block = (size_t)(d->b * d->b) * value + column_size(&d->blocks);
	const size_t blocks = d->b > 1 ? (size_t)(d->rows / d->b) * sizeof *d->blocks.end : 0;
	const size_t entries = (size_t)d->rows * sizeof *d->entries.end;
	const int64_t in_blocks = last->block * d->b * d->b;

	*out = (tulle__layout){
		.bytes = blocks + (size_t)last->block * block + (last->entry > 0 ? entries : 0) +
		         (size_t)last->entry * (value + column_size(&d->entries)),
		.scratch = tulle__bytes(tulle__sym_sums(d), tulle__element_size(t->value_type)),
		.parts = { d->parts, d->row_parts },
		.finishing_phase = 1,
	};
	out->own_bytes = sizeof *t + out->bytes + (last->entry > 0 ? 0 : entries);
	if (d->b > 1)
		snprintf(out->note, sizeof out->note, "%s, %d x %d blocks hold %.0f %% of the entries",
		         kind_of(d), d->b, d->b,
		         100.0 * (double)in_blocks / (double)(in_blocks + last->entry + (t->nnz == 0)));
	else
		snprintf(out->note, sizeof out->note, "%s, no blocks", kind_of(d));
}

static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const sym_data *d = &((const triangle *)data)->shared;

	*begin = tulle__cut(d->rows, d->row_parts, part);
	*end = tulle__cut(d->rows, d->row_parts, part + 1);
}

/* ---- prove ---- */

/* Check every row of `r` in one part: `height` rows each, `count` in total. */
static tulle_status check_rows(const sym_data *d, const sym_part *p, const sym_rows *r, int height,
                               int64_t base, int64_t count)
{
	const int64_t end = p[1].row / height;
	int64_t k = 0;

	for (int64_t i = p->row / height; i < end; i++) {
		const int64_t origin = sym_origin(i, r->near), stop = r->end[i];
		int64_t before = p->first / height - 1;

		if (stop < k || stop > count)
			return tulle__fail(TULLE_E_INTERNAL, "sym: row %" PRId64 " ends at %" PRId64, i, stop);
		for (; k < stop; k++) {
			const int64_t j = sym_column(r, base + k, origin, r->near);

			if (j <= before || j > i)
				return tulle__fail(TULLE_E_INTERNAL,
				                   "sym: row %" PRId64 " of %" PRId64 " has column %" PRId64, i,
				                   d->rows, j);
			before = j;
		}
	}
	return k == count ? TULLE_OK : tulle__fail(TULLE_E_INTERNAL, "sym: rows do not fill a part");
}

static tulle_status check(const void *data, tulle__env *env)
{
	const sym_data *d = &((const triangle *)data)->shared;
	const sym_part *p = d->part, *last = p + d->parts;
	tulle_status s = TULLE_OK;

	(void)env;
	if (d->parts > SYM_MAX_PARTS || last->row != d->rows ||
	    (d->parts > 0 && (p->row != 0 || p->halo != 0 || p->block != 0 || p->entry != 0)))
		return tulle__fail(TULLE_E_INTERNAL, "sym: the parts do not span the matrix");
	for (; s == TULLE_OK && p < last; p++) {
		if (p->row % SYM_GROUP != 0 || p[1].row < p->row || p->first > p->row || p->first < 0 ||
		    p[1].halo != p->halo + p->row - p->first)
			return tulle__fail(TULLE_E_INTERNAL, "sym: the part at row %" PRId64 " is malformed",
			                   p->row);
		if (d->b > 1)
			s = check_rows(d, p, &d->blocks, d->b, p->block, p[1].block - p->block);
		if (s == TULLE_OK)
			s = check_rows(d, p, &d->entries, 1, p->entry, p[1].entry - p->entry);
	}
	return s;
}

/* The lower half as triplets, row by row. */
typedef struct {
	const triangle *t;
	int64_t count;
	int32_t *row, *col;
	void *val;
} listing;

static void list_one(listing *l, int64_t i, int64_t j, const sym_rows *r, int64_t k)
{
	if (j > i) /* the other half of a block on the diagonal */
		return;
	l->row[l->count] = TULLE__I32(i);
	l->col[l->count] = TULLE__I32(j);
	tulle__value_move(l->val, l->count, r->val, k, tulle__value_size(l->t->value_type));
	l->count++;
}

static void list_part(listing *l, const sym_part *p)
{
	const sym_data *d = &l->t->shared;
	const int b = d->b;
	int64_t k = p->block, e = p->entry;

	for (int64_t i = p->row / b; b > 1 && i < p[1].row / b; i++)
		for (; k < p->block + d->blocks.end[i]; k++) {
			const int64_t j =
			    sym_column(&d->blocks, k, sym_origin(i, d->blocks.near), d->blocks.near);

			for (int64_t v = 0; v < b * b; v++)
				list_one(l, b * i + v / b, b * j + v % b, &d->blocks, k * b * b + v);
		}
	for (int64_t i = p->row; i < p[1].row; i++)
		for (; e < p->entry + d->entries.end[i]; e++)
			list_one(l, i,
			         sym_column(&d->entries, e, sym_origin(i, d->entries.near), d->entries.near),
			         &d->entries, e);
}

/* Mirror images whose imaginary part is a zero get the sign of that zero back. */
static void keep_zeros(const tulle__csr *a, void *val)
{
	const tulle__type *type = tulle__type_of(a->value_type);

	for (int64_t i = 0; i < a->rows; i++)
		for (int64_t k = tulle__csr_offset(a, i); k < tulle__csr_offset(a, i + 1); k++) {
			const char *im = (const char *)val + (size_t)k * type->size + type->part_size;

			if (tulle__csr_column(a, k) > i &&
			    (tulle__bits(im, type->part_size) & ~tulle__sign_bit(type)) == 0)
				tulle__value_conjugate(type, val, k);
		}
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const triangle *t = data;
	const sym_data *d = &t->shared;
	const size_t value = tulle__value_size(t->value_type);
	listing l = { .t = t };
	tulle__csr_order order = { .source = NULL };
	void *val = NULL;
	tulle_status s = tulle__alloc(env, t->nnz, sizeof *l.row, &l.row);

	if (s == TULLE_OK)
		s = tulle__alloc(env, t->nnz, sizeof *l.col, &l.col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, t->nnz, value, &l.val);
	if (s == TULLE_OK)
		s = tulle__alloc(env, t->nnz, value, &val);
	if (s == TULLE_OK) {
		for (int64_t p = 0; p < d->parts; p++)
			list_part(&l, &d->part[p]);
		s = tulle__csr_build(env,
		                     &(tulle__triplets){ .rows = d->rows,
		                                         .cols = d->rows,
		                                         .nnz = l.count,
		                                         .row_type = TULLE_I32,
		                                         .col_type = TULLE_I32,
		                                         .row = l.row,
		                                         .col = l.col,
		                                         .kind = d->minus_re   ? TULLE_SKEW
		                                                 : d->minus_im ? TULLE_HERMITIAN
		                                                               : TULLE_SYMMETRIC },
		                     out, &order);
	}
	if (s == TULLE_OK) {
		tulle__csr_values(env, &order, out->nnz, t->value_type, l.val, val);
		out->value_type = t->value_type;
		out->val = val;
		if (d->keeps_zero)
			keep_zeros(out, val);
		val = NULL;
	}
	tulle__free(env, order.source);
	tulle__free(env, val);
	tulle__free(env, l.val);
	tulle__free(env, l.col);
	tulle__free(env, l.row);
	return s;
}

/* The index of the kernel for this block size. */
static int variant(const void *data)
{
	const sym_data *d = &((const triangle *)data)->shared;
	int n = 0;

	while (block_sizes[n + 1] != d->b)
		n++;
	return n;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	return kernels[isa][type] ? kernels[isa][type] + variant(data) : NULL;
}

static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	return many_kernels[isa][type] ? many_kernels[isa][type] + variant(data) : NULL;
}

const tulle__format tulle__format_sym = {
	.name = "sym",
	.summary = "lower triangle of a symmetric, skew-symmetric or Hermitian matrix, in blocks",
	.tunables = "block=auto,1,2,3,4,6",
	.version = 1,
	.flags = TULLE__SCATTERS | TULLE__RESTRICTED | TULLE__MIRRORS | TULLE__HAS_COMPLEX,
	.estimator = &tulle__sym_estimator,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
};
