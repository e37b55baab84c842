/* compact.c -- indices renumbered by a list of those that occur.
 *
 * The list is made by a radix sort of the indices and the removal of duplicates. The new number of an index
 * is its place in the list. It is found by a table with about as many cells as the list has elements:
 * directly if indices are evenly distributed, else by binary search within a cell. */
#include "csr/compact.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <string.h>

enum { ARRAYS = 2 }; /* that share a list: rows and columns of a symmetric matrix */

typedef struct {
	int64_t n; /* indices in each array */
	int arrays;
	const void *index[ARRAYS];
	tulle_index_type type[ARRAYS];
	int base;
	int64_t full;  /* indices are base .. base + full - 1 */
	int64_t *list; /* of `count` different ones, from 0 */
	int64_t count;
	int shift;     /* cell c of the table has the indices i with i >> shift == c */
	int64_t *cell; /* where in the list it begins; one more at the end */
	int64_t parts;
	void *place[ARRAYS]; /* the new indices */
	tulle_index_type place_type;
} numbering;

static void add_array(numbering *w, const void *index, tulle_index_type type)
{
	w->index[w->arrays] = index;
	w->type[w->arrays++] = type;
}

/* ---- the list ---- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static void sort_by_digit(int64_t n, const int64_t *from, int64_t *to, int shift)
{
	int64_t next[DIGITS] = { 0 }, before = 0;

	for (int64_t k = 0; k < n; k++)
		next[(from[k] >> shift) & (DIGITS - 1)]++;
	for (int d = 0; d < DIGITS; d++) {
		const int64_t count = next[d];

		next[d] = before;
		before += count;
	}
	for (int64_t k = 0; k < n; k++)
		to[next[(from[k] >> shift) & (DIGITS - 1)]++] = from[k];
}

/* Sort `*a` with the help of `*b`, and exchange them so that the result is in `*a`. */
static void sort(int64_t n, int64_t full, int64_t **a, int64_t **b)
{
	for (int shift = 0; shift < 63 && (full - 1) >> shift > 0; shift += DIGIT_BITS) {
		int64_t *const sorted = *b;

		sort_by_digit(n, *a, sorted, shift);
		*b = *a;
		*a = sorted;
	}
}

/* Removes duplicates from a sorted array. */
static int64_t drop_repeated(int64_t *a, int64_t n)
{
	int64_t kept = n > 0;

	for (int64_t k = 1; k < n; k++)
		if (a[k] != a[k - 1])
			a[kept++] = a[k];
	return kept;
}

static tulle_status make_list(tulle__env *env, numbering *w)
{
	const int64_t all = w->n * w->arrays;
	int64_t *a = NULL, *b = NULL;
	tulle_status s = tulle__alloc(env, all, sizeof *a, &a);

	if (s == TULLE_OK)
		s = tulle__alloc(env, all, sizeof *b, &b);
	if (s == TULLE_OK) {
		for (int which = 0; which < w->arrays; which++)
			for (int64_t k = 0; k < w->n; k++)
				a[which * w->n + k] = tulle__index_at(w->index[which], w->type[which], k) - w->base;
		sort(all, w->full, &a, &b);
		w->count = drop_repeated(a, all);
		s = tulle__alloc(env, w->count, sizeof *w->list, &w->list);
	}
	if (s == TULLE_OK && w->count > 0)
		memcpy(w->list, a, (size_t)w->count * sizeof *w->list);
	tulle__free(env, a);
	tulle__free(env, b);
	return s;
}

/* ---- places in it ---- */

static tulle_status make_cells(tulle__env *env, numbering *w)
{
	int64_t cells, at = 0;
	tulle_status s;

	while (w->full > 0 && (w->full - 1) >> w->shift > w->count)
		w->shift++;
	cells = w->full > 0 ? ((w->full - 1) >> w->shift) + 1 : 0;
	s = tulle__alloc(env, cells + 1, sizeof *w->cell, &w->cell);
	if (s != TULLE_OK)
		return s;
	for (int64_t c = 0; c < cells; c++) {
		w->cell[c] = at;
		while (at < w->count && w->list[at] >> w->shift == c)
			at++;
	}
	w->cell[cells] = at;
	return TULLE_OK;
}

