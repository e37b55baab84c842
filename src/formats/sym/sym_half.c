/* sym_half.c -- finds the lower half of a matrix, divides it into parts, and compares it with the
 * upper half. */
#include "core/inline.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/threads.h"
#include "formats/sym/sym_convert.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the lower half ---- */

static int64_t slice_row(const sym_half *h, int64_t s)
{
	const int64_t row = SYM_GROUP * tulle__cut(h->groups, h->slices, s);

	return row < h->a.rows ? row : h->a.rows;
}

TULLE_INLINE sym_slice look(const sym_half *h, int64_t i, int64_t end, tulle_index_type type)
{
	sym_slice s = { .leftmost = i };

	for (; i < end; i++) {
		const int64_t first = tulle__csr_offset(&h->a, i), stop = tulle__csr_offset(&h->a, i + 1);
		int64_t k = first, before = -1;

		for (; k < stop; k++) {
			const int64_t j = tulle__index_at(h->a.col, type, k);

			if (j >= i)
				break;
			s.falls |= j <= before;
			before = j;
		}
		h->low[i] = k;
		s.lower += k - first;
		if (k > first) {
			const int64_t j = tulle__index_at(h->a.col, type, first);

			s.leftmost = j < s.leftmost ? j : s.leftmost;
			s.reach = i - j > s.reach ? i - j : s.reach;
		}
		s.diagonal += k < stop && tulle__index_at(h->a.col, type, k) == i;
		for (; k < stop; k++) {
			const int64_t j = tulle__index_at(h->a.col, type, k);

			s.falls |= j <= before;
			before = j;
		}
	}
	return s;
}

static void analyze_slice(const void *arg, int64_t s)
{
	const sym_half *h = arg;
	const int64_t i = slice_row(h, s), end = slice_row(h, s + 1);

	h->slice[s] =
	    h->a.column_type == TULLE_I32 ? look(h, i, end, TULLE_I32) : look(h, i, end, TULLE_I64);
}

/* Do the columns of all rows ascend? */
static int analyze_all(tulle__env *env, sym_half *h)
{
	int falls = 0;

	tulle__run_parts(env, analyze_slice, h, h->slices, h->a.nnz + h->a.rows);
	h->lower = h->diagonal = h->reach = 0;
	for (const sym_slice *s = h->slice; s < h->slice + h->slices; s++) {
		h->lower += s->lower;
		h->diagonal += s->diagonal;
		h->reach = s->reach > h->reach ? s->reach : h->reach;
		falls |= s->falls;
	}
	return !falls;
}

/* Sort by transposing twice. */
static tulle_status sort(tulle__env *env, sym_half *h)
{
	tulle__csr t;
	tulle_status s = tulle__csr_transpose(env, &h->a, &t, NULL);

	if (s != TULLE_OK)
		return s;
	s = tulle__csr_transpose(env, &t, &h->a, NULL);
	h->sorted = s == TULLE_OK;
	tulle__csr_release(env, &t);
	return s;
}

static tulle_status refuse_twice(const tulle__csr *a)
{
	for (int64_t i = 0; i < a->rows; i++)
		for (int64_t k = tulle__csr_offset(a, i) + 1; k < tulle__csr_offset(a, i + 1); k++)
			if (tulle__csr_column(a, k) == tulle__csr_column(a, k - 1))
				return tulle__fail(TULLE_E_UNSUPPORTED,
				                   "sym: a(%" PRId64 ",%" PRId64 ") is stored twice", i,
				                   tulle__csr_column(a, k));
	return tulle__fail(TULLE_E_INTERNAL, "sym: the columns of a sorted row decrease");
}

tulle_status tulle__sym_open(tulle__env *env, const tulle__csr *a, sym_half *out)
{
	tulle_status s;

	*out = (sym_half){ .a = *a, .groups = (a->rows + SYM_GROUP - 1) / SYM_GROUP };
	if (a->rows != a->cols)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "sym: %" PRId64 " rows, %" PRId64 " columns: not square", a->rows,
		                   a->cols);
	if (!a->val && tulle__type_of(a->value_type)->parts == 2)
		return tulle__fail(TULLE_E_UNSUPPORTED, "sym: a %s matrix without values is not supported",
		                   tulle__type_of(a->value_type)->name);
	if (a->rows > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED, "sym: %" PRId64 " rows: more than 2^31-1", a->rows);
	out->slices = out->groups < SYM_MAX_SLICES ? out->groups : SYM_MAX_SLICES;
	s = tulle__alloc(env, a->rows, sizeof *out->low, &out->low);
	if (s == TULLE_OK)
		s = tulle__alloc(env, out->slices, sizeof *out->slice, &out->slice);
	if (s == TULLE_OK && !analyze_all(env, out)) {
		s = sort(env, out);
		if (s == TULLE_OK && !analyze_all(env, out))
			s = refuse_twice(&out->a);
	}
	return s;
}

