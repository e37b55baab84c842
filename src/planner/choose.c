/* choose.c -- takes the format the caller names, or finds the one that costs least in all. */
#include "planner/choose.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "planner/known_machine.h"
#include "planner/measure.h"
#include "planner/recall.h"
#include "probe/probe.h"

#include <stdio.h>
#include <string.h>

static const double UNKNOWN_MULTIPLIES = 1000;

/* Predictions are off by a few percent. With fewer multiplications than this, trials cost more than
 * they find, and too little time is left for good ones (measured). */
static const double WORTH_TRIALS = 200;

/* ---- what is asked for ---- */

static tulle_status fail_unknown(const char *spec, size_t length)
{
	char names[256] = "";
	size_t used = 0;
	const tulle__format *f;

	for (int n = 0; (f = tulle__format_at(n)) && used < sizeof names; n++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", n ? ", " : "", f->name);
	return tulle__fail(TULLE_E_ARGUMENT, "unknown format \"%s\"; available: %s",
	                   tulle__show_name(spec, length).text, names);
}

static tulle_status find_named(const char *spec, tulle__choice *out)
{
	const size_t length = strcspn(spec, ":");
	const char *params = spec[length] == ':' ? spec + length + 1 : "";

	out->format = tulle__format_named(spec, length);
	if (!out->format)
		return fail_unknown(spec, length);
	snprintf(out->why, sizeof out->why, "you named the format");
	return tulle__params_parse(out->format->tunables, params, &out->request.params);
}

tulle_status tulle__read_request(const tulle_plan_options *options, tulle__choice *out)
{
	const char *lacks;
	tulle_status s;

	memset(out, 0, sizeof *out);
	out->request.op = options->op;
	out->request.multiplies = options->multiplies > 0 ? options->multiplies : UNKNOWN_MULTIPLIES;
	out->request.ordered = options->reproducible == 2;
	out->request.rounded = options->lossy;
	if (!options->format)
		return TULLE_OK;
	s = find_named(options->format, out);
	lacks = s == TULLE_OK ? tulle__lacks(out->format, &out->request) : NULL;
	return lacks ? tulle__fail(TULLE_E_UNSUPPORTED, "format %s: %s", out->format->name, lacks) : s;
}

int tulle__scatters(const tulle__choice *c, const tulle__csr *a)
{
	const tulle__format *format = c->format ? c->format : tulle__baseline_format();

	return c->request.op == TULLE_TRANSPOSED && format->scatters &&
	       !tulle__lacks(format, &c->request) && format->scatters(a, &c->request);
}

/* ---- a format by itself ---- */

static tulle_status convert(const tulle__csr *a, tulle__env *env, tulle__choice *c)
{
	const double begin = tulle__seconds();
	tulle_status s = tulle__format_takes(c->format, a->value_type);

	c->data = NULL;
	if (s == TULLE_OK)
		s = c->format->convert(a, &c->request, env, &c->data);
	c->convert_seconds = tulle__seconds() - begin;
	return s;
}

static tulle_status set_format(const tulle__format *format, tulle__choice *c)
{
	c->format = format;
	return tulle__params_parse(format->tunables, "", &c->request.params);
}

/* ---- the best of all ---- */

/* Convert to the winner, unless that was done on the way. */
static tulle_status take(const tulle__csr *a, const tulle__candidate *winner, tulle__kept *kept,
                         tulle__env *env, tulle__choice *c)
{
	const tulle_status s = set_format(winner->format, c);

	if (s != TULLE_OK || kept->candidate != winner)
		return s == TULLE_OK ? convert(a, env, c) : s;
	c->data = kept->data;
	c->convert_seconds = kept->seconds;
	*kept = (tulle__kept){ .data = NULL };
	return TULLE_OK;
}

static tulle_status check_memory(const tulle__choice *c, size_t max_bytes)
{
	tulle__layout layout;

	c->format->describe(c->data, &layout);
	if (max_bytes == 0 || layout.own_bytes <= max_bytes || (c->format->flags & TULLE__BORROWS))
		return TULLE_OK;
	return tulle__fail(TULLE_E_LIMIT, "max_bytes = %zu: %s needs %zu bytes", max_bytes,
	                   c->format->name, layout.own_bytes);
}

/* All candidates are ruled out: report the first that failed, else the memory limit. */
static tulle_status fail_all(const tulle__candidates *p, size_t max_bytes)
{
	for (int n = 0; n < p->count; n++)
		if (p->candidate[n].failed != TULLE_OK)
			return tulle__fail(p->candidate[n].failed, "%s", p->candidate[n].because);
	return tulle__fail(TULLE_E_LIMIT,
	                   "max_bytes = %zu is too small for every format that the other options allow",
	                   max_bytes);
}

/* Convert the candidates in the order of their total times until one succeeds. */
static tulle_status take_best(const tulle__csr *a, size_t max_bytes, tulle__kept *kept,
                              tulle__env *env, tulle__choice *c)
{
	tulle__candidate *best;

	while ((best = tulle__winner(c->candidates))) {
		tulle_status s = take(a, best, kept, env, c);

		if (s == TULLE_OK)
			s = check_memory(c, max_bytes);
		if (s == TULLE_OK)
			return TULLE_OK;
		if (c->data)
			c->format->release(c->data, env);
		c->data = NULL;
		s = tulle__rule_out(best, s, env);
		if (s != TULLE_OK)
			return s;
	}
	return fail_all(c->candidates, max_bytes);
}

/* `before`: text in front of the reason, may be empty. */
static void tell_why(tulle__candidates *p, const char *before, char why[TULLE__WHY])
{
	const tulle__candidate *best = tulle__winner(p);
	const char *how = best->measured_multiply > 0
	                      ? best->recalled ? "measured by an earlier run" : "measured"
	                      : "predicted";
	const tulle__candidate *first = tulle__best_candidate(p);
	const int tied = p->searched && tulle__total_seconds(best, p->multiplies) >
	                                    tulle__total_seconds(first, p->multiplies);
	char counts[48] = "", doubted[64] = "";
	int compared = 0, timed = 0, doubts = 0;

	for (int n = 0; n < p->count; n++) {
		compared += !p->candidate[n].rejected_because;
		timed += !p->candidate[n].rejected_because && p->candidate[n].measured_multiply > 0;
		doubts += !p->candidate[n].rejected_because && p->candidate[n].doubt;
	}
	if (compared == 1) {
		snprintf(why, TULLE__WHY, "%s%s; all other formats are ruled out", before, best->because);
		return;
	}
	if (timed > 0 && timed < compared)
		snprintf(counts, sizeof counts, ", %d of them measured,", timed);
	if (doubts > 0)
		snprintf(doubted, sizeof doubted, "; the times of %d were disturbed and not used", doubts);
	snprintf(why, TULLE__WHY,
	         "%s%s; least total time of %d formats%s for %.0f multiplications (%s%s)%s", before,
	         best->because, compared, counts, p->multiplies, how, tied ? ", within a tenth" : "",
	         doubted);
}

/* Seconds of all multiplications, at a billion nonzeros per second. Where nothing may be timed 0. */
static double seconds_ahead(const tulle__csr *a, tulle_effort effort, const tulle__choice *c)
{
	return effort == TULLE_MEASURE ? c->request.multiplies * (double)a->nnz * 1e-9 : 0;
}

/* Look at the matrix, and ask every format what it would cost. */
static tulle_status estimate(const tulle__csr *a, size_t max_bytes, tulle__env *env,
                             tulle__choice *c)
{
	tulle__candidates *p = c->candidates;
	tulle_status s;

	p->multiplies = c->request.multiplies;
	p->look_seconds = -tulle__seconds();
	s = tulle__analyse(a, &p->machine, env, &p->features);
	p->look_seconds += tulle__seconds();
	if (s == TULLE_OK)
		tulle__estimate_all(p, &c->request, max_bytes, env);
	return s;
}

/* What an earlier run has measured is tried once more, what it has not, for the first time. */
static tulle_status measure(const tulle__csr *a, const tulle_plan_options *o, tulle__env *env,
                            tulle__choice *c, tulle__kept *kept)
{
	tulle__candidates *p = c->candidates;
	const int verified = p->searched;
	tulle_status s = TULLE_OK;

	if (verified)
		s = tulle__verify(p, a, &c->request, env, kept);
	if (s != TULLE_OK || p->searched)
		return s;
	if (verified)
		tulle__forget(p, &c->request, o->wisdom, env);
	s = tulle__measure(p, a, &c->request, o->max_seconds, env, kept);
	if (s == TULLE_OK)
		tulle__remember(p, &c->request, o->wisdom, env);
	return s;
}

static tulle_status weigh(const tulle__csr *a, const tulle_plan_options *o, tulle__env *env,
                          tulle__choice *c, tulle__kept *kept)
{
	tulle__candidates *p = c->candidates;
	const int fixed = o->reproducible > 0;
	const char *wisdom = fixed ? NULL : o->wisdom;
	tulle_status s;

	if (fixed)
		tulle__machine_fixed(&p->machine);
	else {
		tulle__settle_gathers(env);
		tulle__know_machine(env, a, wisdom, seconds_ahead(a, o->effort, c), &p->machine);
	}
	s = estimate(a, o->max_bytes, env, c);
	if (s != TULLE_OK)
		return s;
	if (wisdom) {
		p->fingerprint = tulle__fingerprint(a, &p->features);
		p->signature = tulle__machine_signature(&p->machine);
	}
	tulle__recall(p, &c->request, wisdom, env);
	if (o->effort == TULLE_MEASURE && p->multiplies >= WORTH_TRIALS && !fixed &&
	    tulle__best_candidate(p))
		s = measure(a, o, env, c, kept);
	return s;
}

static tulle_status choose_best(const tulle__csr *a, const tulle_plan_options *o, tulle__env *env,
                                tulle__choice *c)
{
	tulle__kept kept = { .data = NULL };
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *c->candidates, &c->candidates);

	if (s == TULLE_OK)
		s = weigh(a, o, env, c, &kept);
	if (s == TULLE_OK)
		s = take_best(a, o->max_bytes, &kept, env, c);
	if (kept.data)
		kept.candidate->format->release(kept.data, env);
	if (s == TULLE_OK)
		tell_why(c->candidates, "", c->why);
	return s;
}

