/* measure.c -- times likely formats, within a fraction of the time that the multiplications will
 * take. */
#include "planner/measure.h"

#include "core/log.h"
#include "planner/slice.h"
#include "planner/trial.h"

#include <math.h>

/* Time to spend on measuring, as a share of the multiplications. */
static const double SHARE = .1;

/* Time of one trial, as a share of that. Without disturbances a few multiplications are enough. */
static const double TRIAL = 1. / 8;
static const double MULTIPLICATIONS = 4;

/* A time contradicts an earlier one when they differ by more than this factor, and the larger spread. */
static const double CONTRADICTS = 1.5;

typedef struct {
	tulle__candidates *p;
	tulle__operand *operand;
	const tulle__request *request;
	tulle__env *env;
	tulle__vectors v;
	double begin, budget; /* seconds */
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

static void log_trial(const measurement *m, const tulle__candidate *c, const tulle__trial *t)
{
	const tulle__timing *multiply = &t->multiply;

	if (multiply->doubt)
		tulle__log(m->env, TULLE_LOG_INFO,
		           "measured %s: multiplication %.3f ms is not trusted: %s (%d of %d samples "
		           "disturbed)",
		           c->format->name, 1e3 * multiply->seconds, multiply->doubt, multiply->disturbed,
		           multiply->samples);
	else
		tulle__log(m->env, TULLE_LOG_INFO,
		           "measured %s: conversion %.3f ms%s, multiplication %.3f ms, spread %.2f",
		           c->format->name, 1e3 * t->convert,
		           t->convert_disturbed ? " (disturbed: the prediction counts)" : "",
		           1e3 * multiply->seconds, multiply->spread);
}

static void note_trial(tulle__candidate *c, const tulle__trial *t)
{
	c->doubt = t->multiply.doubt;
	c->measured_convert = t->convert_disturbed ? 0 : t->convert;
	if (c->doubt)
		return; /* keep the result of the slice */
	c->measured_multiply = t->multiply.seconds;
	c->spread = t->multiply.spread;
	c->sliced = c->recalled = 0;
}

/* Try a candidate on the whole matrix. If its way needs it, A^T is built and blocks are expanded; this
 * counts as conversion. */
static tulle_status try_candidate(const measurement *m, const tulle__candidate *c, double seconds,
                                  tulle__trial *t)
{
	const tulle__request request = tulle__request_for(m->request, c->way);
	const tulle__bsr *blocks = tulle__blocks_for(m->operand, c->format, c->way, &request);
	tulle_status s = c->way == TULLE__BUILT ? tulle__build_transpose(m->env, m->operand)
	                 : blocks               ? TULLE_OK
	                                        : tulle__expand(m->env, m->operand);

	if (s == TULLE_OK)
		s = tulle__try(c->format, tulle__operand_for(m->operand, c->way), blocks, &request, &m->v,
		               seconds, m->env, t);
	if (s == TULLE_OK)
		t->convert += tulle__build_seconds(m->operand, c->way, blocks);
	return s;
}

/* Try the whole matrix. Keep the converted matrix if it may be chosen and no better one is kept. */
static tulle_status try_whole(const measurement *m, tulle__candidate *c)
{
	tulle__trial t;
	const tulle_status s = try_candidate(m, c, TRIAL * m->budget, &t);

	if (s != TULLE_OK)
		return tulle__rule_out(c, s, m->env);
	note_trial(c, &t);
	log_trial(m, c, &t);
	if (c->rejected_because ||
	    (m->kept->data && tulle__total_seconds(m->kept->candidate, m->p->multiplies) <=
	                          tulle__total_seconds(c, m->p->multiplies))) {
		c->format->release(t.data, m->env);
		return TULLE_OK;
	}
	drop_kept(m);
	*m->kept = (tulle__kept){ c, t.data, t.convert };
	return TULLE_OK;
}

/* The baseline's format without scattering: the others are compared with it on a slice. */
static tulle__candidate *reference(const measurement *m)
{
	tulle__candidate *first = tulle__baseline(m->p);

	return first->way == TULLE__SCATTER ? first + 1 : first;
}

/* The first candidate can be tried without a conversion and shows how far off the predictions are,
 * even if it is ruled out. The same format with A^T needs no conversion either, once A^T is built. */
static tulle_status try_first(const measurement *m)
{
	tulle__candidate *first = tulle__baseline(m->p), *second = reference(m);
	tulle_status s = TULLE_OK;

	if (!tulle__was_tried(first))
		s = try_whole(m, first);
	if (s == TULLE_OK && m->operand->built.row_ptr && !tulle__was_tried(second))
		s = try_whole(m, second);
	tulle__calibrate(m->p);
	return s;
}

/* Time one format on a slice. Its speed relative to the first format is assumed to be the same on the
 * whole matrix. The conversion time stays as predicted: on a slice, first touch of new memory
 * dominates. A format that rejects the slice may still support the whole matrix. */
static tulle_status try_slice(const measurement *m, const tulle__csr *slice,
                              const tulle__request *request, const tulle__trial *first,
                              tulle__candidate *c)
{
	tulle__trial t;
	const tulle_status s =
	    tulle__try(c->format, slice, NULL, request, &m->v, TRIAL * m->budget / 16, m->env, &t);

	if (s != TULLE_OK)
		return tulle__can_go_on(s) ? TULLE_OK : s;
	c->format->release(t.data, m->env);
	if (t.multiply.doubt) {
		tulle__log(m->env, TULLE_LOG_INFO, "measured %s on a slice: not trusted: %s",
		           c->format->name, t.multiply.doubt);
		return TULLE_OK;
	}
	c->measured_multiply =
	    tulle__multiply_seconds(reference(m)) * t.multiply.seconds / first->multiply.seconds;
	c->spread = fmax(reference(m)->spread, t.multiply.spread * first->multiply.spread);
	c->sliced = 1;
	tulle__log(m->env, TULLE_LOG_INFO,
	           "measured %s on a slice: multiplication %.3f ms, spread %.2f", c->format->name,
	           1e3 * c->measured_multiply, c->spread);
	return TULLE_OK;
}

/* Is the candidate worth a trial, and can a slice predict its time? The slice is taken from the matrix
 * that the reference stores. */
static int wants_slice(const measurement *m, const tulle__candidate *c)
{
	return c->way == reference(m)->way && c != reference(m) && tulle__is_likely(m->p, c) &&
	       !(c->measured_multiply > 0);
}

static tulle_status try_slices(const measurement *m)
{
	const tulle__candidate *first = reference(m);
	const tulle__csr *a = tulle__operand_for(m->operand, first->way);
	const tulle__request request = tulle__request_for(m->request, first->way);
	tulle__csr slice = { .row_ptr = NULL };
	tulle__trial of_first = { .data = NULL };
	int wanted = 0;
	tulle_status s;

	for (int n = 0; n < m->p->count; n++)
		wanted += wants_slice(m, &m->p->candidate[n]);
	/* A trial on a slice costs a sixteenth of a trial; making the slice costs about one
	 * multiplication. */
	if (!tulle__was_measured(first) || wanted < 2 || !tulle__worth_slicing(a) ||
	    !affords(m, 4 * (1 + wanted) * first->measured_multiply))
		return TULLE_OK;
	s = tulle__slice(a, m->env, &slice);
	if (s == TULLE_OK)
		s = tulle__try(first->format, &slice, NULL, &request, &m->v, TRIAL * m->budget / 16, m->env,
		               &of_first);
	if (s == TULLE_OK)
		first->format->release(of_first.data, m->env);
	for (int n = 0; n < m->p->count && s == TULLE_OK && !of_first.multiply.doubt; n++) {
		tulle__candidate *c = &m->p->candidate[n];

		if ((c->format->flags & TULLE__SLICES) && wants_slice(m, c) && affords(m, c->convert / 16))
			s = try_slice(m, &slice, &request, &of_first, c);
	}
	tulle__csr_release(m->env, &slice);
	return tulle__can_go_on(s) ? TULLE_OK : s; /* the slice is optional */
}

/* Try the best candidate on the whole matrix. If another one is best after that, try it next, while
 * time remains. The first of these conversions costs nothing extra: it would be needed anyway. */
static tulle_status try_finalists(const measurement *m)
{
	for (int tried = 0; tried < m->p->count; tried++) {
		tulle__candidate *best = tulle__best_candidate(m->p);
		tulle_status s;

		if (!best || tulle__was_tried(best))
			return TULLE_OK;
		if (tried > 0 && !affords(m, tulle__total_seconds(best, MULTIPLICATIONS)))
			return TULLE_OK;
		s = try_whole(m, best);
		if (s != TULLE_OK)
			return s;
		tulle__calibrate(m->p); /* no effect if the first is trusted */
	}
	return TULLE_OK;
}

/* Before the first candidate is measured, use its prediction. */
static void set_budget(measurement *m, double max_seconds)
{
	m->budget = SHARE * m->p->multiplies * tulle__multiply_seconds(tulle__baseline(m->p));
	if (max_seconds > 0)
		m->budget = fmin(m->budget, max_seconds);
}

tulle_status tulle__measure(tulle__candidates *p, tulle__operand *operand,
                            const tulle__request *request, double max_seconds, tulle__env *env,
                            tulle__kept *kept)
{
	measurement m = { .p = p, .operand = operand, .request = request, .env = env, .kept = kept };
	tulle_status s;

	m.begin = tulle__seconds();
	s = tulle__vectors_new(operand->a, request, env, &m.v);
	if (s != TULLE_OK)
		return tulle__can_go_on(s) ? TULLE_OK : s; /* no memory for trials */
	set_budget(&m, max_seconds);
	s = try_first(&m);
	set_budget(&m, max_seconds);
	if (s == TULLE_OK)
		s = try_slices(&m);
	if (s == TULLE_OK)
		s = try_finalists(&m);
	tulle__vectors_free(env, &m.v);
	if (s != TULLE_OK)
		drop_kept(&m);
	p->searched = 1;
	p->measure_seconds += tulle__seconds() - m.begin;
	return s;
}

/* ---- measurements of earlier runs ---- */

static int contradicts(const tulle__timing *now, double seconds, double spread)
{
	const double factor = CONTRADICTS * fmax(now->spread, spread);

	return now->seconds > factor * seconds || seconds > factor * now->seconds;
}

static void forget(tulle__candidates *p)
{
	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];

		c->measured_convert = c->measured_multiply = c->spread = 0;
		c->sliced = c->recalled = 0;
	}
	p->searched = 0;
}

