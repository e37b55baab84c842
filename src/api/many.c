/* many.c -- Y = alpha A X + beta Y for several vectors, one product after the other. */
#include "api/handles.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>
#include <string.h>

/* One of the two blocks of vectors: n elements each, k of them. */
typedef struct {
	const char *name, *ld_name;
	void *at;
	int64_t n, ld;
	size_t bytes; /* from the first element to the end of the last */
} block;

static tulle_status check_block(block *v, int64_t k, tulle_order order, size_t element)
{
	const int64_t least = order == TULLE_COLUMN_MAJOR ? v->n : k;
	const int64_t lines = order == TULLE_COLUMN_MAJOR ? k : v->n;
	int64_t span;
	size_t bytes;

	if (v->ld < least)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is less than %" PRId64, v->ld_name,
		                   v->ld, least);
	v->bytes = 0;
	if (least == 0 || lines == 0)
		return TULLE_OK;
	if (__builtin_mul_overflow(lines - 1, v->ld, &span) ||
	    __builtin_add_overflow(span, least, &span) ||
	    __builtin_mul_overflow((size_t)span, element, &bytes))
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " passes the end of memory",
		                   v->ld_name, v->ld);
	v->bytes = bytes;
	if (!v->at)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", v->name);
	return TULLE_OK;
}

/* Element size is 4 or 8: memcpy becomes one move. */
static void copy_strided(void *to, size_t to_step, const void *from, size_t from_step, int64_t n,
                         size_t element)
{
	char *t = to;
	const char *f = from;

	for (int64_t i = 0; i < n; i++, t += to_step, f += from_step)
		memcpy(t, f, element);
}

static void *vector(const block *v, int64_t j, size_t element)
{
	return v->n > 0 ? (char *)v->at + (size_t)(j * v->ld) * element : v->at;
}

/* Everything that can fail comes before the first product, so Y is whole or untouched. */
static tulle_status by_columns(const tulle_plan *p, int64_t k, size_t element, double alpha,
                               const block *x, double beta, const block *y)
{
	void *scratch;
	const tulle_status s = tulle__take_scratch(p, &scratch);

	if (s != TULLE_OK)
		return s;
	for (int64_t j = 0; j < k; j++) {
		void *yj = vector(y, j, element);

		tulle__multiply(p, alpha, vector(x, j, element), beta, yj, yj, scratch);
	}
	tulle__give_scratch(p, scratch);
	return TULLE_OK;
}

/* Vectors that lie across are brought together one at a time. */
static tulle_status by_rows(const tulle_plan *p, int64_t k, size_t element, double alpha,
                            const block *x, double beta, const block *y)
{
	const size_t x_step = (size_t)x->ld * element, y_step = (size_t)y->ld * element;
	void *xs = NULL, *ys = NULL, *scratch = NULL;
	tulle_status s = tulle__alloc(p->env, x->n, element, &xs);

	if (s == TULLE_OK)
		s = tulle__alloc(p->env, y->n, element, &ys);
	if (s == TULLE_OK)
		s = tulle__take_scratch(p, &scratch);
	for (int64_t j = 0; j < k && s == TULLE_OK; j++) {
		char *yj = (char *)y->at + (size_t)j * element;

		copy_strided(xs, element, (const char *)x->at + (size_t)j * element, x_step, x->n, element);
		if (beta != 0)
			copy_strided(ys, element, yj, y_step, y->n, element);
		tulle__multiply(p, alpha, xs, beta, ys, ys, scratch);
		copy_strided(yj, y_step, ys, element, y->n, element);
	}
	tulle__give_scratch(p, scratch);
	tulle__free(p->env, ys);
	tulle__free(p->env, xs);
	return s;
}

static tulle_status multiply_many(const tulle_plan *p, tulle_value_type type, int64_t k,
                                  tulle_order order, double alpha, const void *x, int64_t ldx,
                                  double beta, void *y, int64_t ldy)
{
	const size_t element = tulle__value_size(type);
	block bx = { "x", "ldx", (void *)(uintptr_t)x, 0, ldx, 0 }, by = { "y", "ldy", y, 0, ldy, 0 };
	tulle_status s;

	if (!p)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	if (p->value_type != type)
		return tulle__fail(TULLE_E_TYPE, "the plan holds %s values, the call is for %s",
		                   p->value_type == TULLE_F32 ? "f32" : "f64",
		                   type == TULLE_F32 ? "f32" : "f64");
	if (k < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "k = %" PRId64 " is negative", k);
	if (order != TULLE_COLUMN_MAJOR && order != TULLE_ROW_MAJOR)
		return tulle__fail(TULLE_E_ARGUMENT, "order = %d is unknown", (int)order);
	bx.n = (int64_t)(p->x_bytes / element);
	by.n = (int64_t)(p->y_bytes / element);
	s = check_block(&bx, k, order, element);
	if (s == TULLE_OK)
		s = check_block(&by, k, order, element);
	if (s != TULLE_OK)
		return s;
	if (((uintptr_t)x | (uintptr_t)y) % element != 0)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "x = %p or y = %p is not a multiple of its element's %zu bytes", x, y,
		                   element);
	if (tulle__overlap(x, bx.bytes, y, by.bytes))
		return tulle__fail(TULLE_E_ARGUMENT, "x (%zu bytes at %p) and y (%zu bytes at %p) overlap",
		                   bx.bytes, x, by.bytes, y);
	return order == TULLE_COLUMN_MAJOR ? by_columns(p, k, element, alpha, &bx, beta, &by)
	                                   : by_rows(p, k, element, alpha, &bx, beta, &by);
}

tulle_status tulle_mul_many_f32(const tulle_plan *plan, int64_t k, tulle_order order, float alpha,
                                const float *x, int64_t ldx, float beta, float *y, int64_t ldy)
{
	return multiply_many(plan, TULLE_F32, k, order, (double)alpha, x, ldx, (double)beta, y, ldy);
}

tulle_status tulle_mul_many_f64(const tulle_plan *plan, int64_t k, tulle_order order, double alpha,
                                const double *x, int64_t ldx, double beta, double *y, int64_t ldy)
{
	return multiply_many(plan, TULLE_F64, k, order, alpha, x, ldx, beta, y, ldy);
}
