/* batch_source.c -- checks the caller's problems and makes one list of them, for either form of input. */
#include "batch/batch_store.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>
#include <stdio.h>

/* Rows, columns and entries of a problem have 32 bits; some room for whole vectors. */
enum { MOST = TULLE__I32_MAX - 64 };

/* ---- arguments ---- */

static tulle_status in_problem(tulle_status s, int64_t i)
{
	char prefix[40];

	snprintf(prefix, sizeof prefix, "problem %" PRId64, i);
	return tulle__fail_in(s, prefix);
}

static tulle_status check_types(tulle_index_type offset, tulle_index_type column,
                                tulle_value_type value)
{
	if (offset != TULLE_I32 && offset != TULLE_I64)
		return tulle__fail(TULLE_E_ARGUMENT, "offset_type = %d is neither TULLE_I32 nor TULLE_I64",
		                   (int)offset);
	if (column != TULLE_I32 && column != TULLE_I64)
		return tulle__fail(TULLE_E_ARGUMENT, "column_type = %d is neither TULLE_I32 nor TULLE_I64",
		                   (int)column);
	return tulle__check_compute_type("value_type", value);
}

static tulle_status check_arrays(const tulle__problems *p, const tulle__problem *a)
{
	tulle_status s;

	if (!a->row_ptr)
		return tulle__fail(TULLE_E_ARGUMENT, "row_ptr is NULL");
	s = tulle__check_alignment("row_ptr", a->row_ptr, tulle__index_size(p->offset_type));
	if (s == TULLE_OK)
		s = tulle__check_alignment("col", a->col, tulle__index_size(p->column_type));
	if (s == TULLE_OK)
		s = tulle__check_alignment("val", a->val, tulle__element_align(p->value_type));
	return s;
}

static tulle_status check_size(const char *name, int64_t n)
{
	if (n < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is negative", name, n);
	if (n > MOST)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s = %" PRId64
		                   " is more than %d, the limit for a problem of a batch; make a plan "
		                   "for it",
		                   name, n, MOST);
	return TULLE_OK;
}

/* Can elements start .. start+count-1 of an array be addressed? */
static tulle_status check_place(const char *name, int64_t start, int64_t count)
{
	if (start < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is negative", name, start);
	if (start > TULLE__MOST - count)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " does not fit in memory", name,
		                   start);
	return TULLE_OK;
}

/* ---- matrices ---- */

typedef struct inspection {
	const tulle__problems *p;
	tulle_status (*look)(const struct inspection *w, int64_t i);
	tulle_check check;
	int64_t parts;
	int64_t *first_bad; /* one per part; count: none */
} inspection;

static tulle_status look_at_offsets(const inspection *w, int64_t i)
{
	const tulle__problems *p = w->p;
	const tulle__csr a = tulle__problem_csr(p, i);
	tulle_status s = TULLE_OK;

	if (w->check != TULLE_CHECK_NONE)
		s = tulle__csr_check_offsets(p->env, a.rows, a.offset_type, a.row_ptr, 0,
		                             &tulle__words_of_csr);
	if (s == TULLE_OK)
		s = check_size("nnz", tulle__csr_offset(&a, a.rows));
	if (s == TULLE_OK && !a.col && tulle__csr_offset(&a, a.rows) > 0)
		s = tulle__fail(TULLE_E_ARGUMENT, "col is NULL");
	return s;
}

static tulle_status look_at_columns(const inspection *w, int64_t i)
{
	const tulle__problems *p = w->p;
	const tulle__csr a = tulle__problem_csr(p, i);

	return tulle__csr_check_indices(p->env, a.rows, a.cols, a.offset_type, a.row_ptr, a.column_type,
	                                a.col, 0, &tulle__words_of_csr);
}

static void inspect_part(const void *arg, int64_t part)
{
	const inspection *w = arg;
	const int64_t end = tulle__cut(w->p->count, w->parts, part + 1);
	int64_t i = tulle__cut(w->p->count, w->parts, part);

	while (i < end && w->look(w, i) == TULLE_OK)
		i++;
	w->first_bad[part] = i < end ? i : w->p->count;
}

/* Checks in parallel; the calling thread then makes the message about the first fault. */
static tulle_status inspect(inspection *w)
{
	const tulle__problems *p = w->p;

	tulle__run_parts(p->env, inspect_part, w, w->parts, 4 * (p->rows + p->count));
	for (int64_t part = 0; part < w->parts; part++)
		if (w->first_bad[part] < p->count)
			return in_problem(w->look(w, w->first_bad[part]), w->first_bad[part]);
	return TULLE_OK;
}

/* Checks all offsets before any column: if problems are contiguous, the last offset of each determines where the
 * columns of the next begin. */
static tulle_status inspect_all(const tulle__problems *p, tulle_check check)
{
	int64_t first_bad[TULLE__MAX_PARTS];
	const int64_t most = tulle__parts(4 * (p->rows + p->count));
	inspection w = { p, look_at_offsets, check, most < p->count ? most : p->count, first_bad };
	const tulle_status s = inspect(&w);

	if (s != TULLE_OK || check != TULLE_CHECK_FULL)
		return s;
	w.look = look_at_columns;
	return inspect(&w);
}

