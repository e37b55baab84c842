/* lists.c -- matrices that leave out rows or columns: their lists, and vectors of the whole matrix. */
#include "api/handles.h"
#include "core/inline.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

tulle_status tulle__check_compact(const char *name, tulle_compact compact)
{
	if ((int)compact < TULLE_COMPACT_NONE || (int)compact > TULLE_COMPACT_AUTO)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %d is unknown", name, (int)compact);
	return TULLE_OK;
}

tulle_status tulle__check_whole(const tulle_matrix *matrix, const char *what)
{
	if (matrix->lists.row || matrix->lists.col)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "the matrix leaves out rows or columns without entries (tulle_compact), "
		                   "%s need all of them",
		                   what);
	return TULLE_OK;
}

tulle_status tulle_matrix_lists(const tulle_matrix *matrix, tulle_lists *lists)
{
	const tulle_matrix *const m = matrix;

	if (!m)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	return tulle__write_info("tulle_lists", lists,
	                         &(tulle_lists){ .rows = m->lists.row ? m->lists.rows : m->a.rows,
	                                         .cols = m->lists.col ? m->lists.cols : m->a.cols,
	                                         .present_rows = m->a.rows,
	                                         .present_cols = m->a.cols,
	                                         .row = m->lists.row,
	                                         .col = m->lists.col },
	                         sizeof *lists);
}

/* ---- vectors ---- */

/* The lists of the planned operator: y has elements for the rows, x for the columns. */
typedef struct {
	int64_t whole, present;
	const int64_t *list; /* NULL: all */
} side;

static side side_of(const tulle_plan *p, int rows)
{
	const tulle_matrix *const m = p->matrix;
	const int of_a = rows == !tulle__op_transposes(p->op);

	return of_a ? (side){ m->lists.row ? m->lists.rows : m->a.rows, m->a.rows, m->lists.row }
	            : (side){ m->lists.col ? m->lists.cols : m->a.cols, m->a.cols, m->lists.col };
}

typedef struct {
	side of;
	tulle_value_type type;
	const void *from;
	void *to;
	double beta;
	int64_t parts;
} move;

TULLE_INLINE double get(tulle_value_type type, const void *a, int64_t k)
{
	return type == TULLE_F32 ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

/* A sum or product of two f32 numbers that is rounded to f64 and then to f32 equals the directly
 * rounded one. */
TULLE_INLINE void set(tulle_value_type type, void *a, int64_t k, double value)
{
	if (type == TULLE_F32)
		((float *)a)[k] = (float)value;
	else
		((double *)a)[k] = value;
}

TULLE_INLINE void gather(const move *m, tulle_value_type type, int64_t part)
{
	const int64_t end = tulle__cut(m->of.present, m->parts, part + 1);

	for (int64_t j = tulle__cut(m->of.present, m->parts, part); j < end; j++)
		set(type, m->to, j, get(type, m->from, tulle__listed(m->of.list, j)));
}

static void gather_part(const void *arg, int64_t part)
{
	const move *const m = arg;

	m->type == TULLE_F32 ? gather(m, TULLE_F32, part) : gather(m, TULLE_F64, part);
}

/* Elements begin .. end-1 of the present rows are added to y or stored in it. */
TULLE_INLINE void add(const move *m, tulle_value_type type, int64_t begin, int64_t end)
{
	for (int64_t i = begin; i < end; i++) {
		const int64_t to = tulle__listed(m->of.list, i);
		const double y = get(type, m->from, i);

		set(type, m->to, to, m->beta == 0 ? y : get(type, m->to, to) + y);
	}
}

TULLE_INLINE void scale(const move *m, tulle_value_type type, int64_t begin, int64_t end)
{
	for (int64_t i = begin; i < end; i++)
		set(type, m->to, i, m->beta == 0 ? 0 : m->beta * get(type, m->to, i));
}

/* The first present row at or after row i of the whole matrix. */
static int64_t first_present(const side *s, int64_t i)
{
	int64_t low = 0, high = s->present;

	if (!s->list)
		return i;
	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (s->list[middle] < i)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

TULLE_INLINE void scatter(const move *m, tulle_value_type type, int64_t part)
{
	const int64_t all = m->beta == 1 ? m->of.present : m->of.whole;
	const int64_t begin = tulle__cut(all, m->parts, part);
	const int64_t end = tulle__cut(all, m->parts, part + 1);

	if (m->beta == 1) {
		add(m, type, begin, end);
		return;
	}
	scale(m, type, begin, end);
	add(m, type, first_present(&m->of, begin), first_present(&m->of, end));
}

static void scatter_part(const void *arg, int64_t part)
{
	const move *const m = arg;

	m->type == TULLE_F32 ? scatter(m, TULLE_F32, part) : scatter(m, TULLE_F64, part);
}

/* `present`: the vector of the present elements. */
static tulle_status check_vectors(const tulle_plan *p, tulle_value_type type, const void *whole,
                                  const void *present, const char *present_name, const side *of)
{
	const size_t element = tulle__element_size(type);
	const size_t whole_bytes = (size_t)of->whole * element;
	const size_t present_bytes = (size_t)of->present * element;

	if (p->vector_type != type)
		return tulle__refuse_type(p, type);
	if (!whole && of->whole > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "whole is NULL");
	if (!present && of->present > 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", present_name);
	if (((uintptr_t)whole | (uintptr_t)present) % element != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "whole = %p or %s = %p is not a multiple of its element's %zu bytes",
		                   whole, present_name, present, element);
	if (tulle__overlap(whole, whole_bytes, present, present_bytes))
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "whole (%zu bytes at %p) and %s (%zu bytes at %p) overlap", whole_bytes,
		                   whole, present_name, present_bytes, present);
	return TULLE_OK;
}

static tulle_status gather_x(const tulle_plan *p, tulle_value_type type, const void *whole, void *x)
{
	move m = { .type = type, .from = whole, .to = x };
	tulle_status s;

	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	m.of = side_of(p, 0);
	m.parts = tulle__parts(m.of.present);
	s = check_vectors(p, type, whole, x, "x", &m.of);
	if (s == TULLE_OK)
		tulle__run_parts(p->env, gather_part, &m, m.parts, m.of.present);
	return s;
}

static tulle_status scatter_y(const tulle_plan *p, tulle_value_type type, const void *y,
                              double beta, void *whole)
{
	move m = { .type = type, .from = y, .to = whole, .beta = beta };
	tulle_status s;

	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	m.of = side_of(p, 1);
	m.parts = tulle__parts(beta == 1 ? m.of.present : m.of.whole);
	s = check_vectors(p, type, whole, y, "y", &m.of);
	if (s == TULLE_OK)
		tulle__run_parts(p->env, scatter_part, &m, m.parts, beta == 1 ? m.of.present : m.of.whole);
	return s;
}

tulle_status tulle_gather_f32(const tulle_plan *plan, const float *whole, float *x)
{
	return gather_x(plan, TULLE_F32, whole, x);
}

tulle_status tulle_gather_f64(const tulle_plan *plan, const double *whole, double *x)
{
	return gather_x(plan, TULLE_F64, whole, x);
}

tulle_status tulle_scatter_f32(const tulle_plan *plan, const float *y, float beta, float *whole)
{
	return scatter_y(plan, TULLE_F32, y, (double)beta, whole);
}

tulle_status tulle_scatter_f64(const tulle_plan *plan, const double *y, double beta, double *whole)
{
	return scatter_y(plan, TULLE_F64, y, beta, whole);
}
