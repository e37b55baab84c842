/* tuned_rows.c -- some rows of a tuned file: their offsets, columns and values, and nothing else of the sections. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "io/tuned_reader.h"

#include <inttypes.h>
#include <string.h>

/* Offsets as the file has them: rows first .. of all `rows` begin there. */
typedef struct {
	tulle_index_type type;
	void *ptr;
	int64_t count, parts;
	int64_t begin; /* the first of them */
} offsets;

static tulle_status check_range(const tulle__tuned_reader *r, int64_t first, int64_t end)
{
	if (first >= 0 && first <= end && end <= r->out->a.rows)
		return TULLE_OK;
	return tulle__fail(TULLE_E_ARGUMENT,
	                   "%s: rows %" PRId64 " .. %" PRId64 " were requested, there are %" PRId64,
	                   r->source.name, first, end - (end > INT64_MIN), r->out->a.rows);
}

/* In order, from 0 in the first row of the file to nnz in the last one. So what the rows have is inside the sections. */
static tulle_status check_offsets(tulle__env *env, const tulle__tuned_reader *r, const offsets *o,
                                  int64_t first)
{
	const tulle__csr *a = &r->out->a;
	const int64_t end = first + o->count - 1, nnz = r->header.nnz;
	const int64_t last = tulle__index_at(o->ptr, o->type, o->count - 1);
	tulle_status s = TULLE_OK;

	if (o->begin < 0 || (first == 0 && o->begin != 0))
		s = tulle__fail(TULLE_E_MATRIX, "row_ptr[%" PRId64 "] = %" PRId64 " is %s", first, o->begin,
		                first == 0 ? "not 0" : "negative");
	else if (last > nnz || (end == r->header.rows && last != nnz))
		s = tulle__fail(TULLE_E_MATRIX, "row_ptr[%" PRId64 "] = %" PRId64 " is %s nnz = %" PRId64,
		                end, last, last > nnz ? "more than" : "not", nnz);
	else
		s = tulle__csr_check_order(env, o->count - 1, a->offset_type, o->ptr, first,
		                           &tulle__words_of_csr);
	return s == TULLE_OK ? s : tulle__tuned_fail_in(r, TULLE__TUNED_ROW_PTR, s);
}

static void rebase_part(const void *arg, int64_t part)
{
	const offsets *o = arg;
	const int64_t end = tulle__cut(o->count, o->parts, part + 1);

	for (int64_t i = tulle__cut(o->count, o->parts, part); i < end; i++)
		tulle__index_set(o->ptr, o->type, i, tulle__index_at(o->ptr, o->type, i) - o->begin);
}

/* *begin: the first entry of these rows in the file. */
static tulle_status read_offsets(tulle__env *env, const tulle__tuned_reader *r, int64_t first,
                                 int64_t end, int64_t *begin)
{
	tulle__csr *a = &r->out->a;
	offsets o = { .type = a->offset_type, .count = end - first + 1 };
	tulle_status s = tulle__tuned_read_array(env, r, TULLE__TUNED_ROW_PTR, first, o.count,
	                                         tulle__index_size(a->offset_type), &o.ptr);

	a->rows = end - first;
	a->row_ptr = r->out->owned.row_ptr = o.ptr;
	if (s != TULLE_OK)
		return s;
	*begin = o.begin = tulle__index_at(o.ptr, o.type, 0);
	s = check_offsets(env, r, &o, first);
	if (s != TULLE_OK)
		return s;
	o.parts = tulle__parts(o.count);
	tulle__run_parts(env, rebase_part, &o, o.parts, o.count);
	a->nnz = tulle__csr_offset(a, a->rows);
	return TULLE_OK;
}

static tulle_status read_columns(tulle__env *env, const tulle__tuned_reader *r, int64_t begin)
{
	tulle__csr *a = &r->out->a;
	void *col = NULL;
	int64_t k;
	tulle_status s = tulle__tuned_read_array(env, r, TULLE__TUNED_COL, begin, a->nnz,
	                                         tulle__index_size(a->column_type), &col);

	a->col = r->out->owned.col = col;
	if (s != TULLE_OK)
		return s;
	k = tulle__check_indices(env, a->nnz, a->cols, a->column_type, col, 0);
	if (k == a->nnz)
		return TULLE_OK;
	return tulle__fail(TULLE_E_MATRIX,
	                   "%s: col: col[%" PRId64 "] = %" PRId64 " is outside 0 .. %" PRId64,
	                   r->source.name, begin + k, tulle__csr_column(a, k), a->cols - 1);
}

static tulle_status read_values(tulle__env *env, const tulle__tuned_reader *r, int64_t begin)
{
	tulle__csr *a = &r->out->a;
	void *val = NULL;
	const tulle_status s = r->out->has_values
	                           ? tulle__tuned_read_array(env, r, TULLE__TUNED_VAL, begin, a->nnz,
	                                                     tulle__value_size(a->value_type), &val)
	                           : TULLE_OK;

	a->val = r->out->owned.val = val;
	return s == TULLE_OK ? tulle__tuned_change_type(env, r) : s;
}

tulle_status tulle__tuned_read_rows(tulle__env *env, const char *path,
                                    const tulle__tuned_options *options, int64_t first, int64_t end,
                                    tulle__tuned *out)
{
	tulle__tuned_reader r = { .source.fd = -1, .options = options, .out = out };
	int64_t begin = 0;
	tulle_status s = tulle__tuned_open(env, path, &r);

	if (s == TULLE_OK)
		s = check_range(&r, first, end);
	if (s == TULLE_OK)
		s = read_offsets(env, &r, first, end, &begin);
	if (s == TULLE_OK)
		s = read_columns(env, &r, begin);
	if (s == TULLE_OK)
		s = read_values(env, &r, begin);
	tulle__source_close(&r.source);
	if (s != TULLE_OK)
		tulle__tuned_release(env, out);
	return s;
}
