/* csr.c -- a CSR that owns its arrays: make, copy, measure, release. */
#include "csr/csr.h"

#include "core/memory.h"

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

static tulle_status copy_array(tulle__env *env, const void *from, int64_t count, size_t size,
                               const void **to)
{
	void *copy;
	tulle_status s;

	*to = NULL;
	if (!from)
		return TULLE_OK;
	s = tulle__alloc(env, count, size, &copy);
	if (s == TULLE_OK)
		*to = memcpy(copy, from, (size_t)count * size);
	return s;
}

tulle_status tulle__csr_copy(tulle__env *env, const tulle__csr *a, tulle__csr *out)
{
	tulle_status s;

	*out = *a;
	out->row_ptr = out->col = out->val = NULL;
	s = copy_array(env, a->row_ptr, a->rows + 1, tulle__index_size(a->offset_type), &out->row_ptr);
	if (s == TULLE_OK)
		s = copy_array(env, a->col, a->nnz, tulle__index_size(a->column_type), &out->col);
	if (s == TULLE_OK)
		s = copy_array(env, a->val, a->nnz, tulle__value_size(a->value_type), &out->val);
	if (s != TULLE_OK)
		tulle__csr_release(env, out);
	return s;
}

void tulle__csr_release(tulle__env *env, tulle__csr *a)
{
	tulle__free(env, a->row_ptr);
	tulle__free(env, a->col);
	tulle__free(env, a->val);
	a->row_ptr = a->col = a->val = NULL;
}

size_t tulle__csr_bytes(const tulle__csr *a)
{
	return (size_t)(a->rows + 1) * tulle__index_size(a->offset_type) +
	       (size_t)a->nnz * (tulle__index_size(a->column_type) +
	                         (a->val ? tulle__value_size(a->value_type) : 0));
}
