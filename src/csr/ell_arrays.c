/* ell_arrays.c -- CSR to ELLPACK and back, a tile of rows at a time. */
#include "csr/ell_arrays.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	TILE = TULLE__LANES,
	ALIAS = 512 /* with a lead of this many values, all entries of a row are in one cache set */
};

/* ---- size ---- */

typedef struct {
	const tulle__csr *a;
	int64_t parts;
	int64_t *longest; /* of each part */
} survey;

static void survey_part(const void *arg, int64_t part)
{
	const survey *v = arg;
	const int64_t first = tulle__cut(v->a->rows, v->parts, part);
	const int64_t last = tulle__cut(v->a->rows, v->parts, part + 1);
	int64_t longest = 0, begin = tulle__csr_offset(v->a, first);

	for (int64_t i = first; i < last; i++) {
		const int64_t end = tulle__csr_offset(v->a, i + 1);

		if (end - begin > longest)
			longest = end - begin;
		begin = end;
	}
	v->longest[part] = longest;
}

int64_t tulle__ell_longest(tulle__env *env, const tulle__csr *a)
{
	int64_t of_part[TULLE__MAX_PARTS], longest = 0;
	const survey v = { a, tulle__parts(a->rows), of_part };

	tulle__run_parts(env, survey_part, &v, v.parts, a->rows);
	for (int64_t p = 0; p < v.parts; p++)
		if (of_part[p] > longest)
			longest = of_part[p];
	return longest;
}

static int64_t lead_of(int64_t rows, int64_t width)
{
	const int64_t lead = tulle__round_up(rows, TILE);

	return width > 1 && lead > 0 && lead % ALIAS == 0 ? lead + TILE : lead;
}

size_t tulle__ell_bytes(const tulle__ell *e)
{
	return (size_t)e->lead * (size_t)e->width * (sizeof *e->col + tulle__value_size(e->value_type));
}

void tulle__ell_note(const tulle__ell *e, char *text, size_t size)
{
	const double slots = (double)e->lead * (double)e->width;

	snprintf(text, size, "%.1f %% padding", slots > 0 ? 100 - 100 * (double)e->nnz / slots : 0);
}

int64_t tulle__ell_parts(const tulle__ell *e)
{
	const int64_t parts = tulle__parts(e->rows * (e->width + 1));
	const int64_t tiles = (e->rows + TILE - 1) / TILE;

	return parts < tiles ? parts : tiles;
}

/* ---- fill ---- */

typedef struct {
	const tulle__ell *e;
	const tulle__csr *a;
	int64_t parts;
	int64_t *counted; /* entries of each part */
	int values_only;
} fill;

/* Reads TILE rows at once and writes whole lines of memory. The type of indices and the size of values
 * are constants where this is inlined. */
TULLE_INLINE void fill_tile(const fill *f, const int64_t *begin, const int64_t *end, int64_t at,
                            tulle_index_type index, size_t size)
{
	const tulle__ell *e = f->e;
	const void *one = tulle__type_of(e->value_type)->one;

	for (int64_t j = 0; j < e->width; j++, at += e->lead) {
		for (int r = 0; r < TILE; r++) {
			const int64_t k = begin[r] + j;
			const int there = k < end[r];

			if (!f->values_only)
				e->col[at + r] = there ? TULLE__I32(tulle__index_at(f->a->col, index, k)) : -1;
			tulle__value_move(e->val, at + r,
			                  there ? tulle__value_or_one(f->a->val, k, size, one) : tulle__zero(),
			                  0, size);
		}
	}
}

static void fill_part(const void *arg, int64_t part)
{
	const fill *f = arg;
	const tulle__csr *a = f->a;
	const size_t size = tulle__value_size(a->value_type);
	const int64_t tiles = f->e->lead / TILE, last = tulle__cut(tiles, f->parts, part + 1);
	int64_t counted = 0;

	for (int64_t t = tulle__cut(tiles, f->parts, part); t < last; t++) {
		int64_t begin[TILE] = { 0 }, end[TILE] = { 0 };

		for (int64_t r = 0; r < TILE && t * TILE + r < a->rows; r++) {
			begin[r] = tulle__csr_offset(a, t * TILE + r);
			end[r] = tulle__csr_offset(a, t * TILE + r + 1);
			counted += end[r] - begin[r] < f->e->width ? end[r] - begin[r] : f->e->width;
		}
		if (a->column_type == TULLE_I32 && size == 4)
			fill_tile(f, begin, end, t * TILE, TULLE_I32, 4);
		else if (a->column_type == TULLE_I32 && size == 8)
			fill_tile(f, begin, end, t * TILE, TULLE_I32, 8);
		else
			fill_tile(f, begin, end, t * TILE, a->column_type, size);
	}
	f->counted[part] = counted;
}

