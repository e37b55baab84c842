/* many.c -- Y = alpha A X + beta Y for several vectors: at once if the format has a kernel for this,
 * else one product after the other. Vectors in the other order are transposed. */
#include "api/online.h"
#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"

#include <inttypes.h>
#include <string.h>

/* One of the two blocks of vectors: n elements each, k of them. */
typedef struct {
	const char *name, *ld_name;
	const void *at;
	void *to; /* `at`, where it may be written */
	int64_t n, ld;
	size_t bytes; /* from the first element to the end of the last */
} block;

static tulle_status check_block(block *v, int64_t k, tulle_order order, size_t element)
{
	const int64_t least = order == TULLE_COLUMN_MAJOR ? v->n : k;
	const int64_t lines = order == TULLE_COLUMN_MAJOR ? k : v->n;

	if (v->ld < least)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is less than %" PRId64, v->ld_name,
		                   v->ld, least);
	v->bytes = 0;
	if (least == 0 || lines == 0)
		return TULLE_OK;
	v->bytes = tulle__bytes(tulle__plus(tulle__times(lines - 1, v->ld), least), element);
	if (v->bytes == SIZE_MAX)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " passes the end of memory",
		                   v->ld_name, v->ld);
	if (!v->at)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", v->name);
	return TULLE_OK;
}

/* One call whose arguments are checked. */
typedef struct {
	const tulle_plan *plan;
	size_t element;
	int64_t k;
	tulle_order order;
	tulle__scalar alpha, beta;
	block x, y;
	int together; /* by the kernel for several vectors, which needs them row-major */
} job;

/* ---- from one order to the other ---- */

/* Element i of vector j is at i*step[0] + j*step[1] bytes. */
typedef struct {
	char *to;
	const char *from;
	size_t to_step[2], from_step[2];
	int64_t n, k, parts;
	size_t element;
} move;

TULLE_INLINE void move_rows(const move *m, int64_t i, int64_t end, size_t element)
{
	for (int64_t j = 0; j < m->k; j++) {
		char *to = m->to + (size_t)i * m->to_step[0] + (size_t)j * m->to_step[1];
		const char *from = m->from + (size_t)i * m->from_step[0] + (size_t)j * m->from_step[1];

		for (int64_t n = i; n < end; n++, to += m->to_step[0], from += m->from_step[0])
			memcpy(to, from, element);
	}
}

/* A few rows at a time, so that they stay in the cache for all vectors. */
static void move_part(const void *arg, int64_t part)
{
	enum { ROWS = 64 };
	const move *m = arg;
	const int64_t end = tulle__cut(m->n, m->parts, part + 1);

	for (int64_t i = tulle__cut(m->n, m->parts, part); i < end; i += ROWS) {
		const int64_t next = i + ROWS < end ? i + ROWS : end;

		switch (m->element) {
		case 4: move_rows(m, i, next, 4); break;
		case 8: move_rows(m, i, next, 8); break;
		case 16: move_rows(m, i, next, 16); break;
		default: move_rows(m, i, next, m->element); break;
		}
	}
}

/* `kept` holds k vectors of the caller's block, from vector j on, in the other order, packed. */
static void exchange(const job *w, const block *v, int64_t j, int64_t k, void *kept, int bring)
{
	const size_t e = w->element, ld = (size_t)v->ld * e;
	const int rows = w->order == TULLE_ROW_MAJOR;
	const size_t skip = (size_t)j * (rows ? e : ld);
	const size_t theirs[2] = { rows ? ld : e, rows ? e : ld };
	const size_t ours[2] = { rows ? e : (size_t)k * e, rows ? (size_t)v->n * e : e };
	move m = { .n = v->n, .k = k, .parts = tulle__parts(v->n * k), .element = e };

	m.to = bring ? kept : (char *)v->to + skip;
	m.from = bring ? (const char *)v->at + skip : kept;
	memcpy(m.to_step, bring ? ours : theirs, sizeof m.to_step);
	memcpy(m.from_step, bring ? theirs : ours, sizeof m.from_step);
	tulle__run_parts(w->plan->env, move_part, &m, m.parts, v->n * k);
}

