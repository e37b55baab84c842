/* coo_arrays.c -- CSR to COO and back, and the division into parts. */
#include "csr/coo_arrays.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>

/* ---- make ---- */

typedef struct {
	const tulle__coo *c;
	const tulle__csr *a;
	const tulle__type *type;
	int64_t parts;
	int64_t *before; /* entries of each part, then entries before it */
	int values_only;
} fill;

/* Rows are divided by work, in the same way as entries are for the product (tulle__coo_cut), so that
 * a part writes about what its thread will read. */
static int64_t first_row(const fill *f, int64_t part)
{
	return tulle__csr_cut(f->a, f->parts, part);
}

static void count_part(const void *arg, int64_t part)
{
	const fill *f = arg;
	const int64_t end = first_row(f, part + 1);
	int64_t count = 0;

	for (int64_t i = first_row(f, part); i < end; i++) {
		const int64_t length = tulle__csr_length(f->a, i);

		count += length > f->c->skip ? length - f->c->skip : 0;
	}
	f->before[part] = count;
}

/* Entries k .. end-1 of the matrix go to `to`, `to` + 1, ... */
static void move(const fill *f, int64_t i, int64_t k, int64_t end, int64_t to)
{
	const tulle__csr *a = f->a;
	const tulle__coo *c = f->c;
	const tulle__type *type = f->type;

	for (int64_t n = 0; n < end - k; n++) {
		if (!f->values_only) {
			c->row[to + n] = TULLE__I32(i);
			c->col[to + n] = TULLE__I32(tulle__csr_column(a, k + n));
		}
		tulle__value_move(c->val, to + n, tulle__value_or_one(a->val, k + n, type->size, type->one),
		                  0, type->size);
	}
}

static void move_part(const void *arg, int64_t part)
{
	const fill *f = arg;
	const int64_t end = first_row(f, part + 1);
	int64_t to = f->before[part];

	for (int64_t i = first_row(f, part); i < end; i++) {
		const int64_t from = tulle__csr_offset(f->a, i) + f->c->skip,
		              stop = tulle__csr_offset(f->a, i + 1);

		if (from < stop) {
			move(f, i, from, stop, to);
			to += stop - from;
		}
	}
}

/* Where each part's entries go; returns their number. */
static int64_t survey(tulle__env *env, fill *f)
{
	int64_t nnz = 0;

	f->parts = tulle__parts(f->a->rows + f->a->nnz);
	if (f->parts > f->a->rows)
		f->parts = f->a->rows;
	tulle__run_parts(env, count_part, f, f->parts, f->a->rows);
	for (int64_t p = 0; p < f->parts; p++) {
		const int64_t count = f->before[p];

		f->before[p] = nnz;
		nnz += count;
	}
	return nnz;
}

tulle_status tulle__coo_make(tulle__env *env, const char *name, const tulle__csr *a, int64_t skip,
                             tulle__coo *out)
{
	int64_t before[TULLE__MAX_PARTS];
	fill f = { .c = out, .a = a, .type = tulle__type_of(a->value_type), .before = before };
	tulle_status s;

	*out =
	    (tulle__coo){ .rows = a->rows, .cols = a->cols, .skip = skip, .value_type = a->value_type };
	s = tulle__check_32_bits(name, a, 0);
	if (s != TULLE_OK)
		return s;
	out->nnz = survey(env, &f);
	s = tulle__alloc(env, out->nnz, sizeof *out->row, &out->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, out->nnz, sizeof *out->col, &out->col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, out->nnz, tulle__value_size(a->value_type), &out->val);
	if (s != TULLE_OK) {
		tulle__coo_release(env, out);
		return s;
	}
	tulle__run_parts(env, move_part, &f, f.parts, a->rows + a->nnz);
	return TULLE_OK;
}

void tulle__coo_values(tulle__env *env, const tulle__coo *c, const tulle__csr *a)
{
	int64_t before[TULLE__MAX_PARTS];
	fill f = {
		.c = c, .a = a, .type = tulle__type_of(a->value_type), .before = before, .values_only = 1
	};

	survey(env, &f);
	tulle__run_parts(env, move_part, &f, f.parts, a->rows + a->nnz);
}

void tulle__coo_release(tulle__env *env, tulle__coo *c)
{
	tulle__free(env, c->row);
	tulle__free(env, c->col);
	tulle__free(env, c->val);
	c->row = c->col = NULL;
	c->val = NULL;
}

size_t tulle__coo_bytes(const tulle__coo *c)
{
	return (size_t)c->nnz * (sizeof *c->row + sizeof *c->col + tulle__value_size(c->value_type));
}

/* ---- prove ---- */

tulle_status tulle__coo_check(const char *name, const tulle__coo *c)
{
	for (int64_t k = 0; k < c->nnz; k++) {
		const int32_t least = k > 0 ? c->row[k - 1] : 0;

		if (c->row[k] < least || c->row[k] >= c->rows)
			return tulle__fail(TULLE_E_INTERNAL, "%s: row[%" PRId64 "] = %d after %d of %" PRId64,
			                   name, k, c->row[k], least, c->rows);
		if (c->col[k] < 0 || c->col[k] >= c->cols)
			return tulle__fail(TULLE_E_INTERNAL, "%s: col[%" PRId64 "] = %d of %" PRId64, name, k,
			                   c->col[k], c->cols);
	}
	return TULLE_OK;
}

