/* block_csr.c -- block CSR: copy, release, and expansion to CSR for formats without blocks.
 *
 * All rows of a block row have the same columns, so where each row begins in the expansion is known
 * without counting. Rows are expanded in the parts of `csr`, so that each part is in memory near the thread
 * that will read it. */
#include "csr/block_csr.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <string.h>

tulle__csr tulle__bsr_shape(const tulle__bsr *a)
{
	const int64_t nnz = a->blocks * a->height * a->width, cols = a->block_cols * a->width;
	const tulle_index_type column = tulle__index_type_for(cols);

	return (tulle__csr){ .rows = a->block_rows * a->height,
		                 .cols = cols,
		                 .nnz = nnz,
		                 .offset_type =
		                     column == TULLE_I64 ? TULLE_I64 : tulle__index_type_for(nnz),
		                 .column_type = column,
		                 .value_type = a->value_type,
		                 .val = a->val };
}

/* ---- rows ---- */

/* One row of the matrix. */
typedef struct {
	int64_t k, end; /* its blocks */
	int64_t at;     /* of its first value in the first of them */
	int64_t place;  /* of its first entry in the expansion */
} row;

TULLE_INLINE row row_of(const tulle__bsr *a, int64_t i)
{
	const int64_t block_row = i / a->height, r = i % a->height;
	const int64_t k = tulle__bsr_offset(a, block_row), end = tulle__bsr_offset(a, block_row + 1);
	const int64_t before = k * a->height * a->width;

	return (row){ k, end, before + r * tulle__bsr_down(a), before + r * (end - k) * a->width };
}

TULLE_INLINE void put_columns(const tulle__bsr *a, const row *from, void *col,
                              tulle_index_type type, int64_t place)
{
	for (int64_t k = from->k; k < from->end; k++) {
		const int64_t first = tulle__bsr_column(a, k) * a->width;

		for (int64_t c = 0; c < a->width; c++)
			tulle__index_set(col, type, place++, first + c);
	}
}

TULLE_INLINE void put_values(const tulle__bsr *a, const row *from, const void *val, size_t size,
                             const void *one, void *to, int64_t place)
{
	const int64_t right = tulle__bsr_right(a), next = a->height * a->width;
	int64_t at = from->at;

	for (int64_t k = from->k; k < from->end; k++, at += next)
		for (int64_t c = 0; c < a->width; c++)
			tulle__value_move(to, place++, tulle__value_or_one(val, at + c * right, size, one), 0,
			                  size);
}

/* ---- the expansion ---- */

typedef struct {
	const tulle__bsr *a;
	const tulle__csr *shape; /* with offsets when the rest is filled */
	int64_t parts;
	void *row_ptr, *col;
	const void *val; /* from; NULL: ones */
	size_t size;
	const void *one;
	void *to; /* values; NULL: none are wanted */
} job;

static void put_offsets(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->shape->rows, j->parts, part + 1);

	for (int64_t i = tulle__cut(j->shape->rows, j->parts, part); i < end; i++)
		tulle__index_set(j->row_ptr, j->shape->offset_type, i, row_of(j->a, i).place);
}

static void put_row_values(const job *j, const row *from)
{
	switch (j->size) {
	case 4: put_values(j->a, from, j->val, 4, j->one, j->to, from->place); break;
	case 8: put_values(j->a, from, j->val, 8, j->one, j->to, from->place); break;
	default: put_values(j->a, from, j->val, j->size, j->one, j->to, from->place); break;
	}
}

static void put_rows(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = j->row_ptr ? tulle__csr_cut(j->shape, j->parts, part + 1)
	                               : tulle__cut(j->shape->rows, j->parts, part + 1);
	int64_t i = j->row_ptr ? tulle__csr_cut(j->shape, j->parts, part)
	                       : tulle__cut(j->shape->rows, j->parts, part);

	for (; i < end; i++) {
		const row from = row_of(j->a, i);

		if (j->col && j->shape->column_type == TULLE_I32)
			put_columns(j->a, &from, j->col, TULLE_I32, from.place);
		else if (j->col)
			put_columns(j->a, &from, j->col, TULLE_I64, from.place);
		if (j->to)
			put_row_values(j, &from);
	}
}

static void run_rows(tulle__env *env, job *j)
{
	const int64_t work = j->shape->nnz + j->shape->rows;

	j->parts = tulle__parts(work);
	tulle__run_parts(env, put_rows, j, j->parts, work);
}

void tulle__bsr_offsets(tulle__env *env, const tulle__bsr *a, const tulle__csr *shape,
                        void *row_ptr)
{
	const job j = {
		.a = a, .shape = shape, .parts = tulle__parts(shape->rows), .row_ptr = row_ptr
	};

	tulle__run_parts(env, put_offsets, &j, j.parts, shape->rows);
	tulle__index_set(row_ptr, shape->offset_type, shape->rows, shape->nnz);
}