/* ---- what all of them together have ---- */

static tulle_status add_up(tulle__problems *p)
{
	for (int64_t i = 0; i < p->count; i++) {
		tulle__problem *a = &p->problem[i];
		const tulle__csr csr = tulle__problem_csr(p, i);

		a->nnz = tulle__csr_offset(&csr, a->rows);
		p->nnz += a->nnz; /* cannot overflow: 2^31 problems of 2^31 entries exceed any memory */
		if (a->x + a->cols > p->x_size)
			p->x_size = a->x + a->cols;
		if (a->y + a->rows > p->y_size)
			p->y_size = a->y + a->rows;
		p->scaled |= a->scale != 1;
	}
	return TULLE_OK;
}

static tulle_status make_room(tulle__env *env, int64_t count, tulle__problems *p)
{
	if (count < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "count = %" PRId64 " is negative", count);
	if (count > MOST)
		return tulle__fail(TULLE_E_UNSUPPORTED, "count = %" PRId64 " is more than %d problems",
		                   count, MOST);
	p->env = env;
	p->count = count;
	return tulle__alloc_zero(env, count, sizeof *p->problem, &p->problem);
}

static tulle_status finish(tulle__problems *p, tulle_status s, tulle_check check)
{
	if (s == TULLE_OK)
		s = inspect_all(p, check);
	if (s == TULLE_OK)
		s = add_up(p);
	if (s != TULLE_OK) {
		tulle__free(p->env, p->problem);
		p->problem = NULL;
	}
	return s;
}

/* ---- packed arrays ---- */

static const void *element(const void *array, int64_t n, size_t size)
{
	return array ? (const char *)array + (size_t)n * size : NULL;
}

/* Where problem i's piece of an array begins: where the caller states; where that of problem 0 begins, if it is
 * shared; else after that of the previous problem, which ends at *next. */
static int64_t begin(const int64_t *at, int shared, int64_t i, int64_t next)
{
	return shared ? (at ? at[0] : 0) : at ? at[i] : next;
}

static tulle_status check_source(const tulle_batch_source *s)
{
	const int all = TULLE_SHARED_ROWS | TULLE_SHARED_COLUMNS | TULLE_SHARED_VALUES;

	if (s->count > 0 && (!s->rows || !s->cols))
		return tulle__fail(TULLE_E_ARGUMENT, "source.%s is NULL", s->rows ? "cols" : "rows");
	if (s->shared & ~all)
		return tulle__fail(TULLE_E_ARGUMENT, "source.shared = %d has unknown bits", s->shared);
	return check_types(s->offset_type, s->column_type, s->value_type);
}

/* Sizes, arrays and vectors of problem i; next[]: where those of the problem before it ended. */
static tulle_status read_problem(const tulle_batch_source *s, tulle__problems *p, int64_t i,
                                 int64_t next[5])
{
	tulle__problem *a = &p->problem[i];
	const int64_t row = begin(s->row_at, s->shared & TULLE_SHARED_ROWS, i, next[0]);
	int64_t col, val;
	tulle_status status;

	a->rows = s->rows[i];
	a->cols = s->cols[i];
	a->scale = s->scale ? s->scale[i] : 1;
	a->x = s->x_at ? s->x_at[i] : next[3];
	a->y = s->y_at ? s->y_at[i] : next[4];
	status = check_size("rows", a->rows);
	if (status == TULLE_OK)
		status = check_size("cols", a->cols);
	if (status == TULLE_OK && (s->shared & TULLE_SHARED_ROWS) && a->rows != s->rows[0])
		status =
		    tulle__fail(TULLE_E_MATRIX,
		                "rows = %" PRId64 ", but it shares those of problem 0, which are %" PRId64,
		                a->rows, s->rows[0]);
	if (status == TULLE_OK)
		status = check_place("row_at", row, a->rows + 1);
	if (status == TULLE_OK)
		status = check_place("x_at", a->x, a->cols);
	if (status == TULLE_OK)
		status = check_place("y_at", a->y, a->rows);
	if (status == TULLE_OK && a->y < next[4])
		status = tulle__fail(TULLE_E_ARGUMENT,
		                     "y_at = %" PRId64 " lies before the end of the y before it, %" PRId64,
		                     a->y, next[4]);
	if (status != TULLE_OK)
		return status;
	a->row_ptr = element(s->row_ptr, row, tulle__index_size(s->offset_type));
	status = check_arrays(p, a);
	if (status != TULLE_OK)
		return status;
	/* A negative number is reported by the check of all offsets, which names it. */
	a->nnz = tulle__index_at(a->row_ptr, s->offset_type, a->rows);
	a->nnz = a->nnz < 0 ? 0 : a->nnz;
	col = begin(s->col_at, s->shared & TULLE_SHARED_COLUMNS, i, next[1]);
	val = begin(s->val_at, s->shared & TULLE_SHARED_VALUES, i, next[2]);
	status = check_place("col_at", col, a->nnz);
	if (status == TULLE_OK)
		status = check_place("val_at", val, a->nnz);
	if (status != TULLE_OK)
		return status;
	a->col = element(s->col, col, tulle__index_size(s->column_type));
	a->val = element(s->val, val, tulle__value_size(s->value_type));
	a->value_at = val;
	next[0] = row + a->rows + 1;
	next[1] = col + a->nnz;
	next[2] = val + a->nnz;
	next[3] = a->x + a->cols;
	next[4] = a->y + a->rows;
	p->rows += a->rows;
	p->cols += a->cols;
	if (next[2] > p->values)
		p->values = next[2];
	return check_arrays(p, a);
}