static int64_t fill_all(tulle__env *env, const tulle__ell *e, const tulle__csr *a, int values_only)
{
	int64_t counted[TULLE__MAX_PARTS], nnz = 0;
	const fill f = { e, a, tulle__ell_parts(e), counted, values_only };

	tulle__run_parts(env, fill_part, &f, f.parts, a->nnz + e->lead * e->width);
	for (int64_t p = 0; p < f.parts; p++)
		nnz += counted[p];
	return nnz;
}

void tulle__ell_values(tulle__env *env, const tulle__ell *e, const tulle__csr *a)
{
	fill_all(env, e, a, 1);
}

tulle_status tulle__ell_make(tulle__env *env, const char *name, const tulle__csr *a, int64_t width,
                             tulle__ell *out)
{
	tulle_status s;
	int64_t slots;

	*out = (tulle__ell){ .rows = a->rows,
		                 .cols = a->cols,
		                 .width = width,
		                 .lead = lead_of(a->rows, width),
		                 .value_type = a->value_type };
	if (a->cols > TULLE__I32_MAX || width > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s: %" PRId64 " columns, %" PRId64
		                   " entries in a row: more than 2^31-1",
		                   name, a->cols, width);
	slots = tulle__times(out->lead, width);
	if (tulle__pads_too_much(slots, a->nnz))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s: %" PRId64 " rows padded to %" PRId64 " entries, for %" PRId64
		                   " nonzeros in all: more than %d times the matrix",
		                   name, a->rows, width, a->nnz, TULLE__MOST_PADDING);
	s = tulle__alloc(env, slots, sizeof *out->col, &out->col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, slots, tulle__value_size(a->value_type), &out->val);
	if (s != TULLE_OK) {
		tulle__ell_release(env, out);
		return s;
	}
	out->nnz = fill_all(env, out, a, 0);
	return TULLE_OK;
}

void tulle__ell_release(tulle__env *env, tulle__ell *e)
{
	tulle__free(env, e->col);
	tulle__free(env, e->val);
	e->col = NULL;
	e->val = NULL;
}

/* ---- prove ---- */

int64_t tulle__ell_length(const tulle__ell *e, int64_t i)
{
	int64_t low = 0, high = e->width; /* entries below low, padding from high on */

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (e->col[middle * e->lead + i] >= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

tulle_status tulle__ell_check(const char *name, const tulle__ell *e)
{
	const size_t size = tulle__value_size(e->value_type);
	int64_t nnz = 0;

	for (int64_t i = 0; i < e->lead; i++) {
		const int64_t length = i < e->rows ? tulle__ell_length(e, i) : 0;

		for (int64_t j = 0; j < e->width; j++) {
			const int64_t at = j * e->lead + i;
			const int32_t col = e->col[at];

			if (j < length ? col < 0 || col >= e->cols
			               : col != -1 || !tulle__value_is_zero(e->val, at, size))
				return tulle__fail(TULLE_E_INTERNAL,
				                   "%s: column %d in slot %" PRId64 " of row %" PRId64
				                   ", which has %" PRId64 " entries",
				                   name, col, j, i, length);
		}
		nnz += length;
	}
	if (nnz != e->nnz)
		return tulle__fail(TULLE_E_INTERNAL, "%s: %" PRId64 " entries, not %" PRId64, name, nnz,
		                   e->nnz);
	return TULLE_OK;
}

typedef struct {
	const tulle__ell *e;
	int64_t parts;
	const int64_t *row_ptr;
	int32_t *col;
	void *val;
} unfold;

static void unfold_part(const void *arg, int64_t part)
{
	const unfold *u = arg;
	const tulle__ell *e = u->e;
	const size_t size = tulle__value_size(e->value_type);
	const int64_t end = tulle__cut(e->rows, u->parts, part + 1);

	for (int64_t i = tulle__cut(e->rows, u->parts, part); i < end; i++) {
		int64_t k = u->row_ptr[i], at = i;

		for (int64_t j = 0; j < e->width && e->col[at] >= 0; j++, k++, at += e->lead) {
			u->col[k] = e->col[at];
			tulle__value_move(u->val, k, e->val, at, size);
		}
	}
}

void tulle__ell_rows(tulle__env *env, const tulle__ell *e, const int64_t *row_ptr, int32_t *col,
                     void *val)
{
	const unfold u = { e, tulle__ell_parts(e), row_ptr, col, val };

	tulle__run_parts(env, unfold_part, &u, u.parts, e->nnz + e->rows);
}

tulle_status tulle__ell_to_csr(tulle__env *env, const tulle__ell *e, tulle__csr *out)
{
	int64_t *row_ptr;
	int32_t *col;
	void *val;
	const tulle_status s =
	    tulle__csr_new(env, e->rows, e->cols, e->nnz, e->value_type, out, &row_ptr, &col, &val);

	if (s != TULLE_OK)
		return s;
	row_ptr[0] = 0;
	for (int64_t i = 0; i < e->rows; i++)
		row_ptr[i + 1] = row_ptr[i] + tulle__ell_length(e, i);
	tulle__ell_rows(env, e, row_ptr, col, val);
	return TULLE_OK;
}
