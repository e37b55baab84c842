/* slice.c -- copies ranges of rows into a smaller matrix. */
#include "planner/slice.h"

#include "core/split.h"

#include <string.h>

enum {
	SHARE = 16,
	STRETCHES = 8,
	ROUND = 48,        /* rows: whole chunks and whole blocks of every size */
	SMALLEST = 4 << 20 /* nonzeros; a smaller slice is multiplied before helper threads start */
};

int tulle__worth_slicing(const tulle__csr *a)
{
	return a->nnz >= SMALLEST && a->rows >= SHARE * STRETCHES * ROUND && a->cols <= TULLE__I32_MAX;
}

/* The first row of range s, and the row after its last. */
static void stretch_of(const tulle__csr *a, int64_t s, int64_t *begin, int64_t *end)
{
	const int64_t groups = a->rows / ROUND;

	*begin = ROUND * tulle__cut(groups, STRETCHES, s);
	*end = *begin + ROUND * (groups / (STRETCHES * SHARE));
}

static void copy_row(const tulle__csr *a, int64_t i, int64_t at, int32_t *col, char *val)
{
	const size_t size = tulle__value_size(a->value_type);
	const int64_t k = tulle__csr_offset(a, i), n = tulle__csr_length(a, i);

	for (int64_t e = 0; e < n; e++)
		col[at + e] = TULLE__I32(tulle__index_at(a->col, a->column_type, k + e));
	if (val)
		memcpy(val + (size_t)at * size, (const char *)a->val + (size_t)k * size, (size_t)n * size);
}

tulle_status tulle__slice(const tulle__csr *a, tulle__env *env, tulle__csr *out)
{
	int64_t rows = 0, nnz = 0, begin, end, *row_ptr;
	int32_t *col;
	void *val = NULL;
	tulle_status s;

	for (int64_t n = 0; n < STRETCHES; n++) {
		stretch_of(a, n, &begin, &end);
		rows += end - begin;
		nnz += tulle__csr_offset(a, end) - tulle__csr_offset(a, begin);
	}
	s = tulle__csr_new(env, rows, a->cols, nnz, a->value_type, out, &row_ptr, &col,
	                   a->val ? &val : NULL);
	if (s != TULLE_OK)
		return s;
	rows = nnz = 0;
	for (int64_t n = 0; n < STRETCHES; n++) {
		stretch_of(a, n, &begin, &end);
		for (int64_t i = begin; i < end; i++) {
			copy_row(a, i, nnz, col, val);
			nnz += tulle__csr_length(a, i);
			row_ptr[++rows] = nnz;
		}
	}
	return TULLE_OK;
}
