/* batch_gpu_arrays.c -- rows, columns and values of a batch in the layout of a device. Arrays that problems share are
 * stored once. */
#include "batch/batch_gpu.h"
#include "core/memory.h"
#include "core/status.h"
#include "csr/ell_arrays.h"

#include <inttypes.h>
#include <string.h>

/* ---- where they lie ---- */

static int64_t take(int64_t *end, int64_t count)
{
	const int64_t at = *end;

	*end += count;
	return at;
}

/* The longest row of each problem; those of the same rows have the same. */
static tulle_status find_widths(const batch_gpu_arrays *a)
{
	const tulle__problems *p = a->p;
	int64_t slots = 0;

	for (int64_t i = 0; i < p->count; i++) {
		const tulle__csr csr = tulle__problem_csr(p, i);
		const int64_t same = p->problem[i].same_rows;

		a->width[i] = same < i ? a->width[same] : tulle__ell_longest(p->env, &csr);
		slots = tulle__plus(slots, tulle__times(csr.rows, a->width[i]));
		if (tulle__pads_too_much(slots, p->nnz))
			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "ell: rows of problems 0 to %" PRId64 " padded to %" PRId64
			                   " entries, for %" PRId64
			                   " nonzeros in all: more than %d times the batch",
			                   i, slots, p->nnz, TULLE__MOST_PADDING);
	}
	return TULLE_OK;
}

/* Elements of each kind that a problem needs unless an earlier problem has the same. */
static int64_t entries_of(const batch_gpu_arrays *a, int64_t i)
{
	const tulle__problem *m = &a->p->problem[i];

	return a->method == BATCH_GPU_ELL ? m->rows * a->width[i] : m->nnz;
}

static int64_t rows_of(const batch_gpu_arrays *a, int64_t i)
{
	const tulle__problem *m = &a->p->problem[i];

	return a->method == BATCH_GPU_ELL ? 0 : a->method == BATCH_GPU_COO ? m->nnz : m->rows + 1;
}

/* Are entries in the order in which the threads of a team take them? */
static int by_steps(const batch_gpu_arrays *a)
{
	return a->method == BATCH_GPU_COO || a->method == BATCH_GPU_BALANCED;
}

/* Problem `same`, which has the rows of problem i; i itself if the team of `same` has another size and divides them
 * differently. Problems of one pattern have the same number of columns, and therefore the same team size. */
static int64_t shared_with(const batch_gpu_arrays *a, int64_t i, int64_t same)
{
	return by_steps(a) && tulle__batch_gpu_class(a->cut, same) != tulle__batch_gpu_class(a->cut, i)
	           ? i
	           : same;
}

static int64_t first_with_rows(const batch_gpu_arrays *a, int64_t i)
{
	const int64_t same = a->p->problem[i].same_rows;

	return a->method == BATCH_GPU_COO ? shared_with(a, i, same) : same;
}

/* The order of padded values depends on the rows, and so does the order by steps: equal values with other rows are
 * stored separately. */
static int64_t first_with_values(const batch_gpu_arrays *a, int64_t i)
{
	const tulle__problem *m = &a->p->problem[i], *same = &a->p->problem[m->same_values];
	const int as_rows = a->method == BATCH_GPU_ELL || by_steps(a);

	return as_rows && same->same_rows != m->same_rows ? i : shared_with(a, i, m->same_values);
}

static void find_places(batch_gpu_arrays *a)
{
	const tulle__problems *p = a->p;

	for (int64_t i = 0; i < p->count; i++) {
		const int64_t entries = entries_of(a, i), like = first_with_values(a, i);
		const int64_t rows = first_with_rows(a, i), pattern = p->problem[i].same_pattern;

		a->rows_at[i] = rows < i ? a->rows_at[rows] : take(&a->rows, rows_of(a, i));
		a->columns_at[i] = pattern < i ? a->columns_at[pattern] : take(&a->columns, entries);
		if (p->ones) { /* all problems have the same ones */
			a->values_at[i] = 0;
			a->values = entries > a->values ? entries : a->values;
		} else {
			a->values_at[i] = like < i ? a->values_at[like] : take(&a->values, entries);
		}
	}
}

tulle_status tulle__batch_gpu_lay_out(const batch_gpu_cut *cut, const tulle__problems *p,
                                      batch_gpu_method method, batch_gpu_arrays *out)
{
	const int64_t n = p->count;
	tulle_status s;

	*out = (batch_gpu_arrays){ .p = p, .method = method, .cut = cut };
	s = tulle__alloc_zero(p->env, 4 * n, sizeof *out->rows_at, &out->rows_at);
	if (s != TULLE_OK)
		return s;
	out->columns_at = out->rows_at + n;
	out->values_at = out->rows_at + 2 * n;
	out->width = out->rows_at + 3 * n;
	if (method == BATCH_GPU_ELL)
		s = find_widths(out);
	if (s != TULLE_OK) {
		tulle__batch_gpu_forget(out);
		return s;
	}
	find_places(out);
	return TULLE_OK;
}

void tulle__batch_gpu_forget(batch_gpu_arrays *a)
{
	tulle__free(a->p->env, a->rows_at);
}

/* ---- what is in them ---- */

/* In each piece, each thread of a team has consecutive entries, and the entries s of all threads are contiguous, as
 * batch.gpu divides them. */
