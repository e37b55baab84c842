/* inner.c -- convert, run and compare through core/format.h. */
#include "inner.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void inner_env(tulle__env *env, tulle__isa isa)
{
	memset(env, 0, sizeof *env);
	env->alloc = tulle__default_alloc;
	env->free = tulle__default_free;
	env->memory_limit = SIZE_MAX;
	env->threads = 1;
	env->serial_below = INT64_MAX;
	env->isa = isa;
}

int inner_convert(inner *in, const char *spec, tulle__isa isa, const tulle__csr *a)
{
	return inner_convert_op(in, spec, TULLE_NORMAL, isa, a);
}

int inner_convert_op(inner *in, const char *spec, tulle_op op, tulle__isa isa, const tulle__csr *a)
{
	const size_t length = strcspn(spec, ":");
	tulle__request request = { .op = op };
	tulle_status s;

	memset(in, 0, sizeof *in);
	inner_env(&in->env, isa);
	in->format = tulle__format_named(spec, length);
	if (!CHECK_THAT(in->format, "no format in \"%s\"", spec))
		return 0;
	if (!CHECK_OK(tulle__params_parse(in->format->tunables, spec[length] ? spec + length + 1 : NULL,
	                                  &request.params)))
		return 0;
	s = tulle__format_takes(in->format, a->value_type);
	if (s == TULLE_OK)
		s = in->format->convert(a, &request, &in->env, &in->data);
	return !refused(spec, s) && CHECK_OK(s);
}

void inner_release(inner *in)
{
	in->format->release(in->data, &in->env);
	CHECK_EQUAL(atomic_load(&in->env.blocks_held), 0);
	CHECK_EQUAL(atomic_load(&in->env.bytes_held), 0);
}

tulle__csr inner_view(const tulle_csr_view *v)
{
	return (tulle__csr){ v->rows,       v->cols,    v->nnz, v->offset_type, v->column_type,
		                 v->value_type, v->row_ptr, v->col, v->val };
}

tulle__csr inner_csr(const tulle_matrix *a)
{
	tulle_csr_view v = { .size = sizeof v };

	CHECK_OK(tulle_matrix_view_csr(a, &v));
	return inner_view(&v);
}

int inner_multiply(inner *in, tulle__isa isa, tulle_value_type type, double alpha, const void *x,
                   double beta, const void *b, void *y)
{
	const tulle__kernel *kernel = in->format->kernel(in->data, isa, type);
	tulle__layout layout;
	void *scratch;
	tulle__call call;

	if (!CHECK_THAT(kernel, "no kernel for %s", tulle__isa_name(isa)))
		return 0;
	in->format->describe(in->data, &layout);
	if (!CHECK_OK(tulle__alloc(&in->env, 1, layout.scratch, &scratch)))
		return 0;
	call = (tulle__call){ .data = in->data,
		                  .x = x,
		                  .b = b,
		                  .y = y,
		                  .scratch = scratch,
		                  .alpha = tulle__real(alpha),
		                  .beta = tulle__real(beta) };
	for (int phase = 0; phase < TULLE__PHASES && kernel->phase[phase]; phase++)
		for (int64_t part = 0; part < layout.parts[phase]; part++)
			kernel->phase[phase](&call, part);
	tulle__free(&in->env, scratch);
	return 1;
}

/* ---- comparison ---- */

typedef struct {
	int64_t column, place;
	unsigned char value[TULLE__LARGEST_VALUE]; /* its bits, then 0 */
} entry;

static int by_column(const void *a, const void *b)
{
	const entry *p = a, *q = b;

	if (p->column != q->column)
		return p->column < q->column ? -1 : 1;
	return (p->place > q->place) - (p->place < q->place);
}

/* Entries of row i in stored order; returns how many. */
static int64_t read_row(const tulle__csr *a, int64_t i, entry *out)
{
	const int64_t begin = tulle__index_at(a->row_ptr, a->offset_type, i);
	const int64_t length = tulle__index_at(a->row_ptr, a->offset_type, i + 1) - begin;

	for (int64_t k = 0; k < length; k++) {
		const tulle__type *type = tulle__type_of(a->value_type);

		out[k] =
		    (entry){ .column = tulle__index_at(a->col, a->column_type, begin + k), .place = k };
		memcpy(out[k].value, tulle__value_or_one(a->val, begin + k, type->size, type->one),
		       type->size);
	}
	return length;
}

/* Offsets that a broken to_csr gave must not send the comparison out of bounds. */
static int offsets_are_sane(const tulle__csr *a)
{
	int64_t last = tulle__index_at(a->row_ptr, a->offset_type, 0);
	int sane = last == 0;

	for (int64_t i = 0; i < a->rows && sane; i++) {
		const int64_t next = tulle__index_at(a->row_ptr, a->offset_type, i + 1);

		sane = next >= last;
		last = next;
	}
	return sane && last == a->nnz;
}

static int same_row(const entry *p, int64_t n, const entry *q, int64_t m)
{
	if (n != m)
		return 0;
	for (int64_t k = 0; k < n; k++)
		if (p[k].column != q[k].column || memcmp(p[k].value, q[k].value, sizeof p[k].value) != 0)
			return 0;
	return 1;
}

int inner_same(const tulle__csr *a, const tulle__csr *b)
{
	entry *p, *q;
	int same = a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz &&
	           a->value_type == b->value_type;

	if (!same || !offsets_are_sane(a) || !offsets_are_sane(b))
		return 0;
	p = grab(a->nnz, sizeof *p);
	q = grab(b->nnz, sizeof *q);
	for (int64_t i = 0; i < a->rows && same; i++) {
		const int64_t n = read_row(a, i, p), m = read_row(b, i, q);

		same = same_row(p, n, q, m);
		if (!same) { /* perhaps only in another order */
			qsort(p, (size_t)n, sizeof *p, by_column);
			qsort(q, (size_t)m, sizeof *q, by_column);
			same = same_row(p, n, q, m);
		}
	}
	free(p);
	free(q);
	return same;
}
