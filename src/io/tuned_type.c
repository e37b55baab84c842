/* tuned_type.c -- the values of a tuned file as another type: f32 as f64, c128 as c64 and so on. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "io/tuned_reader.h"

#include <inttypes.h>
#include <math.h>

typedef struct {
	const double *wide_from;
	const float *narrow_from;
	double *wide;
	float *narrow;
	int64_t count, parts;
	_Atomic int64_t large; /* a value that f32 cannot hold; -1: none */
} rounding;

static void round_part(const void *arg, int64_t part)
{
	rounding *const w = *(rounding *const *)arg;
	const int64_t end = tulle__cut(w->count, w->parts, part + 1);

	for (int64_t k = tulle__cut(w->count, w->parts, part); k < end; k++) {
		if (w->wide) {
			w->wide[k] = (double)w->narrow_from[k];
			continue;
		}
		w->narrow[k] = (float)w->wide_from[k];
		if (isinf(w->narrow[k]) && !isinf(w->wide_from[k]))
			atomic_store(&w->large, k);
	}
}

tulle_status tulle__tuned_change_type(tulle__env *env, const tulle__tuned_reader *r)
{
	tulle__csr *a = &r->out->a, old = { .val = r->out->owned.val };
	const tulle_value_type wanted = r->options->value_type, type = wanted ? wanted : a->value_type;
	const tulle__type *was = tulle__type_of(a->value_type), *becomes = tulle__type_of(type);
	rounding w = { .count = was->parts * a->nnz, .parts = tulle__parts(a->nnz), .large = -1 };
	rounding *const shared = &w;
	void *to = NULL;
	tulle_status s;

	if (type == a->value_type)
		return TULLE_OK;
	if (was->parts != becomes->parts)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s: val: values of %s do not become %s",
		                   r->source.name, was->name, becomes->name);
	a->value_type = type;
	if (!a->val)
		return TULLE_OK;
	s = tulle__alloc(env, a->nnz, tulle__value_size(type), &to);
	if (s != TULLE_OK)
		return tulle__tuned_fail_in(r, TULLE__TUNED_VAL, s);
	if (becomes->part_size > was->part_size) {
		w.narrow_from = a->val;
		w.wide = to;
	} else {
		w.wide_from = a->val;
		w.narrow = to;
	}
	tulle__run_parts(env, round_part, &shared, w.parts, a->nnz);
	a->val = r->out->owned.val = to;
	if (w.large >= 0)
		s = tulle__fail(TULLE_E_MATRIX, "%s: val: val[%" PRId64 "] = %g is too large for %s",
		                r->source.name, (int64_t)w.large / was->parts, w.wide_from[w.large],
		                becomes->name);
	tulle__csr_release(env, &old);
	return s;
}
