/* matrix_from.c -- A from the caller's arrays: checks them and converts them to the canonical
 * CSR. */
#include "api/handles.h"
#include "api/matrix_given.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>

static const tulle__csr_words csc_words = { "col_ptr", "row", "column" };

/* ---- building ---- */

static tulle_status check_triangle(const tulle__given *s, const tulle__triplets *t)
{
	const tulle_triangle triangle = s->options.triangle;
	int64_t k;

	if (t->kind == TULLE_GENERAL || s->options.check != TULLE_CHECK_FULL)
		return TULLE_OK;
	k = tulle__check_triangle(&s->context->env, t, triangle);
	if (k == t->nnz)
		return TULLE_OK;
	return tulle__fail(
	    TULLE_E_MATRIX,
	    "entry %" PRId64 " in row %" PRId64 ", column %" PRId64 " is not %s the diagonal", k,
	    tulle__index_at(t->row, t->row_type, k), tulle__index_at(t->col, t->col_type, k),
	    t->kind == TULLE_SKEW ? (triangle == TULLE_LOWER ? "below" : "above")
	                          : (triangle == TULLE_LOWER ? "on or below" : "on or above"));
}

/* The matrix's values from the caller's. If all are ones, none are stored, unless signs differ. */
static tulle_status own_values(tulle_matrix *m, const void *val)
{
	tulle__env *env = &m->context->env;
	void *values;
	tulle_status status;

	if (!val && m->kind != TULLE_SKEW)
		return TULLE_OK;
	status = tulle__alloc(env, m->a.nnz, tulle__value_size(m->a.value_type), &values);
	if (status != TULLE_OK)
		return status;
	tulle__csr_values(env, &m->order, m->a.nnz, m->a.value_type, val, values);
	m->a.val = m->owned.val = values;
	return TULLE_OK;
}

static tulle_status from_triplets(const tulle__given *s, const tulle__triplets *t,
                                  tulle_matrix **out)
{
	tulle__compacted small;
	tulle_matrix *m;
	tulle_status status = check_triangle(s, t);

	if (status == TULLE_OK)
		status = tulle__matrix_new(s->context, s->options.kind, t->nnz, &m);
	if (status != TULLE_OK)
		return status;
	status = tulle__compact(&s->context->env, t, s->compact, &small, &m->lists);
	if (status == TULLE_OK)
		status = tulle__csr_build(&s->context->env, &small.t, &m->a, &m->order);
	tulle__compacted_release(&s->context->env, &small);
	if (status == TULLE_OK) {
		m->a.value_type = s->value_type;
		m->owned = m->a;
		status = own_values(m, s->val);
	}
	if (status != TULLE_OK) {
		tulle_matrix_destroy(m);
		return status;
	}
	tulle__log(&s->context->env, TULLE_LOG_INFO,
	           "matrix: rows of its own for %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros",
	           m->a.rows, m->a.cols, m->a.nnz);
	*out = m;
	return TULLE_OK;
}

tulle_status tulle__matrix_from_triplets(tulle_context *context, const tulle__triplets *t,
                                         tulle_value_type type, const void *val,
                                         tulle_compact compact, tulle_matrix **out)
{
	tulle__given s = { .rows = t->rows,
		               .cols = t->cols,
		               .value_type = type,
		               .val = val,
		               .options = { .check = TULLE_CHECK_NONE, .kind = t->kind },
		               .compact = compact };
	const tulle_status status = tulle__context_of(context, &s.context);

	return status == TULLE_OK ? from_triplets(&s, t, out) : status;
}

/* The caller's arrays as they are, or copies of them. */
static tulle_status from_plain_csr(const tulle__given *s, const tulle__csr *a, tulle_matrix **out)
{
	tulle__env *env = &s->context->env;
	tulle_matrix *m;
	tulle_status status = tulle__matrix_new(s->context, s->options.kind, a->nnz, &m);

	if (status != TULLE_OK)
		return status;
	m->a = *a;
	if (s->options.ownership == TULLE_COPY) {
		status = tulle__csr_copy(env, a, &m->a);
		m->owned = m->a;
	}
	/* 32-bit offsets with 64-bit columns have no kernels: widen the shorter array. */
	if (status == TULLE_OK && a->offset_type == TULLE_I32 && a->column_type == TULLE_I64) {
		int64_t *wide;

		status = tulle__alloc(env, a->rows + 1, sizeof *wide, &wide);
		if (status == TULLE_OK) {
			for (int64_t i = 0; i <= a->rows; i++)
				wide[i] = tulle__index_at(a->row_ptr, TULLE_I32, i);
			tulle__csr_release(env, &(tulle__csr){ .row_ptr = m->owned.row_ptr });
			m->owned.row_ptr = m->a.row_ptr = wide;
			m->a.offset_type = TULLE_I64;
		}
	}
	if (status != TULLE_OK) {
		tulle_matrix_destroy(m);
		return status;
	}
	*out = m;
	return TULLE_OK;
}

/* Compressed rows or columns as triplets: `major` is the index that compression leaves out. */
static tulle_status from_compressed(const tulle__given *s, int64_t majors,
                                    tulle_index_type offset_type, const void *ptr,
                                    tulle__triplets *t, const void **major_array,
                                    tulle_index_type *major_type, tulle_matrix **out)
{
	tulle__env *env = &s->context->env;
	void *major;
	tulle_status status;

	*major_type = tulle__index_type_for(majors + s->options.base);
	status = tulle__alloc(env, t->nnz, tulle__index_size(*major_type), &major);
	if (status != TULLE_OK)
		return status;
	tulle__csr_expand(env, majors, offset_type, ptr, s->options.base, *major_type, major);
	*major_array = major;
	status = from_triplets(s, t, out);
	tulle__free(env, major);
	return status;
}

