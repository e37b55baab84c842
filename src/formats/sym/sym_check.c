/* sym_check.c -- verifies the invariants of a layout of sym, and converts it back to CSR.
 *
 *   invariant 1   parts begin at row 0, in multiples of 12 rows, never go back, and end at the last row;
 *                 halos are contiguous, and each holds all columns before the rows of its part
 *   invariant 2   ends never decrease inside a part, and the last one is the part's number of entries
 *   invariant 3   columns of a row ascend, and the last is at most the diagonal
 *   invariant 4   strips lie in their spans, the farthest from the diagonal first, then by rows, and do not overlap; the
 *                 mirror images of a strip are all before the rows of the part, or all among them
 */
#include "core/memory.h"
#include "core/status.h"
#include "formats/sym/sym_convert.h"

#include <inttypes.h>

/* ---- check ---- */

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

/* Are rows i .. i+rows-1 of a span, `back` columns before the diagonal, a strip after `before`? */
static int strip_is_sound(const sym_part *p, const sym_strip *t, const sym_strip *before, int64_t i,
                          int64_t end)
{
	const int64_t mirrored = i - (int64_t)t->back;

	return t->rows > 0 && i + t->rows <= end && mirrored >= p->first &&
	       (mirrored >= p->row || mirrored + t->rows <= p->row) &&
	       (!before || before->back > t->back ||
	        (before->back == t->back && before->row + before->rows <= t->row));
}

/* Check the entries of a span that are in no strip, from `first` on. */
static tulle_status check_span_entries(const sym_data *d, const sym_part *p, const sym_span *span,
                                       int64_t first, int64_t end)
{
	int64_t row = first, before = -1;

	for (int64_t e = span->entry; e < span[1].entry; e++) {
		const int64_t i = first + d->strips.row[e];
		const int64_t j =
		    sym_column(&d->entries, e, sym_origin(i, d->entries.near), d->entries.near);

		if (i >= end || j < p->first || j > i || i < row || (i == row && j <= before))
			return tulle__fail(TULLE_E_INTERNAL,
			                   "sym: row %" PRId64 " of %" PRId64 " has column %" PRId64, i,
			                   d->rows, j);
		row = i;
		before = j;
	}
	return TULLE_OK;
}

/* Check the strips of a span, and that its values are as many as those of its strips. */
static tulle_status check_span_strips(const sym_data *d, const sym_part *p, const sym_span *span,
                                      int64_t first, int64_t end)
{
	const sym_strip *before = NULL;
	int64_t value = span->value;

	for (int64_t n = span->strip; n < span[1].strip; n++) {
		const sym_strip *t = &d->strips.strip[n];

		if (!strip_is_sound(p, t, before, first + t->row, end))
			return tulle__fail(TULLE_E_INTERNAL, "sym: strip %" PRId64 " is malformed", n);
		before = t;
		value += t->rows;
	}
	return value == span[1].value
	           ? TULLE_OK
	           : tulle__fail(TULLE_E_INTERNAL,
	                         "sym: strips from row %" PRId64 " on have %" PRId64 " values", first,
	                         span[1].value - span->value);
}

static tulle_status check_spans(const sym_data *d, const sym_part *p)
{
	const sym_span *span = d->strips.span + p->span;
	tulle_status s = TULLE_OK;

	if (p[1].span != p->span + tulle__sym_spans(p) || span->entry != p->entry ||
	    d->strips.span[p[1].span].entry != p[1].entry ||
	    (p->span == 0 && (span->strip != 0 || span->value != 0)))
		return tulle__fail(TULLE_E_INTERNAL, "sym: spans do not fill the part at row %" PRId64,
		                   p->row);
	for (int64_t i = p->row; s == TULLE_OK && i < p[1].row; i += SYM_SPAN, span++) {
		const int64_t end = i + SYM_SPAN < p[1].row ? i + SYM_SPAN : p[1].row;

		s = check_span_strips(d, p, span, i, end);
		if (s == TULLE_OK)
			s = check_span_entries(d, p, span, i, end);
	}
	return s;
}

tulle_status tulle__sym_check(const void *data, tulle__env *env)
{
	const sym_data *d = &((const sym_triangle *)data)->shared;
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
			s = d->strips.span ? check_spans(d, p)
			                   : check_rows(d, p, &d->entries, 1, p->entry, p[1].entry - p->entry);
	}
	return s;
}

/* ---- the matrix again ---- */

/* The lower half as triplets. */
typedef struct {
	const sym_triangle *t;
	int64_t count;
	int32_t *row, *col;
	void *val;
} listing;

static void list_one(listing *l, int64_t i, int64_t j, const void *val, int64_t k)
{
	if (j > i) /* the other half of a block on the diagonal */
		return;
	l->row[l->count] = TULLE__I32(i);
	l->col[l->count] = TULLE__I32(j);
	tulle__value_move(l->val, l->count, val, k, tulle__value_size(l->t->value_type));
	l->count++;
}

static void list_spans(listing *l, const sym_part *p)
{
	const sym_data *d = &l->t->shared;
	const sym_strips *s = &d->strips;

	for (int64_t n = p->span; n < p[1].span; n++) {
		const int64_t first = p->row + (n - p->span) * SYM_SPAN;
		int64_t v = s->span[n].value;

		for (int64_t e = s->span[n].entry; e < s->span[n + 1].entry; e++) {
			const int64_t i = first + s->row[e], origin = sym_origin(i, d->entries.near);

			list_one(l, i, sym_column(&d->entries, e, origin, d->entries.near), d->entries.val, e);
		}
		for (int64_t k = s->span[n].strip; k < s->span[n + 1].strip; k++)
			for (int64_t i = first + s->strip[k].row, r = 0; r < s->strip[k].rows; r++)
				list_one(l, i + r, i + r - s->strip[k].back, s->val, v++);
	}
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
				list_one(l, b * i + v / b, b * j + v % b, d->blocks.val, k * b * b + v);
		}
	if (d->strips.span) {
		list_spans(l, p);
		return;
	}
	for (int64_t i = p->row; i < p[1].row; i++)
		for (; e < p->entry + d->entries.end[i]; e++)
			list_one(l, i,
			         sym_column(&d->entries, e, sym_origin(i, d->entries.near), d->entries.near),
			         d->entries.val, e);
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

tulle_status tulle__sym_to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const sym_triangle *t = data;
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