/* ---- products that cannot fail ---- */

/* Column-major. */
static void one_by_one(const job *w, int64_t k, const block *x, const block *y, void *scratch)
{
	for (int64_t j = 0; j < k; j++) {
		const void *xj = x->n > 0 ? (const char *)x->at + (size_t)(j * x->ld) * w->element : x->at;
		void *yj = y->n > 0 ? (char *)y->to + (size_t)(j * y->ld) * w->element : y->to;

		tulle__multiply(w->plan, w->alpha, xj, w->beta, yj, yj, scratch);
	}
}

/* Row-major. */
static void all_together(const job *w, int64_t k, const block *x, const block *y, void *scratch)
{
	const tulle_plan *p = w->plan;
	const tulle__call_many call = {
		.data = p->data,
		.x = x->at,
		.y = y->to,
		.scratch = scratch,
		.alpha = w->alpha,
		.beta = w->beta,
		.k = k,
		.ldx = x->ld,
		.ldy = y->ld,
	};

	tulle__execute(p->env, &p->run, tulle__operation_for(k, w->element), &call);
}

static void multiply(const job *w, int64_t k, const block *x, const block *y, void *scratch)
{
	if (w->together)
		all_together(w, k, x, y, scratch);
	else
		one_by_one(w, k, x, y, scratch);
}

/* ---- calls ----
 *
 * Everything that can fail is done before the first product, so Y is either complete or unchanged. */

static tulle_status take(const job *w, int64_t k, void **scratch)
{
	const tulle_plan *p = w->plan;

	if (!w->together)
		return tulle__take_scratch(p->env, &p->run, scratch);
	*scratch = NULL;
	return p->run.scratch > 0 ? tulle__alloc(p->env, k, p->run.scratch, scratch) : TULLE_OK;
}

static void give(const job *w, void *scratch)
{
	const tulle_plan *p = w->plan;

	if (w->together)
		tulle__free(p->env, scratch);
	else
		tulle__give_scratch(p->env, &p->run, scratch);
}

static tulle_status in_place(const job *w)
{
	void *scratch;
	const tulle_status s = take(w, w->k, &scratch);

	if (s != TULLE_OK)
		return s;
	multiply(w, w->k, &w->x, &w->y, scratch);
	give(w, scratch);
	return TULLE_OK;
}

/* Vectors in the other order are transposed and transposed back in groups: some cache lines of
 * vectors, as many as the kernels multiply at once. */
static tulle_status repacked(const job *w)
{
	enum { LINES = 4 };
	tulle__env *env = w->plan->env;
	const int64_t lines = LINES * TULLE__ALIGN / (int64_t)w->element;
	const int64_t most = w->k < lines ? w->k : lines;
	block x = w->x, y = w->y;
	void *scratch = NULL;
	tulle_status s;

	x.to = y.to = NULL;
	s = tulle__alloc(env, x.n, (size_t)most * w->element, &x.to);
	if (s == TULLE_OK)
		s = tulle__alloc(env, y.n, (size_t)most * w->element, &y.to);
	x.at = x.to;
	y.at = y.to;
	if (s == TULLE_OK)
		s = take(w, most, &scratch);
	for (int64_t j = 0; j < w->k && s == TULLE_OK; j += most) {
		const int64_t k = w->k - j < most ? w->k - j : most;

		x.ld = w->together ? k : x.n;
		y.ld = w->together ? k : y.n;
		exchange(w, &w->x, j, k, x.to, 1);
		if (!tulle__is_zero(w->beta))
			exchange(w, &w->y, j, k, y.to, 1);
		multiply(w, k, &x, &y, scratch);
		exchange(w, &w->y, j, k, y.to, 0);
	}
	give(w, scratch);
	tulle__free(env, y.to);
	tulle__free(env, x.to);
	return s;
}

/* Nonzeros per element of x and y from which on transposing the vectors pays off. */
enum { DENSE_ENOUGH = 4 };

