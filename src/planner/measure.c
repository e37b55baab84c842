/* measure.c -- spends a little time to find out which format will save more. */
#include "planner/measure.h"

#include "core/log.h"
#include "planner/slice.h"
#include "planner/trial.h"

#include <math.h>

/* Whose total is predicted within this factor of the least is likely enough to be tried. */
static const double LIKELY = 1.5;

/* What may be spent, of what the multiplications will take. */
static const double SHARE = .1;

/* A trial takes an eighth of that at most, but two multiplications: the first one is never typical. */
enum { MOST_ROUNDS = 4 };

typedef struct {
	tulle__prospects *p;
	const tulle__csr *a;
	const tulle__request *request;
	tulle__env *env;
	tulle__vectors v;
	double begin, budget; /* seconds */
	int rounds;           /* multiplications of a trial */
	tulle__kept *kept;
} measurement;

static int affords(const measurement *m, double seconds)
{
	return tulle__seconds() - m->begin + seconds <= m->budget;
}

static void drop_kept(const measurement *m)
{
	if (m->kept->data)
		m->kept->candidate->format->release(m->kept->data, m->env);
	*m->kept = (tulle__kept){ .data = NULL };
}

/* The whole matrix. What was made stays if it may be chosen and nothing better is kept. */
static tulle_status try_whole(const measurement *m, tulle__candidate *c)
{
	tulle__trial t;
	const tulle_status s = tulle__try(c->format, m->a, m->request, &m->v, m->rounds, m->env, &t);

	if (s != TULLE_OK)
		return tulle__rule_out(c, s, m->env);
	c->measured_convert = t.convert;
	c->measured_multiply = t.multiply;
	c->sliced = c->recalled = 0;
	tulle__log(m->env, TULLE_LOG_INFO, "measured %s: conversion %.3f ms, multiplication %.3f ms",
	           c->format->name, 1e3 * t.convert, 1e3 * t.multiply);
	if (c->out || (m->kept->data && tulle__total_seconds(m->kept->candidate, m->p->multiplies) <=
	                                    tulle__total_seconds(c, m->p->multiplies))) {
		c->format->release(t.data, m->env);
		return TULLE_OK;
	}
	drop_kept(m);
	*m->kept = (tulle__kept){ c, t.data };
	return TULLE_OK;
}

/* The first needs no conversion to be tried, and tells how far off the predictions are, even if it is
 * out of the race. */
static tulle_status try_first(const measurement *m)
{
	tulle__candidate *first = &m->p->candidate[0];
	tulle_status s = TULLE_OK;

	if (!tulle__was_measured(first))
		s = try_whole(m, first);
	tulle__calibrate(m->p);
	return s;
}

static int likely(const measurement *m, const tulle__candidate *c)
{
	return !c->out &&
	       tulle__total_seconds(c, m->p->multiplies) <=
	           LIKELY * tulle__total_seconds(tulle__best_prospect(m->p), m->p->multiplies);
}

/* One format on a slice: how many times as fast as the first it is there, it is on the whole. What the
 * conversion takes is left as predicted: the first touch of fresh memory is too much of it here. A
 * format that refuses the slice may still take the whole. */
static tulle_status try_slice(const measurement *m, const tulle__csr *slice,
                              const tulle__trial *first, tulle__candidate *c)
{
	tulle__trial t;
	const tulle_status s = tulle__try(c->format, slice, m->request, &m->v, m->rounds, m->env, &t);

	if (s != TULLE_OK)
		return tulle__can_go_on(s) ? TULLE_OK : s;
	c->format->release(t.data, m->env);
	c->measured_multiply =
	    tulle__multiply_seconds(&m->p->candidate[0]) * t.multiply / first->multiply;
	c->sliced = 1;
	tulle__log(m->env, TULLE_LOG_INFO, "measured %s on a slice: multiplication %.3f ms",
	           c->format->name, 1e3 * c->measured_multiply);
	return TULLE_OK;
}

static tulle_status try_slices(const measurement *m)
{
	const tulle__candidate *first = &m->p->candidate[0];
	tulle__csr slice = { .row_ptr = NULL };
	tulle__trial of_first = { .data = NULL };
	int wanted = 0;
	tulle_status s;

	for (int n = 1; n < m->p->count; n++)
		wanted += likely(m, &m->p->candidate[n]) && !(m->p->candidate[n].measured_multiply > 0);
	/* A slice costs a sixteenth of a trial, and making it about one multiplication. */
	if (!tulle__was_measured(first) || wanted < 2 || !tulle__worth_slicing(m->a) ||
	    !affords(m, 4 * (1 + wanted) * first->measured_multiply))
		return TULLE_OK;
	s = tulle__slice(m->a, m->env, &slice);
	if (s == TULLE_OK)
		s = tulle__try(first->format, &slice, m->request, &m->v, m->rounds, m->env, &of_first);
	if (s == TULLE_OK)
		first->format->release(of_first.data, m->env);
	for (int n = 1; n < m->p->count && s == TULLE_OK; n++) {
		tulle__candidate *c = &m->p->candidate[n];

		if ((c->format->flags & TULLE__SLICES) && likely(m, c) && !(c->measured_multiply > 0) &&
		    affords(m, c->convert / 16))
			s = try_slice(m, &slice, &of_first, c);
	}
	tulle__csr_release(m->env, &slice);
	return tulle__can_go_on(s) ? TULLE_OK : s; /* the whole matrix can be tried without a slice */
}

/* The best is tried on the whole matrix, and if that changes who is the best, the next one, as long as
 * there is time. The conversion of the first of them is no waste: it would be made anyhow. */
static tulle_status try_finalists(const measurement *m)
{
	for (int tried = 0; tried < m->p->count; tried++) {
		tulle__candidate *best = tulle__best_prospect(m->p);
		tulle_status s;

		if (!best || tulle__was_measured(best))
			return TULLE_OK;
		if (tried > 0 && !affords(m, tulle__total_seconds(best, m->rounds)))
			return TULLE_OK;
		s = try_whole(m, best);
		if (s != TULLE_OK)
			return s;
	}
	return TULLE_OK;
}

tulle_status tulle__measure(tulle__prospects *p, const tulle__csr *a, const tulle__request *request,
                            double max_seconds, tulle__env *env, tulle__kept *kept)
{
	measurement m = { .p = p, .a = a, .request = request, .env = env, .kept = kept };
	tulle_status s;

	m.begin = tulle__seconds();
	m.rounds = (int)fmin(MOST_ROUNDS, fmax(2, SHARE * p->multiplies / 8));
	*kept = (tulle__kept){ .data = NULL };
	s = tulle__vectors_new(a, env, &m.v);
	if (s != TULLE_OK)
		return tulle__can_go_on(s) ? TULLE_OK : s; /* no room to try anything */
	s = try_first(&m);
	m.budget = SHARE * p->multiplies * tulle__multiply_seconds(&p->candidate[0]);
	if (max_seconds > 0)
		m.budget = fmin(m.budget, max_seconds);
	if (s == TULLE_OK)
		s = try_slices(&m);
	if (s == TULLE_OK)
		s = try_finalists(&m);
	tulle__vectors_free(env, &m.v);
	if (s != TULLE_OK)
		drop_kept(&m);
	p->searched = 1;
	p->measure_seconds = tulle__seconds() - m.begin;
	return s;
}