tulle_status tulle__bsr_expand(tulle__env *env, const tulle__bsr *a, tulle__csr *out)
{
	const tulle__type *type = tulle__type_of(a->value_type);
	tulle__csr shape = tulle__bsr_shape(a);
	job j = { .a = a, .shape = &shape, .val = a->val, .size = type->size, .one = type->one };
	tulle_status s =
	    tulle__alloc(env, shape.rows + 1, tulle__index_size(shape.offset_type), &j.row_ptr);

	if (s == TULLE_OK)
		s = tulle__alloc(env, shape.nnz, tulle__index_size(shape.column_type), &j.col);
	if (s == TULLE_OK && a->val)
		s = tulle__alloc(env, shape.nnz, type->size, &j.to);
	shape.row_ptr = j.row_ptr;
	shape.col = j.col;
	shape.val = j.to;
	if (s == TULLE_OK) {
		tulle__bsr_offsets(env, a, &shape, j.row_ptr);
		run_rows(env, &j);
	} else {
		tulle__csr_release(env, &shape);
	}
	*out = shape;
	return s;
}

void tulle__bsr_values(tulle__env *env, const tulle__bsr *a, const void *val, void *to)
{
	const tulle__type *type = tulle__type_of(a->value_type);
	const tulle__csr shape = tulle__bsr_shape(a);
	job j = { .a = a, .shape = &shape, .val = val, .size = type->size, .one = type->one, .to = to };

	run_rows(env, &j);
}

tulle_status tulle__bsr_order(tulle__env *env, const tulle__bsr *a, tulle__csr_order *out)
{
	const tulle__csr shape = tulle__bsr_shape(a);
	const tulle_index_type type = tulle__index_type_for(shape.nnz);
	job j = { .a = a, .shape = &shape, .size = tulle__index_size(type) };
	void *number;
	tulle_status s = tulle__alloc(env, shape.nnz, j.size, &number);

	*out = (tulle__csr_order){ .type = type };
	if (s == TULLE_OK)
		s = tulle__alloc(env, shape.nnz, j.size, &out->source);
	if (s == TULLE_OK) {
		for (int64_t k = 0; k < shape.nnz; k++)
			tulle__index_set(number, type, k, k);
		j.val = number;
		j.to = out->source;
		run_rows(env, &j);
	}
	tulle__free(env, number);
	return s;
}

void tulle__bsr_append(const tulle__bsr *a, int64_t begin, int64_t end, const tulle__bsr_rows *to,
                       int64_t *row_at)
{
	const tulle__type *type = tulle__type_of(a->value_type);

	for (int64_t i = begin * a->height; i < end * a->height; i++, ++*row_at) {
		const row from = row_of(a, i);
		const int64_t place = to->row_ptr[*row_at];

		put_columns(a, &from, to->col, TULLE_I32, place);
		if (to->val)
			put_values(a, &from, a->val, type->size, type->one, to->val, place);
		to->row_ptr[*row_at + 1] = place + (from.end - from.k) * a->width;
	}
}

/* ---- copies ---- */

static tulle_status copy_indices(tulle__env *env, const void *from, tulle_index_type type,
                                 int64_t count, int base, const void **out)
{
	void *to;
	const tulle_status s = tulle__alloc(env, count, tulle__index_size(type), &to);

	*out = to;
	for (int64_t k = 0; k < count && s == TULLE_OK; k++)
		tulle__index_set(to, type, k, tulle__index_at(from, type, k) - base);
	return s;
}

tulle_status tulle__bsr_copy(tulle__env *env, const tulle__bsr *a, int base, int with_values,
                             tulle__bsr *out)
{
	const size_t bytes =
	    tulle__bytes(a->blocks * a->height * a->width, tulle__value_size(a->value_type));
	void *val = NULL;
	tulle_status s;

	*out = *a;
	out->col = out->val = NULL;
	s = copy_indices(env, a->ptr, a->offset_type, a->block_rows + 1, base, &out->ptr);
	if (s == TULLE_OK)
		s = copy_indices(env, a->col, a->column_type, a->blocks, base, &out->col);
	if (s == TULLE_OK && with_values && a->val)
		s = tulle__alloc(env, 1, bytes, &val);
	if (s == TULLE_OK && val)
		memcpy(val, a->val, bytes);
	out->val = val;
	if (s != TULLE_OK)
		tulle__bsr_release(env, out);
	return s;
}

/* Frees the arrays of a view that has no other owner, as in csr_matrix.c. */
static tulle__csr arrays_of(const tulle__bsr *a)
{
	return (tulle__csr){ .row_ptr = a->ptr, .col = a->col, .val = a->val };
}

void tulle__bsr_release(tulle__env *env, tulle__bsr *a)
{
	tulle__csr arrays = arrays_of(a);

	tulle__csr_release(env, &arrays);
	a->ptr = a->col = a->val = NULL;
}

size_t tulle__bsr_bytes(const tulle__bsr *a)
{
	const int64_t nnz = a->blocks * a->height * a->width;

	return tulle__bytes(a->block_rows + 1, tulle__index_size(a->offset_type)) +
	       tulle__bytes(a->blocks, tulle__index_size(a->column_type)) +
	       (a->val ? tulle__bytes(nnz, tulle__value_size(a->value_type)) : 0);
}