tulle_status tulle__matrix_from_checked(const tulle__given *s, const tulle__csr *a,
                                        tulle_matrix **out)
{
	tulle__triplets t = { .rows = a->rows,
		                  .cols = a->cols,
		                  .nnz = a->nnz,
		                  .col_type = a->column_type,
		                  .col = a->col,
		                  .base = s->options.base,
		                  .kind = s->options.kind };

	if (t.base == 0 && t.kind == TULLE_GENERAL)
		return from_plain_csr(s, a, out);
	return from_compressed(s, a->rows, a->offset_type, a->row_ptr, &t, &t.row, &t.row_type, out);
}

/* ---- public ---- */

tulle_status tulle_matrix_from_csr(tulle_context *context, int64_t rows, int64_t cols,
                                   tulle_index_type offset_type, const void *row_ptr,
                                   tulle_index_type column_type, const void *col,
                                   tulle_value_type value_type, const void *val,
                                   const tulle_matrix_options *options, tulle_matrix **out)
{
	tulle__given s = { .rows = rows, .cols = cols, .value_type = value_type, .val = val };
	tulle__csr a = { rows, cols, 0, offset_type, column_type, value_type, row_ptr, col, val };
	tulle_status status = tulle__check_given(&s, context, options, out);

	if (status == TULLE_OK)
		status = tulle__check_compressed(&s, rows, cols, offset_type, row_ptr, column_type, col,
		                                 &tulle__words_of_csr, &a.nnz);
	return status == TULLE_OK ? tulle__matrix_from_checked(&s, &a, out) : status;
}

tulle_status tulle_matrix_from_csc(tulle_context *context, int64_t rows, int64_t cols,
                                   tulle_index_type offset_type, const void *col_ptr,
                                   tulle_index_type row_type, const void *row,
                                   tulle_value_type value_type, const void *val,
                                   const tulle_matrix_options *options, tulle_matrix **out)
{
	tulle__given s = { .rows = rows, .cols = cols, .value_type = value_type, .val = val };
	tulle__triplets t = { .rows = rows, .cols = cols, .row_type = row_type, .row = row };
	tulle_status status = tulle__check_given(&s, context, options, out);

	if (status == TULLE_OK)
		status = tulle__check_compressed(&s, cols, rows, offset_type, col_ptr, row_type, row,
		                                 &csc_words, &t.nnz);
	if (status != TULLE_OK)
		return status;
	t.base = s.options.base;
	t.kind = s.options.kind;
	return from_compressed(&s, cols, offset_type, col_ptr, &t, &t.col, &t.col_type, out);
}

static tulle_status check_triplet_index(const tulle__given *s, const char *name, int64_t count,
                                        int64_t size, tulle_index_type type, const void *index)
{
	const int base = s->options.base;
	tulle_status status = tulle__check_index_array(name, type, index, count == 0);
	int64_t k;

	if (status != TULLE_OK || s->options.check != TULLE_CHECK_FULL)
		return status;
	k = tulle__check_indices(&s->context->env, count, size, type, index, base);
	if (k == count)
		return TULLE_OK;
	return tulle__fail(TULLE_E_MATRIX, "%s[%" PRId64 "] = %" PRId64 " is outside %d .. %" PRId64,
	                   name, k, tulle__index_at(index, type, k), base, size - 1 + base);
}

tulle_status tulle_matrix_from_coo_compact(tulle_context *context, int64_t rows, int64_t cols,
                                           int64_t nnz, tulle_index_type index_type,
                                           const void *row, const void *col,
                                           tulle_value_type value_type, const void *val,
                                           tulle_compact compact,
                                           const tulle_matrix_options *options, tulle_matrix **out)
{
	tulle__given s = {
		.rows = rows, .cols = cols, .value_type = value_type, .val = val, .compact = compact
	};
	tulle__triplets t = { rows, cols, nnz, index_type, index_type, row, col, 0, TULLE_GENERAL };
	tulle_status status = tulle__check_given(&s, context, options, out);

	if (status == TULLE_OK)
		status = tulle__check_compact("compact", compact);
	if (status == TULLE_OK)
		status = tulle__check_count("nnz", nnz);
	if (status == TULLE_OK)
		status = check_triplet_index(&s, "row", nnz, rows, index_type, row);
	if (status == TULLE_OK)
		status = check_triplet_index(&s, "col", nnz, cols, index_type, col);
	if (status != TULLE_OK)
		return status;
	t.base = s.options.base;
	t.kind = s.options.kind;
	return from_triplets(&s, &t, out);
}

tulle_status tulle_matrix_from_coo(tulle_context *context, int64_t rows, int64_t cols, int64_t nnz,
                                   tulle_index_type index_type, const void *row, const void *col,
                                   tulle_value_type value_type, const void *val,
                                   const tulle_matrix_options *options, tulle_matrix **out)
{
	return tulle_matrix_from_coo_compact(context, rows, cols, nnz, index_type, row, col, value_type,
	                                     val, TULLE_COMPACT_NONE, options, out);
}
