/* csr_matrix.c -- a CSR that owns its arrays: make, copy, measure, release. */
#include "csr/csr_matrix.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <string.h>

tulle_status tulle__csr_new(tulle__env *env, int64_t rows, int64_t cols, int64_t nnz,
                            tulle_value_type type, tulle__csr *out, int64_t **row_ptr,
                            int32_t **col, void **val)
{
	tulle_status s = tulle__alloc_zero(env, rows + 1, sizeof **row_ptr, row_ptr);

	*col = NULL;
	if (val)
		*val = NULL;
	if (s == TULLE_OK)
		s = tulle__alloc(env, nnz, sizeof **col, col);
	if (s == TULLE_OK && val)
		s = tulle__alloc(env, nnz, tulle__value_size(type), val);
	*out = (tulle__csr){ .rows = rows,
		                 .cols = cols,
		                 .nnz = nnz,
		                 .offset_type = TULLE_I64,
		                 .column_type = TULLE_I32,
		                 .value_type = type,
		                 .row_ptr = *row_ptr,
		                 .col = *col,
		                 .val = val ? *val : NULL };
	if (s != TULLE_OK)
		tulle__csr_release(env, out);
	return s;
}

int64_t tulle__csr_row_at(const tulle__csr *a, int64_t row_work, int64_t target)
{
	int64_t low = 0, high = a->rows;

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;

		if (tulle__csr_offset(a, middle) + row_work * middle <= target)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int64_t tulle__csr_cut(const tulle__csr *a, int64_t parts, int64_t part)
{
	if (part == 0 || part == parts)
		return part == 0 ? 0 : a->rows;
	return tulle__csr_row_at(a, 1, tulle__cut(a->nnz + a->rows, parts, part));
}

/* ---- copy ---- */

typedef struct {
	const tulle__csr *from;
	void *row_ptr, *col, *val;
	int64_t parts;
} copying;

/* Elements k .. end-1. */
static void copy_range(const void *from, void *to, int64_t k, int64_t end, size_t size)
{
	if (from)
		memcpy((char *)to + (size_t)k * size, (const char *)from + (size_t)k * size,
		       (size_t)(end - k) * size);
}

static void copy_part(const void *arg, int64_t part)
{
	const copying *c = arg;
	const tulle__csr *a = c->from;
	const int64_t row = tulle__csr_cut(a, c->parts, part),
	              end = tulle__csr_cut(a, c->parts, part + 1);
	const int64_t k = tulle__csr_offset(a, row), stop = tulle__csr_offset(a, end);

	copy_range(a->row_ptr, c->row_ptr, row, part + 1 < c->parts ? end : a->rows + 1,
	           tulle__index_size(a->offset_type));
	copy_range(a->col, c->col, k, stop, tulle__index_size(a->column_type));
	copy_range(a->val, c->val, k, stop, tulle__value_size(a->value_type));
}

tulle_status tulle__csr_copy(tulle__env *env, const tulle__csr *a, tulle__csr *out)
{
	const int64_t parts = tulle__parts(a->nnz + a->rows);
	copying c = { .from = a, .parts = parts > 0 ? parts : 1 }; /* at least one offset */
	tulle_status s = tulle__alloc(env, a->rows + 1, tulle__index_size(a->offset_type), &c.row_ptr);

	if (s == TULLE_OK)
		s = tulle__alloc(env, a->nnz, tulle__index_size(a->column_type), &c.col);
	if (s == TULLE_OK && a->val)
		s = tulle__alloc(env, a->nnz, tulle__value_size(a->value_type), &c.val);
	*out = *a;
	out->row_ptr = c.row_ptr;
	out->col = c.col;
	out->val = c.val;
	if (s != TULLE_OK) {
		tulle__csr_release(env, out);
		return s;
	}
	tulle__run_parts(env, copy_part, &c, c.parts, a->nnz + a->rows);
	return s;
}

/* A tulle__csr is a view, nearly always of arrays with another owner. Views that own their arrays are
 * made and freed in this file. */
static void free_array(tulle__env *env, const void *array)
{
	tulle__free(env, (void *)(uintptr_t)array);
}

void tulle__csr_release_entries(tulle__env *env, tulle__csr *a)
{
	free_array(env, a->col);
	free_array(env, a->val);
	a->col = a->val = NULL;
}

void tulle__csr_release(tulle__env *env, tulle__csr *a)
{
	free_array(env, a->row_ptr);
	a->row_ptr = NULL;
	tulle__csr_release_entries(env, a);
}

/* Elements k .. end-1. */
static void drop_range(const void *array, int64_t k, int64_t end, size_t size)
{
	if (array)
		tulle__drop_pages((char *)(uintptr_t)array + (size_t)k * size, (size_t)(end - k) * size);
}

void tulle__csr_drop(const tulle__csr *a, int64_t k, int64_t end)
{
	drop_range(a->col, k, end, tulle__index_size(a->column_type));
	drop_range(a->val, k, end, tulle__value_size(a->value_type));
}

void tulle__csr_replace_values(tulle__env *env, tulle__csr *a, void *val)
{
	free_array(env, a->val);
	a->val = val;
}

size_t tulle__csr_bytes(const tulle__csr *a)
{
	return tulle__bytes(a->rows + 1, tulle__index_size(a->offset_type)) +
	       tulle__bytes(a->nnz, tulle__index_size(a->column_type)) +
	       (a->val ? tulle__bytes(a->nnz, tulle__value_size(a->value_type)) : 0);
}