tulle_status tulle__problems_from_source(tulle__env *env, const tulle_batch_source *s,
                                         tulle_check check, tulle__problems *p)
{
	int64_t next[5] = { 0 };
	tulle_status status = check_source(s);

	*p = (tulle__problems){ .offset_type = s->offset_type,
		                    .column_type = s->column_type,
		                    .value_type = s->value_type,
		                    .ones = !s->val,
		                    .shares_values = (s->shared & TULLE_SHARED_VALUES) || s->val_at };
	if (status == TULLE_OK)
		status = make_room(env, s->count, p);
	if (status != TULLE_OK)
		return status;
	for (int64_t i = 0; i < s->count && status == TULLE_OK; i++) {
		status = read_problem(s, p, i, next);
		if (status != TULLE_OK)
			status = in_problem(status, i);
	}
	return finish(p, status, check);
}

/* ---- matrices anywhere ---- */

static tulle_status read_view(const tulle_csr_view *v, tulle__problems *p, int64_t i)
{
	tulle__problem *a = &p->problem[i];
	tulle_status s;

	if (v->size != sizeof *v)
		return tulle__fail(TULLE_E_ARGUMENT, "size = %zu: set it to sizeof(tulle_csr_view)",
		                   v->size);
	if (v->offset_type != p->offset_type || v->column_type != p->column_type ||
	    v->value_type != p->value_type)
		return tulle__fail(TULLE_E_TYPE, "its types are not those of problem 0");
	if ((v->val == NULL) != p->ones && v->nnz > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "val is %s, unlike that of the problems before it",
		                   v->val ? "not NULL" : "NULL");
	s = check_size("rows", v->rows);
	if (s == TULLE_OK)
		s = check_size("cols", v->cols);
	if (s == TULLE_OK)
		s = check_place("the place of x", p->cols, v->cols);
	if (s == TULLE_OK)
		s = check_place("the place of y", p->rows, v->rows);
	if (s != TULLE_OK)
		return s;
	*a = (tulle__problem){ .rows = v->rows,
		                   .cols = v->cols,
		                   .row_ptr = v->row_ptr,
		                   .col = v->col,
		                   .val = v->val,
		                   .x = p->cols,
		                   .y = p->rows,
		                   .value_at = p->values,
		                   .scale = 1 };
	s = check_arrays(p, a);
	if (s != TULLE_OK)
		return s;
	a->nnz = tulle__index_at(a->row_ptr, p->offset_type, a->rows);
	if (v->nnz != a->nnz)
		return tulle__fail(TULLE_E_MATRIX, "nnz = %" PRId64 ", but row_ptr ends with %" PRId64,
		                   v->nnz, a->nnz);
	p->rows += a->rows;
	p->cols += a->cols;
	p->values += a->nnz > 0 ? a->nnz : 0;
	return TULLE_OK;
}

tulle_status tulle__problems_from_views(tulle__env *env, int64_t count,
                                        const tulle_csr_view *matrices, tulle_check check,
                                        tulle__problems *p)
{
	const tulle_csr_view none = { .offset_type = TULLE_I32,
		                          .column_type = TULLE_I32,
		                          .value_type = TULLE_F64 };
	const tulle_csr_view *first = &none;
	tulle_status status;

	if (count > 0 && !matrices)
		return tulle__fail(TULLE_E_ARGUMENT, "matrices is NULL");
	if (count > 0)
		first = matrices;
	*p = (tulle__problems){ .offset_type = first->offset_type,
		                    .column_type = first->column_type,
		                    .value_type = first->value_type };
	/* A matrix without entries does not determine whether the batch has values. */
	for (int64_t i = 0; i < count; i++)
		if (matrices[i].nnz > 0) {
			p->ones = !matrices[i].val;
			break;
		}
	status = check_types(p->offset_type, p->column_type, p->value_type);
	if (status == TULLE_OK)
		status = make_room(env, count, p);
	if (status != TULLE_OK)
		return status;
	for (int64_t i = 0; i < count && status == TULLE_OK; i++) {
		status = read_view(&matrices[i], p, i);
		if (status != TULLE_OK)
			status = in_problem(status, i);
	}
	return finish(p, status, check);
}
