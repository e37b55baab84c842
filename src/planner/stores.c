/* stores.c -- predicts times, conversions and memory of one stored matrix for both directions, or of
 * two. */
#include "planner/stores.h"

#include "core/memory.h"
#include "planner/known_machine.h"
#include "probe/probe.h"

#include <math.h>

double tulle__pair_seconds(const tulle__pair *p, double multiplies)
{
	return p->convert + multiplies * (p->multiply[TULLE__FORWARD] + p->multiply[TULLE__BACKWARD]);
}

tulle__pair *tulle__best_pair(tulle__stores *s)
{
	tulle__pair *best = NULL;

	for (int n = 0; n < s->count; n++)
		if (!s->pair[n].rejected_because &&
		    (!best || tulle__pair_seconds(&s->pair[n], s->multiplies) <
		                  tulle__pair_seconds(best, s->multiplies)))
			best = &s->pair[n];
	return best;
}

/* Candidates of both directions, by estimates. */
typedef struct {
	tulle__candidates of[TULLE__DIRECTIONS];
} weighed;

static void add(tulle__stores *out, tulle__pair p, size_t max_bytes)
{
	if (!p.rejected_because && max_bytes > 0 && tulle__pair_bytes(&p) > (double)max_bytes)
		p.rejected_because = "it would need more memory than max_bytes";
	if (out->count < TULLE__MOST_PAIRS)
		out->pair[out->count++] = p;
}

static tulle__pair one_store(const tulle__candidate *c, tulle__way way, double backward)
{
	return (tulle__pair){ .stores = 1,
		                  .format = { c->format, c->format },
		                  .way = way,
		                  .multiply = { c->multiply, backward },
		                  .convert = c->convert,
		                  .own_bytes = { c->own_bytes, 0 },
		                  .rejected_because = c->rejected_because };
}

/* Formats that multiply in both directions, and any format if A equals A^T. */
static void list_one(const weighed *w, const tulle__request *request,
                     const tulle__stores_wanted *wanted, tulle__env *env, tulle__stores *out)
{
	const tulle__candidates *p = &w->of[TULLE__FORWARD];

	for (int n = 0; n < p->count; n++) {
		const tulle__candidate *c = &p->candidate[n];
		const tulle__backward *back = c->format->backward;
		tulle__pair pair;

		if ((c->format->flags & TULLE__MIRRORS) && p->features.symmetric == TULLE__IS_SYMMETRIC &&
		    !wanted->excludes_mirrors) {
			add(out, one_store(c, TULLE__AS_IS, c->multiply), wanted->max_bytes);
			continue;
		}
		if (!back)
			continue;
		pair =
		    one_store(c, TULLE__SCATTER, tulle__predict_multiply(p, back->estimator, request, env));
		if (!pair.rejected_because && request->ordered)
			pair.rejected_because = "A^T x is not summed in stored order (reproducible = 2)";
		add(out, pair, wanted->max_bytes);
	}
}

/* Of all pairs that memory allows, the one with the least total. */
static void list_two(const weighed *w, const tulle__stores_wanted *wanted, tulle__stores *out)
{
	const tulle__candidates *p = &w->of[TULLE__FORWARD], *q = &w->of[TULLE__BACKWARD];
	const double most = wanted->max_bytes > 0 ? (double)wanted->max_bytes : INFINITY;
	tulle__pair best = { .stores = 2 };

	for (int n = 0; n < p->count; n++)
		for (int m = 0; m < q->count; m++) {
			const tulle__candidate *c = &p->candidate[n], *d = &q->candidate[m];
			const tulle__pair pair = { .stores = 2,
				                       .format = { c->format, d->format },
				                       .way = d->way,
				                       .multiply = { c->multiply, d->multiply },
				                       .convert = c->convert + d->convert,
				                       .own_bytes = { c->own_bytes, d->own_bytes } };

			if (c->rejected_because || d->rejected_because || tulle__pair_bytes(&pair) > most ||
			    (c->format->backward && d->way == TULLE__SCATTER)) /* its own store does */
				continue;
			if (!best.format[TULLE__FORWARD] || tulle__pair_seconds(&pair, out->multiplies) <
			                                        tulle__pair_seconds(&best, out->multiplies))
				best = pair;
		}
	if (!best.format[TULLE__FORWARD]) {
		best.format[TULLE__FORWARD] = best.format[TULLE__BACKWARD] = tulle__baseline_format();
		best.rejected_because = "every pair would need more memory than max_bytes";
	}
	add(out, best, 0);
}

static tulle_status estimate(const tulle__csr *a, const tulle__request *request,
                             const tulle__stores_wanted *wanted, tulle__env *env, weighed *w)
{
	static const tulle_op op[] = { TULLE_NORMAL, TULLE_TRANSPOSED };
	tulle__candidates *p = &w->of[TULLE__FORWARD];
	tulle_status s;

	if (wanted->fixed) {
		tulle__machine_fixed(&p->machine);
	} else {
		tulle__settle_gathers(env);
		tulle__know_machine(env, a, wanted->wisdom, 0, &p->machine);
	}
	s = tulle__analyse(a, &p->machine, env, &p->features);
	if (s != TULLE_OK)
		return s;
	tulle__transpose_features(&p->features, &p->of_built);
	p->multiplies = request->multiplies;
	w->of[TULLE__BACKWARD] = *p;
	for (int d = 0; d < TULLE__DIRECTIONS; d++) {
		tulle__request of = *request;

		of.op = op[d];
		tulle__list_candidates(&w->of[d], op[d]);
		tulle__estimate_all(&w->of[d], &of, 0, env);
	}
	return TULLE_OK;
}

tulle_status tulle__weigh_stores(const tulle__csr *a, const tulle__request *request,
                                 const tulle__stores_wanted *wanted, tulle__env *env,
                                 tulle__stores *out)
{
	weighed *w;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *w, &w);

	if (s != TULLE_OK)
		return s;
	s = estimate(a, request, wanted, env, w);
	out->multiplies = request->multiplies;
	if (s == TULLE_OK && wanted->stores != 2)
		list_one(w, request, wanted, env, out);
	if (s == TULLE_OK && wanted->stores != 1)
		list_two(w, wanted, out);
	tulle__free(env, w);
	return s;
}
