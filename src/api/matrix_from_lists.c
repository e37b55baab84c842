/* matrix_from_lists.c -- A from the CSR of its present rows and columns, with the lists of their numbers. */
#include "api/handles.h"
#include "api/matrix_given.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>
#include <string.h>

/* Rows or columns: `present` of `whole`. */
static tulle_status check_list(const char *name, const int64_t *list, int64_t present,
                               int64_t whole, tulle_check check)
{
	if (!list && present != whole)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "lists.%s is NULL, but only %" PRId64 " of %" PRId64 " are present",
		                   name, present, whole);
	if ((uintptr_t)list % sizeof *list != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "lists.%s is not a multiple of its element's size",
		                   name);
	for (int64_t n = 0; list && check != TULLE_CHECK_NONE && n < present; n++) {
		if (list[n] < 0 || list[n] >= whole)
			return tulle__fail(TULLE_E_MATRIX,
			                   "lists.%s[%" PRId64 "] = %" PRId64 " is outside 0 .. %" PRId64, name,
			                   n, list[n], whole - 1);
		if (n > 0 && list[n] <= list[n - 1])
			return tulle__fail(TULLE_E_MATRIX,
			                   "lists.%s[%" PRId64 "] = %" PRId64
			                   " is not larger than the one before it",
			                   name, n, list[n]);
	}
	return TULLE_OK;
}

static tulle_status check_lists(const tulle_lists *lists, const tulle__given *s)
{
	tulle_status status = tulle__check_count("lists.rows", lists->rows);

	if (status == TULLE_OK)
		status = tulle__check_count("lists.cols", lists->cols);
	if (status == TULLE_OK && s->options.kind != TULLE_GENERAL)
		status = tulle__fail(TULLE_E_UNSUPPORTED,
		                     "options.kind: lists are for TULLE_GENERAL; give both triangles");
	if (status == TULLE_OK)
		status = check_list("row", lists->row, s->rows, lists->rows, s->options.check);
	if (status == TULLE_OK)
		status = check_list("col", lists->col, s->cols, lists->cols, s->options.check);
	return status;
}

static tulle_status copy_list(tulle__env *env, const int64_t *list, int64_t count, int64_t **out)
{
	tulle_status s = TULLE_OK;

	if (list)
		s = tulle__alloc(env, count, sizeof *list, out);
	if (list && s == TULLE_OK && count > 0)
		memcpy(*out, list, (size_t)count * sizeof *list);
	return s;
}

tulle_status tulle_matrix_from_csr_lists(tulle_context *context, const tulle_lists *lists,
                                         tulle_index_type offset_type, const void *row_ptr,
                                         tulle_index_type column_type, const void *col,
                                         tulle_value_type value_type, const void *val,
                                         const tulle_matrix_options *options, tulle_matrix **out)
{
	tulle__given s = { .value_type = value_type, .val = val };
	tulle_lists known;
	tulle_matrix *m = NULL;
	tulle_status status;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!lists)
		return tulle__fail(TULLE_E_ARGUMENT, "lists is NULL");
	status = tulle__read_options("tulle_lists", lists, &known, sizeof known);
	if (status != TULLE_OK)
		return status;
	s.rows = known.present_rows;
	s.cols = known.present_cols;
	status = tulle__check_given(&s, context, options, out);
	if (status == TULLE_OK)
		status = check_lists(&known, &s);
	if (status != TULLE_OK)
		return status;
	tulle__csr a = { s.rows, s.cols, 0, offset_type, column_type, value_type, row_ptr, col, val };
	status = tulle__check_compressed(&s, s.rows, s.cols, offset_type, row_ptr, column_type, col,
	                                 &tulle__words_of_csr, &a.nnz);
	if (status == TULLE_OK)
		status = tulle__matrix_from_checked(&s, &a, &m);
	if (status != TULLE_OK)
		return status;
	m->lists = (tulle__lists){ .rows = known.rows, .cols = known.cols };
	status = copy_list(&s.context->env, known.row, s.rows, &m->lists.row);
	if (status == TULLE_OK)
		status = copy_list(&s.context->env, known.col, s.cols, &m->lists.col);
	if (status != TULLE_OK) {
		tulle_matrix_destroy(m);
		return status;
	}
	*out = m;
	return TULLE_OK;
}
