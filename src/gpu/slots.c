/* slots.c -- copies the entries of a CSR to the slots of a format. */
#include "gpu/slots.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

tulle_status tulle__gpu_slots_make(tulle__env *env, const char *format, const tulle__csr *a,
                                   int64_t count, tulle__gpu_slots *out)
{
	tulle_status s;

	*out = (tulle__gpu_slots){ count, NULL, NULL };
	if (tulle__pads_too_much(count, a->nnz))
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s: padding would be many times the nonzeros",
		                   format);
	s = tulle__alloc_zero(env, count, sizeof *out->col, &out->col);
	return s == TULLE_OK
	           ? tulle__alloc_zero(env, count, tulle__value_size(a->value_type), &out->val)
	           : s;
}

void tulle__gpu_slots_release(tulle__env *env, tulle__gpu_slots *s)
{
	tulle__free(env, s->col);
	tulle__free(env, s->val);
}

void tulle__gpu_slots_fill(const tulle__gpu_slots *s, const tulle__csr *a, int64_t k,
                           int64_t stride, int64_t n, int64_t at, int64_t step)
{
	const tulle__type *type = tulle__type_of(a->value_type);

	for (; n > 0; n--, k += stride, at += step) {
		s->col[at] = (int32_t)tulle__csr_column(a, k);
		tulle__value_move(s->val, at, tulle__value_or_one(a->val, k, type->size, type->one), 0,
		                  type->size);
	}
}

typedef struct {
	const tulle__csr *a;
	tulle__gpu_put_row *put;
	const void *table;
	int64_t parts;
} rows_to_put;

static void put_part(const void *arg, int64_t part)
{
	const rows_to_put *const r = arg;
	const int64_t end = tulle__cut(r->a->rows, r->parts, part + 1);

	for (int64_t i = tulle__cut(r->a->rows, r->parts, part); i < end; i++)
		r->put(r->table, r->a, i);
}

void tulle__gpu_put_rows(tulle__env *env, const tulle__csr *a, tulle__gpu_put_row *put,
                         const void *table)
{
	const int64_t work = a->rows + a->nnz;
	const rows_to_put r = { a, put, table, tulle__parts(work) };

	tulle__run_parts(env, put_part, &r, r.parts, work);
}

tulle_status tulle__gpu_slots_upload(tulle__gpu_plan *plan, const tulle__gpu_slots *s,
                                     tulle__gpu_memory *col, tulle__gpu_memory *val)
{
	const tulle_status status = tulle__gpu_array(plan, s->col, s->count, sizeof *s->col, col);

	return status == TULLE_OK ? tulle__gpu_values(plan, s->val, s->count, val) : status;
}