static int64_t place_of(const numbering *w, int64_t index)
{
	const int64_t cell = index >> w->shift;
	int64_t low = w->cell[cell], high = w->cell[cell + 1];

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;

		if (w->list[middle] <= index)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void renumber_part(const void *arg, int64_t part)
{
	const numbering *const w = arg;
	const int64_t end = tulle__cut(w->n, w->parts, part + 1);

	for (int which = 0; which < w->arrays; which++)
		for (int64_t k = tulle__cut(w->n, w->parts, part); k < end; k++) {
			const int64_t i = tulle__index_at(w->index[which], w->type[which], k) - w->base;

			tulle__index_set(w->place[which], w->place_type, k, place_of(w, i) + w->base);
		}
}

/* Sets the members after `full`. On failure nothing is allocated. */
static tulle_status renumber(tulle__env *env, numbering *w)
{
	tulle_status s = make_list(env, w);

	w->place_type = tulle__index_type_for(w->count + w->base);
	w->parts = tulle__parts(w->n);
	if (s == TULLE_OK)
		s = make_cells(env, w);
	for (int which = 0; which < w->arrays && s == TULLE_OK; which++)
		s = tulle__alloc(env, w->n, tulle__index_size(w->place_type), &w->place[which]);
	if (s == TULLE_OK)
		tulle__run_parts(env, renumber_part, w, w->parts, w->n * w->arrays);
	tulle__free(env, w->cell);
	if (s != TULLE_OK) {
		tulle__free(env, w->list);
		tulle__free(env, w->place[0]);
		tulle__free(env, w->place[1]);
	}
	return s;
}

/* ---- rows and columns ---- */

/* With a list: 8 bytes per row that has entries, at most `entries` rows, and as much again for offsets and
 * elements of y. Without a list: 16 bytes per row. Small matrices are not compacted. */
static int is_worth_a_list(int64_t count, int64_t entries)
{
	const int64_t small = 1 << 22;

	return count > small && (count - small) / 2 > entries;
}

static int is_left_out(tulle_compact wanted, tulle_compact which, int64_t count, int64_t entries)
{
	return wanted == TULLE_COMPACT_AUTO ? is_worth_a_list(count, entries)
	                                    : ((int)wanted & (int)which) != 0;
}

/* One list for the rows, for the columns, or for both. */
static tulle_status compact(tulle__env *env, const tulle__triplets *t, int rows, int cols,
                            tulle__compacted *out, tulle__lists *lists)
{
	numbering w = { .n = t->nnz, .base = t->base, .full = rows ? t->rows : t->cols };
	tulle_status s;

	if (rows)
		add_array(&w, t->row, t->row_type);
	if (cols)
		add_array(&w, t->col, t->col_type);
	s = renumber(env, &w);
	if (s != TULLE_OK)
		return s;
	if (rows) {
		lists->row = w.list;
		out->t.rows = w.count;
		out->t.row = out->row = w.place[0];
		out->t.row_type = w.place_type;
	}
	if (cols) {
		lists->col = w.list;
		out->t.cols = w.count;
		out->t.col = out->col = w.place[w.arrays - 1];
		out->t.col_type = w.place_type;
	}
	return TULLE_OK;
}

tulle_status tulle__compact(tulle__env *env, const tulle__triplets *t, tulle_compact wanted,
                            tulle__compacted *out, tulle__lists *lists)
{
	const int rows = is_left_out(wanted, TULLE_COMPACT_ROWS, t->rows, t->nnz);
	const int cols = is_left_out(wanted, TULLE_COMPACT_COLS, t->cols, t->nnz);
	tulle_status s = TULLE_OK;

	*out = (tulle__compacted){ .t = *t };
	*lists = (tulle__lists){ .rows = t->rows, .cols = t->cols };
	if (t->kind != TULLE_GENERAL && (rows || cols))
		s = compact(env, t, 1, 1, out, lists);
	else {
		if (rows)
			s = compact(env, t, 1, 0, out, lists);
		if (s == TULLE_OK && cols)
			s = compact(env, t, 0, 1, out, lists);
	}
	if (s != TULLE_OK) {
		tulle__compacted_release(env, out);
		tulle__lists_release(env, lists);
	}
	return s;
}

void tulle__compacted_release(tulle__env *env, tulle__compacted *c)
{
	tulle__free(env, c->row);
	tulle__free(env, c->col);
	c->row = c->col = NULL;
}

void tulle__lists_release(tulle__env *env, tulle__lists *lists)
{
	if (lists->col != lists->row)
		tulle__free(env, lists->col);
	tulle__free(env, lists->row);
	lists->row = lists->col = NULL;
}