void tulle__sym_close(tulle__env *env, sym_half *h)
{
	if (h->sorted)
		tulle__csr_release(env, &h->a);
	tulle__free(env, h->low);
	tulle__free(env, h->slice);
}

/* ---- parts ---- */

/* Cut between slices into parts of nearly equal work; returns the total number of rows in halos. */
static int64_t cut(const sym_half *h, sym_data *d, int64_t parts)
{
	const int64_t work = h->lower + h->a.rows;
	int64_t done = 0, halo = 0, s = 0;

	for (int64_t p = 0; p < parts; p++) {
		sym_part *part = &d->part[p];

		*part = (sym_part){ .row = slice_row(h, s), .first = slice_row(h, s), .halo = halo };
		for (; s < h->slices && done < tulle__cut(work, parts, p + 1); s++) {
			const sym_slice *slice = &h->slice[s];

			part->first = slice->leftmost < part->first ? slice->leftmost : part->first;
			done += slice->lower + slice_row(h, s + 1) - slice_row(h, s);
		}
		halo += part->row - part->first;
	}
	d->part[parts] = (sym_part){ .row = h->a.rows, .first = h->a.rows, .halo = halo };
	d->parts = parts;
	return halo;
}

tulle_status tulle__sym_cut(const sym_half *h, sym_data *d)
{
	enum {
		FEW = 8,
		LARGE = 8,
		TOO_LARGE = 4
	}; /* limits of halos: an eighth, a quarter of the
	                                               stored matrix */
	const size_t value = tulle__value_size(h->a.value_type);
	const int64_t stored = (h->lower + h->diagonal) * (int64_t)(value + sizeof(uint16_t));
	int64_t most = tulle__parts(h->lower + h->a.rows), parts, halo;

	most = most < SYM_MAX_PARTS ? most : SYM_MAX_PARTS;
	for (parts = most;; parts = parts / 2 > FEW ? parts / 2 : FEW) {
		halo = cut(h, d, parts) * (int64_t)tulle__element_size(h->a.value_type);
		if (parts <= 1 || (parts > FEW ? LARGE : TOO_LARGE) * halo <= stored)
			return TULLE_OK;
		if (parts <= FEW)
			break;
	}
	if (most <= FEW) { /* small enough for one thread */
		cut(h, d, 1);
		return TULLE_OK;
	}
	return tulle__fail(TULLE_E_UNSUPPORTED,
	                   "sym: entries are too far from the diagonal: %" PRId64
	                   " parts would need %" PRId64
	                   " bytes of partial sums, the matrix has %" PRId64,
	                   parts, halo, stored);
}

int64_t tulle__sym_sums(const sym_data *d)
{
	return d->rows + d->part[d->parts].halo;
}

/* ---- comparison ---- */

static unsigned compare(const tulle__csr *a, const tulle__type *type, int64_t k, int64_t image)
{
	return a->val ? tulle__value_compare(type, a->val, k, image) : TULLE__EQUAL;
}

/* The set of all relations: what no pair of entries rules out. */
static const unsigned ANY =
    TULLE__EQUAL | TULLE__OPPOSITE | TULLE__CONJUGATE | TULLE__CONJUGATE_ZERO;

typedef struct {
	const sym_half *h;
	const sym_data *d;
	int64_t *next; /* laid out like the sums: the next entry of each row whose mirror image is
	                  expected, and the halos */
	unsigned *of;  /* each part: the relations that all its pairs have */
} comparison;

static int64_t first_from(const tulle__csr *a, int64_t k, int64_t end, int64_t column)
{
	while (k < end) {
		const int64_t middle = k + (end - k) / 2;

		if (tulle__csr_column(a, middle) < column)
			k = middle + 1;
		else
			end = middle;
	}
	return k;
}

/* Rows are visited in order, so mirror images occur in order in each row above: a cursor per row
 * finds them. */