void tulle__coo_rows(const tulle__coo *c, const int64_t *row_ptr, int32_t *col, void *val)
{
	const size_t size = tulle__value_size(c->value_type);
	int64_t in_row = 0; /* entries of this row that follow, this one too */

	for (int64_t k = c->nnz - 1; k >= 0; k--) {
		int64_t to;

		in_row = k + 1 < c->nnz && c->row[k + 1] == c->row[k] ? in_row + 1 : 1;
		to = row_ptr[c->row[k] + 1] - in_row;
		col[to] = c->col[k];
		tulle__value_move(val, to, c->val, k, size);
	}
}

/* ---- parts ---- */

/* The row of entry k; the number of rows after the last entry. */
static int64_t row_at(const tulle__coo *c, int64_t k)
{
	return k < 0 ? -1 : k < c->nnz ? c->row[k] : c->rows;
}

/* The first entry k, of 0 .. nnz, with k + row_work * row >= target. */
static int64_t entry_at(const tulle__coo *c, int row_work, int64_t target)
{
	int64_t low = 0, high = c->nnz;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (middle + row_work * row_at(c, middle) < target)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first entry of the row that entry k is in. */
static int64_t row_begin(const tulle__coo *c, int64_t k)
{
	return tulle__first_at_least(c->row, 0, k, row_at(c, k));
}

/* Cut after `target` units of work: inside a long row, before a short row, or, if rows count as
 * work, among the empty rows before it. */
static tulle__row_cut cut_at(const tulle__coo *c, int row_work, int64_t target, int64_t share)
{
	const int64_t k = entry_at(c, row_work, target), begin = row_begin(c, k);
	const int64_t row = row_at(c, k), after = row_at(c, begin - 1) + 1;

	if (begin < k)
		return (tulle__row_cut){ row, k - begin > share / 4 ? k : begin };
	if (row_work == 0)
		return (tulle__row_cut){ row, k };
	return (tulle__row_cut){ target - k < after ? after : target - k, k };
}

static int is_split(const tulle__coo *c, tulle__row_cut cut)
{
	return cut.k > 0 && cut.row < c->rows && c->row[cut.k - 1] == cut.row;
}

static int64_t find_splits(const tulle__coo *c, const tulle__coo_parts *p)
{
	int64_t count = 0;

	for (int64_t part = 1; part < p->parts; part++) {
		const int64_t row = p->cut[part].row;

		if (!is_split(c, p->cut[part]))
			continue;
		if (count > 0 && p->split[count - 1].row == row)
			p->split[count - 1].last = part;
		else
			p->split[count++] = (tulle__split_row){ row, part - 1, part };
	}
	return count;
}

tulle_status tulle__coo_cut(tulle__env *env, const tulle__coo *c, int row_work,
                            tulle__coo_parts *out)
{
	const int64_t work = c->nnz + row_work * c->rows, parts = tulle__parts(work);
	tulle_status s;

	*out = (tulle__coo_parts){ .parts = parts };
	s = tulle__alloc(env, parts + 1, sizeof *out->cut, &out->cut);
	if (s == TULLE_OK)
		s = tulle__alloc(env, parts, sizeof *out->split, &out->split);
	if (s != TULLE_OK) {
		tulle__coo_parts_release(env, out);
		return s;
	}
	out->cut[0] = (tulle__row_cut){ 0, 0 };
	for (int64_t p = 1; p < parts; p++)
		out->cut[p] = cut_at(c, row_work, tulle__cut(work, parts, p), work / parts);
	out->cut[parts] = (tulle__row_cut){ c->rows, c->nnz };
	out->splits = find_splits(c, out);
	return TULLE_OK;
}

tulle_status tulle__coo_check_cuts(const char *name, const tulle__coo *c, const tulle__coo_parts *p)
{
	int64_t pieces = 0;

	for (int64_t n = 0; n <= p->parts; n++) {
		const tulle__row_cut cut = p->cut[n];

		if (n > 0 && (cut.row < p->cut[n - 1].row || cut.k < p->cut[n - 1].k))
			return tulle__fail(TULLE_E_INTERNAL, "%s: cut %" PRId64 " goes back", name, n);
		if (cut.row > row_at(c, cut.k) || cut.row < row_at(c, cut.k - 1))
			return tulle__fail(TULLE_E_INTERNAL, "%s: cut %" PRId64 " is outside its row", name, n);
		pieces += is_split(c, cut);
	}
	if ((p->parts > 0 && (p->cut[0].k != 0 || p->cut[0].row != 0)) ||
	    p->cut[p->parts].k != c->nnz || p->cut[p->parts].row != c->rows)
		return tulle__fail(TULLE_E_INTERNAL, "%s: the cuts do not span the matrix", name);
	for (int64_t n = 0; n < p->splits; n++)
		pieces -= p->split[n].last - p->split[n].first;
	if (pieces != 0)
		return tulle__fail(TULLE_E_INTERNAL, "%s: split rows and cuts disagree", name);
	return TULLE_OK;
}

size_t tulle__coo_parts_bytes(const tulle__coo_parts *p)
{
	return (size_t)(p->parts + 1) * sizeof *p->cut + (size_t)p->parts * sizeof *p->split;
}

void tulle__coo_parts_release(tulle__env *env, tulle__coo_parts *p)
{
	tulle__free(env, p->cut);
	tulle__free(env, p->split);
	p->cut = NULL;
	p->split = NULL;
}