static void compare(const measurement *m, tulle__candidate *c, const tulle__trial *t)
{
	const int wrong =
	    !t->multiply.doubt && contradicts(&t->multiply, c->measured_multiply, c->spread);

	tulle__log(m->env, TULLE_LOG_INFO,
	           "wisdom: %s takes %.3f ms per multiplication, measured %.3f: %s", c->format->name,
	           1e3 * c->measured_multiply, 1e3 * t->multiply.seconds,
	           wrong               ? "not believed, and all formats are measured again"
	           : t->multiply.doubt ? t->multiply.doubt
	                               : "confirmed");
	if (!wrong)
		return;
	forget(m->p);
	note_trial(c, t);
	tulle__calibrate(m->p);
}

tulle_status tulle__verify(tulle__candidates *p, tulle__operand *operand,
                           const tulle__request *request, tulle__env *env, tulle__kept *kept)
{
	measurement m = { .p = p, .operand = operand, .request = request, .env = env, .kept = kept };
	tulle__candidate *winner = tulle__winner(p);
	tulle__trial t;
	tulle_status s;

	if (!winner || !winner->recalled || !tulle__was_measured(winner))
		return TULLE_OK;
	m.begin = tulle__seconds();
	s = tulle__vectors_new(operand->a, request, env, &m.v);
	if (s != TULLE_OK)
		return tulle__can_go_on(s) ? TULLE_OK : s; /* no memory: use the earlier times */
	s = try_candidate(&m, winner, 0, &t);
	if (s == TULLE_OK) {
		*kept = (tulle__kept){ winner, t.data, t.convert };
		compare(&m, winner, &t);
	} else {
		s = tulle__rule_out(winner, s, env);
	}
	tulle__vectors_free(env, &m.v);
	p->measure_seconds += tulle__seconds() - m.begin;
	return s;
}