static void compare_part(const void *arg, int64_t p)
{
	const comparison *c = arg;
	const sym_half *h = c->h;
	const tulle__csr *a = &h->a;
	const sym_part *part = &c->d->part[p];
	const tulle__type *type = tulle__type_of(a->value_type);
	int64_t *halo = c->next + a->rows + part->halo;
	unsigned common = ANY;

	for (int64_t j = part->first; j < part->row; j++)
		halo[j - part->first] = first_from(a, h->low[j], tulle__csr_offset(a, j + 1), part->row);
	for (int64_t i = part->row; i < part[1].row; i++) {
		c->next[i] = h->low[i] + (h->low[i] < tulle__csr_offset(a, i + 1) &&
		                          tulle__csr_column(a, h->low[i]) == i);
		for (int64_t k = tulle__csr_offset(a, i); k < h->low[i]; k++) {
			const int64_t j = tulle__csr_column(a, k);
			int64_t *next = j < part->row ? &halo[j - part->first] : &c->next[j];
			const int64_t image = (*next)++;

			if (image >= tulle__csr_offset(a, j + 1) || tulle__csr_column(a, image) != i) {
				common = TULLE__UNRELATED;
				continue;
			}
			common &= compare(a, type, k, image);
		}
	}
	c->of[p] = common;
}

enum { VALUE_TEXT = 64 };

/* Value k as a message shows it. */
static const char *show_value(const tulle__csr *a, int64_t k, char text[VALUE_TEXT])
{
	const tulle__type *type = tulle__type_of(a->value_type);
	const tulle_value_type part = type->part_size == sizeof(float) ? TULLE_F32 : TULLE_F64;

	if (!a->val || type->parts == 1)
		snprintf(text, VALUE_TEXT, "%.17g",
		         a->val ? tulle__value_real(type->type, a->val, k) : 1.0);
	else
		snprintf(text, VALUE_TEXT, "%.17g%+.17gi", tulle__value_real(part, a->val, 2 * k),
		         tulle__value_real(part, a->val, 2 * k + 1));
	return text;
}

/* The first entry, by rows, that does not have the relation to its mirror image that those before it have. */
static tulle_status name_the_first(const tulle__csr *a)
{
	const tulle__type *type = tulle__type_of(a->value_type);
	char value[VALUE_TEXT], other[VALUE_TEXT];
	unsigned common = ANY; /* so far */

	for (int64_t i = 0; i < a->rows; i++) {
		for (int64_t k = tulle__csr_offset(a, i); k < tulle__csr_offset(a, i + 1); k++) {
			const int64_t j = tulle__csr_column(a, k), end = tulle__csr_offset(a, j + 1);
			const int64_t image = first_from(a, tulle__csr_offset(a, j), end, i);
			unsigned is;

			if (i == j)
				continue;
			if (image == end || tulle__csr_column(a, image) != i)
				return tulle__fail(TULLE_E_UNSUPPORTED,
				                   "sym: a(%" PRId64 ",%" PRId64 ") = %s but a(%" PRId64 ",%" PRId64
				                   ") is not stored",
				                   i, j, show_value(a, k, value), j, i);
			is = compare(a, type, k, image);
			if (!(is & common))
				return tulle__fail(TULLE_E_UNSUPPORTED,
				                   "sym: a(%" PRId64 ",%" PRId64 ") = %s but a(%" PRId64 ",%" PRId64
				                   ") = %s%s",
				                   i, j, show_value(a, k, value), j, i, show_value(a, image, other),
				                   common & TULLE__EQUAL      ? ""
				                   : common & TULLE__OPPOSITE ? ", not its opposite"
				                                              : ", not its conjugate");
			common &= is;
		}
	}
	return tulle__fail(TULLE_E_INTERNAL, "sym: halves that agree were found to differ");
}

tulle_status tulle__sym_compare(tulle__env *env, const sym_half *h, const sym_data *d,
                                unsigned *relations)
{
	unsigned of[SYM_MAX_PARTS];
	comparison c = { h, d, NULL, of };
	tulle_status s;

	*relations = ANY;
	if (h->a.nnz - h->diagonal != 2 * h->lower)
		return name_the_first(&h->a);
	s = tulle__alloc(env, tulle__sym_sums(d), sizeof *c.next, &c.next);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, compare_part, &c, d->parts, h->a.nnz + h->a.rows);
	tulle__free(env, c.next);
	for (int64_t p = 0; p < d->parts; p++)
		*relations &= of[p];
	return *relations ? TULLE_OK : name_the_first(&h->a);
}

int tulle__sym_real_diagonal(const sym_half *h)
{
	const tulle__type *type = tulle__type_of(h->a.value_type);
	int real = 1;

	for (int64_t i = 0; h->a.val && type->parts == 2 && i < h->a.rows; i++) {
		const int64_t k = h->low[i];
		const char *im = (const char *)h->a.val + (size_t)k * type->size + type->part_size;

		if (k < tulle__csr_offset(&h->a, i + 1) && tulle__csr_column(&h->a, k) == i)
			real &= (tulle__bits(im, type->part_size) & ~tulle__sign_bit(type)) == 0;
	}
	return real;
}