static tulle_status run(job *w)
{
	const tulle_plan *p = w->plan;

	if (w->k == 1 && w->order == TULLE_ROW_MAJOR && w->x.ld == 1 && w->y.ld == 1)
		w->order = TULLE_COLUMN_MAJOR;
	w->together = tulle__multiplies_together(p->format, &p->run, w->k, w->element) &&
	              (w->order == TULLE_ROW_MAJOR || p->a.nnz / DENSE_ENOUGH >= w->x.n + w->y.n);
	if (w->together == (w->order == TULLE_ROW_MAJOR))
		return in_place(w);
	return repacked(w);
}

static tulle_status multiply_many(const tulle_plan *p, tulle_value_type type, int64_t k,
                                  tulle_order order, tulle__scalar alpha, const void *x,
                                  int64_t ldx, tulle__scalar beta, void *y, int64_t ldy)
{
	const size_t element = tulle__element_size(type);
	job w = { p,
		      element,
		      k,
		      order,
		      alpha,
		      beta,
		      { "x", "ldx", x, NULL, 0, ldx, 0 },
		      { "y", "ldy", y, y, 0, ldy, 0 },
		      0 };
	tulle__turn turn;
	tulle_status s;

	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (p->vector_type != type)
		return tulle__refuse_type(p, type);
	if (k < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "k = %" PRId64 " is negative", k);
	if (order != TULLE_COLUMN_MAJOR && order != TULLE_ROW_MAJOR)
		return tulle__fail(TULLE_E_ARGUMENT, "order = %d is unknown", (int)order);
	w.x.n = (int64_t)(p->x_bytes / element);
	w.y.n = (int64_t)(p->y_bytes / element);
	s = check_block(&w.x, k, order, element);
	if (s == TULLE_OK)
		s = check_block(&w.y, k, order, element);
	if (s != TULLE_OK)
		return s;
	if (((uintptr_t)x | (uintptr_t)y) % tulle__element_align(type) != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "x = %p or y = %p is not a multiple of its element's %zu bytes", x, y,
		                   tulle__element_align(type));
	if (tulle__overlap(x, w.x.bytes, y, w.y.bytes))
		return tulle__fail(TULLE_E_ARGUMENT, "x (%zu bytes at %p) and y (%zu bytes at %p) overlap",
		                   w.x.bytes, x, w.y.bytes, y);
	if (k == 0 || w.y.n == 0)
		return TULLE_OK;
	turn = tulle__enter(p);
	w.plan = turn.plan;
	s = run(&w);
	tulle__leave(p, turn, s == TULLE_OK ? k : 0);
	return s;
}

tulle_status tulle_mul_many_f32(const tulle_plan *plan, int64_t k, tulle_order order, float alpha,
                                const float *x, int64_t ldx, float beta, float *y, int64_t ldy)
{
	return multiply_many(plan, TULLE_F32, k, order, tulle__real((double)alpha), x, ldx,
	                     tulle__real((double)beta), y, ldy);
}

tulle_status tulle_mul_many_f64(const tulle_plan *plan, int64_t k, tulle_order order, double alpha,
                                const double *x, int64_t ldx, double beta, double *y, int64_t ldy)
{
	return multiply_many(plan, TULLE_F64, k, order, tulle__real(alpha), x, ldx, tulle__real(beta),
	                     y, ldy);
}

tulle_status tulle_mul_many_c64(const tulle_plan *plan, int64_t k, tulle_order order,
                                tulle_c64 alpha, const tulle_c64 *x, int64_t ldx, tulle_c64 beta,
                                tulle_c64 *y, int64_t ldy)
{
	return multiply_many(plan, TULLE_C64, k, order, tulle__of_c64(alpha), x, ldx,
	                     tulle__of_c64(beta), y, ldy);
}

tulle_status tulle_mul_many_c128(const tulle_plan *plan, int64_t k, tulle_order order,
                                 tulle_c128 alpha, const tulle_c128 *x, int64_t ldx,
                                 tulle_c128 beta, tulle_c128 *y, int64_t ldy)
{
	return multiply_many(plan, TULLE_C128, k, order, tulle__of_c128(alpha), x, ldx,
	                     tulle__of_c128(beta), y, ldy);
}