/* The baseline, which needs no conversion. */
static tulle_status choose_baseline(const tulle__csr *a, tulle__env *env, tulle__choice *c)
{
	const tulle_status s = set_format(tulle__baseline_format(), c);

	return s == TULLE_OK ? convert(a, env, c) : s;
}

/* After a search that ended with `s`: if the memory limit left no room for it, take the baseline, unless
 * the request excludes it. */
static tulle_status choose_without(tulle_status s, const tulle__csr *a, tulle__env *env,
                                   tulle__choice *c)
{
	tulle__free(env, c->candidates);
	c->candidates = NULL;
	if (s != TULLE_E_LIMIT || tulle__lacks(tulle__baseline_format(), &c->request))
		return s;
	snprintf(c->why, sizeof c->why, "the memory limit leaves no room to compare formats");
	return choose_baseline(a, env, c);
}

tulle_status tulle__choose(const tulle__csr *a, const tulle_plan_options *options, tulle__env *env,
                           tulle__choice *c)
{
	const int simple = !tulle__lacks(tulle__baseline_format(), &c->request);
	tulle_status s;

	if (c->format)
		return convert(a, env, c);
	if (simple &&
	    (c->request.multiplies < TULLE__FEW_MULTIPLIES || c->request.op == TULLE_TRANSPOSED)) {
		snprintf(c->why, sizeof c->why,
		         "%.0f multiplications are too few for a conversion to pay off",
		         c->request.multiplies);
		return choose_baseline(a, env, c);
	}
	s = choose_best(a, options, env, c);
	return s == TULLE_OK ? TULLE_OK : choose_without(s, a, env, c);
}

