/* batch_gpu_arrays.c -- rows, columns and values of a batch as a device gets them: what problems share is
 * kept once. */
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

/* Elements of each sort that a problem has if nobody has them so far. */
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

/* Padded values lie as rows do, so that equal ones in other rows are others. */
static int64_t first_with_values(const batch_gpu_arrays *a, int64_t i)
{
	const tulle__problem *m = &a->p->problem[i], *same = &a->p->problem[m->same_values];

	return a->method == BATCH_GPU_ELL && same->same_rows != m->same_rows ? i : m->same_values;
}

static void find_places(batch_gpu_arrays *a)
{
	const tulle__problems *p = a->p;

	for (int64_t i = 0; i < p->count; i++) {
		const tulle__problem *m = &p->problem[i];
		const int64_t entries = entries_of(a, i), like = first_with_values(a, i);

		a->rows_at[i] = m->same_rows < i ? a->rows_at[m->same_rows] : take(&a->rows, rows_of(a, i));
		a->columns_at[i] =
		    m->same_pattern < i ? a->columns_at[m->same_pattern] : take(&a->columns, entries);
		if (p->ones) { /* all problems have the same ones */
			a->values_at[i] = 0;
			a->values = entries > a->values ? entries : a->values;
		} else {
			a->values_at[i] = like < i ? a->values_at[like] : take(&a->values, entries);
		}
	}
}

tulle_status tulle__batch_gpu_lay_out(const tulle__problems *p, batch_gpu_method method,
                                      batch_gpu_arrays *out)
{
	const int64_t n = p->count;
	tulle_status s;

	*out = (batch_gpu_arrays){ .p = p, .method = method };
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

static void fill_rows(const batch_gpu_arrays *a, int64_t i, int32_t *to)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);

	if (a->method == BATCH_GPU_COO)
		tulle__csr_expand(a->p->env, m.rows, m.offset_type, m.row_ptr, 0, TULLE_I32, to);
	else if (a->method != BATCH_GPU_ELL)
		for (int64_t r = 0; r <= m.rows; r++)
			to[r] = (int32_t)tulle__csr_offset(&m, r);
}

static void fill_columns(const batch_gpu_arrays *a, int64_t i, int32_t *to)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);

	if (a->method != BATCH_GPU_ELL) {
		for (int64_t k = 0; k < m.nnz; k++)
			to[k] = (int32_t)tulle__csr_column(&m, k);
		return;
	}
	for (int64_t r = 0; r < m.rows; r++)
		for (int64_t n = 0; n < a->width[i]; n++)
			to[n * m.rows + r] = n < tulle__csr_length(&m, r)
			                         ? (int32_t)tulle__csr_column(&m, tulle__csr_offset(&m, r) + n)
			                         : -1;
}

static void fill_values(const batch_gpu_arrays *a, int64_t i, char *to)
{
	const tulle__csr m = tulle__problem_csr(a->p, i);
	const size_t size = tulle__value_size(m.value_type);
	const char *val = m.val;

	if (a->method != BATCH_GPU_ELL) {
		if (m.nnz > 0)
			memcpy(to, val, (size_t)m.nnz * size);
		return;
	}
	memset(to, 0, (size_t)(m.rows * a->width[i]) * size);
	for (int64_t r = 0; r < m.rows; r++)
		for (int64_t n = 0; n < tulle__csr_length(&m, r); n++)
			memcpy(to + (size_t)(n * m.rows + r) * size,
			       val + (size_t)(tulle__csr_offset(&m, r) + n) * size, size);
}

/* ---- to the device ---- */

static tulle_status upload_rows(tulle__gpu_plan *plan, const batch_gpu_arrays *a,
                                tulle__gpu_memory *out)
{
	const tulle__problems *p = a->p;
	int32_t *rows;
	tulle_status s = tulle__alloc(p->env, a->rows, sizeof *rows, &rows);

	if (s != TULLE_OK)
		return s;
	for (int64_t i = 0; i < p->count; i++)
		if (p->problem[i].same_rows == i)
			fill_rows(a, i, rows + a->rows_at[i]);
	s = tulle__gpu_array(plan, rows, a->rows, sizeof *rows, out);
	tulle__free(p->env, rows);
	return s;
}

static tulle_status upload_columns(tulle__gpu_plan *plan, const batch_gpu_arrays *a,
                                   tulle__gpu_memory *out)
{
	const tulle__problems *p = a->p;
	int32_t *col;
	tulle_status s = tulle__alloc(p->env, a->columns, sizeof *col, &col);

	if (s != TULLE_OK)
		return s;
	for (int64_t i = 0; i < p->count; i++)
		if (p->problem[i].same_pattern == i)
			fill_columns(a, i, col + a->columns_at[i]);
	s = tulle__gpu_array(plan, col, a->columns, sizeof *col, out);
	tulle__free(p->env, col);
	return s;
}

static tulle_status upload_values(tulle__gpu_plan *plan, const batch_gpu_arrays *a,
                                  tulle__gpu_memory *out)
{
	const tulle__csr_order as_they_are = { .source = NULL };
	const tulle__problems *p = a->p;
	const size_t size = tulle__value_size(p->value_type);
	char *val;
	tulle_status s = tulle__alloc(p->env, a->values, size, &val);

	if (s != TULLE_OK)
		return s;
	if (p->ones)
		tulle__csr_values(p->env, &as_they_are, a->values, p->value_type, NULL, val);
	for (int64_t i = 0; !p->ones && i < p->count; i++)
		if (first_with_values(a, i) == i)
			fill_values(a, i, val + (size_t)a->values_at[i] * size);
	s = tulle__gpu_array(plan, val, a->values, size, out);
	tulle__free(p->env, val);
	return s;
}

tulle_status tulle__batch_gpu_upload(tulle__gpu_plan *plan, const batch_gpu_arrays *a,
                                     tulle__gpu_csr *out)
{
	tulle_status s = upload_rows(plan, a, &out->row_ptr);

	if (s == TULLE_OK)
		s = upload_columns(plan, a, &out->col);
	return s == TULLE_OK ? upload_values(plan, a, &out->val) : s;
}