static void place_by_steps(const batch_gpu_arrays *a, int64_t i, int64_t *place)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);
	const int64_t team = a->cut->team[tulle__batch_gpu_class(a->cut, i)];
	int64_t entry = 0;

	for (int64_t r = 0; r < m.rows;) {
		const int64_t end = tulle__batch_gpu_piece_end(a->cut, i, r);
		const int64_t from = tulle__csr_offset(&m, r), to = tulle__csr_offset(&m, end);

		for (int64_t t = 0; t < team; t++)
			for (int64_t at = from + t; at < to; at += team)
				place[entry++] = at;
		r = end;
	}
}

/* Where each entry of problem i lies among those of the problem. */
static void place_entries(const batch_gpu_arrays *a, int64_t i, int64_t *place)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);

	if (by_steps(a))
		place_by_steps(a, i, place);
	else if (a->method != BATCH_GPU_ELL)
		for (int64_t k = 0; k < m.nnz; k++)
			place[k] = k;
	else
		for (int64_t r = 0; r < m.rows; r++)
			for (int64_t k = tulle__csr_offset(&m, r), n = 0; k < tulle__csr_offset(&m, r + 1); k++)
				place[k] = r + n++ * m.rows;
}

static void fill_rows(const batch_gpu_arrays *a, int64_t i, const int64_t *place, int32_t *to)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);

	if (a->method == BATCH_GPU_COO)
		for (int64_t r = 0; r < m.rows; r++)
			for (int64_t k = tulle__csr_offset(&m, r); k < tulle__csr_offset(&m, r + 1); k++)
				to[place[k]] = (int32_t)r;
	else if (a->method != BATCH_GPU_ELL)
		for (int64_t r = 0; r <= m.rows; r++)
			to[r] = (int32_t)tulle__csr_offset(&m, r);
}

static void fill_columns(const batch_gpu_arrays *a, int64_t i, const int64_t *place, int32_t *to)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);

	if (a->method == BATCH_GPU_ELL)
		for (int64_t k = 0; k < entries_of(a, i); k++)
			to[k] = -1;
	for (int64_t k = 0; k < m.nnz; k++)
		to[place[k]] = (int32_t)tulle__csr_column(&m, k);
}

static void fill_values(const batch_gpu_arrays *a, int64_t i, const int64_t *place, char *to)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);
	const size_t size = tulle__value_size(m.value_type);

	if (a->method == BATCH_GPU_ELL && m.nnz > 0)
		memset(to, 0, (size_t)entries_of(a, i) * size);
	for (int64_t k = 0; k < m.nnz; k++)
		tulle__value_move(to, place[k], m.val, k, size);
}

/* ---- to the device ---- */

typedef struct {
	int32_t *rows, *col;
	char *val;
	int64_t *place; /* of the entries of one problem */
} host_arrays;

static void release(tulle__env *env, host_arrays *h)
{
	tulle__free(env, h->rows);
	tulle__free(env, h->col);
	tulle__free(env, h->val);
	tulle__free(env, h->place);
}

static tulle_status allocate(const batch_gpu_arrays *a, host_arrays *h)
{
	tulle__env *const env = a->p->env;
	int64_t most = 0;
	tulle_status s = tulle__alloc(env, a->rows, sizeof *h->rows, &h->rows);

	for (int64_t i = 0; i < a->p->count; i++)
		most = a->p->problem[i].nnz > most ? a->p->problem[i].nnz : most;
	if (s == TULLE_OK)
		s = tulle__alloc(env, a->columns, sizeof *h->col, &h->col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, a->values, tulle__value_size(a->p->value_type), &h->val);
	return s == TULLE_OK ? tulle__alloc(env, most, sizeof *h->place, &h->place) : s;
}

static void fill(const batch_gpu_arrays *a, const host_arrays *h)
{
	const tulle__csr_order as_they_are = { .source = NULL };
	const tulle__problems *p = a->p;
	const size_t size = tulle__value_size(p->value_type);

	if (p->ones)
		tulle__csr_values(p->env, &as_they_are, a->values, p->value_type, NULL, h->val);
	for (int64_t i = 0; i < p->count; i++) {
		const int rows = first_with_rows(a, i) == i, pattern = p->problem[i].same_pattern == i;
		const int values = !p->ones && first_with_values(a, i) == i;

		if (rows || pattern || values)
			place_entries(a, i, h->place);
		if (rows)
			fill_rows(a, i, h->place, h->rows + a->rows_at[i]);
		if (pattern)
			fill_columns(a, i, h->place, h->col + a->columns_at[i]);
		if (values)
			fill_values(a, i, h->place, h->val + (size_t)a->values_at[i] * size);
	}
}

tulle_status tulle__batch_gpu_upload(tulle__gpu_plan *plan, const batch_gpu_arrays *a,
                                     tulle__gpu_csr *out)
{
	const size_t size = tulle__value_size(a->p->value_type);
	host_arrays h = { .rows = NULL };
	tulle_status s = allocate(a, &h);

	if (s == TULLE_OK) {
		fill(a, &h);
		s = tulle__gpu_array(plan, h.rows, a->rows, sizeof *h.rows, &out->row_ptr);
	}
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, h.col, a->columns, sizeof *h.col, &out->col);
	if (s == TULLE_OK)
		s = tulle__gpu_array(plan, h.val, a->values, size, &out->val);
	release(a->p->env, &h);
	return s;
}
