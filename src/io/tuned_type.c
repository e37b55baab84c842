/* tuned_type.c -- the values of a tuned file as another type: f32 as f64, c128 as c64, f64 as c128, real parts of c128 ... */
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
	int64_t from_step; /* 2: every second number, which are real parts; 1: all */
	int64_t to_step;   /* 2: numbers become real parts, and the imaginary parts are 0 */
	int64_t count, parts;
	_Atomic int64_t large; /* a number that f32 cannot hold; -1: none */
} conversion;

static void clear(const conversion *w, int64_t to)
{
	if (w->wide)
		w->wide[to] = 0;
	else
		w->narrow[to] = 0;
}

static void convert_part(const void *arg, int64_t part)
{
	conversion *const w = *(conversion *const *)arg;
	const int64_t end = tulle__cut(w->count, w->parts, part + 1);

	for (int64_t k = tulle__cut(w->count, w->parts, part); k < end; k++) {
		const int64_t from = k * w->from_step;
		const int64_t to = k * w->to_step;

		if (w->wide) {
			w->wide[to] = w->wide_from ? w->wide_from[from] : (double)w->narrow_from[from];
		} else if (w->narrow_from) {
			w->narrow[to] = w->narrow_from[from];
		} else {
			w->narrow[to] = (float)w->wide_from[from];
			if (isinf(w->narrow[to]) && !isinf(w->wide_from[from]))
				atomic_store(&w->large, k);
		}
		if (w->to_step == 2)
			clear(w, to + 1);
	}
}

/* The type that the options request, for a file of this type. */
static tulle_value_type requested(const tulle__tuned_options *o, const tulle__type *was)
{
	if (o->value_type || !o->real_part)
		return o->value_type ? o->value_type : was->type;
	return was->part_size == sizeof(float) ? TULLE_F32 : TULLE_F64;
}

tulle_status tulle__tuned_change_type(tulle__env *env, const tulle__tuned_reader *r)
{
	tulle__csr *a = &r->out->a, old = { .val = r->out->owned.val };
	const tulle__type *was = tulle__type_of(a->value_type);
	const tulle__type *becomes = tulle__type_of(requested(r->options, was));
	const int numbers = was->parts < becomes->parts ? was->parts : becomes->parts; /* per value */
	conversion w = { .from_step = was->parts / numbers,
		             .to_step = becomes->parts / numbers,
		             .count = numbers * a->nnz,
		             .parts = tulle__parts(a->nnz),
		             .large = -1 };
	conversion *const shared = &w;
	void *to = NULL;
	tulle_status s;

	if (becomes == was)
		return TULLE_OK;
	if (w.from_step == 2 && !r->options->real_part)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s: val: %s values cannot be read as %s; request a complex type or the "
		                   "real parts",
		                   r->source.name, was->name, becomes->name);
	a->value_type = becomes->type;
	if (!a->val)
		return TULLE_OK;
	s = tulle__alloc(env, a->nnz, becomes->size, &to);
	if (s != TULLE_OK)
		return tulle__tuned_fail_in(r, TULLE__TUNED_VAL, s);
	if (was->part_size == sizeof(double))
		w.wide_from = a->val;
	else
		w.narrow_from = a->val;
	if (becomes->part_size == sizeof(double))
		w.wide = to;
	else
		w.narrow = to;
	tulle__run_parts(env, convert_part, &shared, w.parts, a->nnz);
	a->val = r->out->owned.val = to;
	if (w.large >= 0)
		s = tulle__fail(TULLE_E_MATRIX, "%s: val: val[%" PRId64 "] = %g is too large for %s",
		                r->source.name, (int64_t)w.large / numbers,
		                w.wide_from[w.large * w.from_step], becomes->name);
	tulle__csr_release(env, &old);
	return s;
}