/* ---- and again ---- */

/* The format that refused an update is out, and with it all others that may refuse the next one. */
static tulle_status rule_out_restricted(const tulle__format *refused, tulle__env *env,
                                        tulle__candidates *p)
{
	tulle_status s = TULLE_OK;

	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];

		if (c->format == refused)
			s = tulle__rule_out(c, TULLE_E_UNSUPPORTED, env);
		else if (!c->rejected_because && (c->format->flags & TULLE__RESTRICTED))
			c->rejected_because = "it may refuse the values of the next update";
	}
	return s;
}

tulle_status tulle__choose_again(const tulle__csr *a, const tulle__format *refused,
                                 const tulle__machine *machine, size_t max_bytes, tulle__env *env,
                                 tulle__choice *c)
{
	tulle__kept kept = { .data = NULL };
	char before[64];
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *c->candidates, &c->candidates);

	if (s == TULLE_OK) {
		c->candidates->machine = *machine;
		s = estimate(a, max_bytes, env, c);
	}
	if (s == TULLE_OK)
		s = rule_out_restricted(refused, env, c->candidates);
	if (s == TULLE_OK)
		s = take_best(a, max_bytes, &kept, env, c);
	if (s != TULLE_OK)
		return choose_without(s, a, env, c);
	snprintf(before, sizeof before, "%s refused the values of an update; ", refused->name);
	tell_why(c->candidates, before, c->why);
	return TULLE_OK;
}
